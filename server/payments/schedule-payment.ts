import type { ChargeRow } from '../db/tables/charges.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import { cancelContract, replaceMethod } from '../charges/cancel-contract.ts'
import { outstanding } from '../charges/serialize.ts'
import { listChargesOfContract, updateCharge } from '../charges/store.ts'
import type { ContractCharges } from '../contracts/change.ts'
import type { Tx } from '../db/tables.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { newPayment } from './new-rows.ts'
import { recordPaymentEvent } from './operation-events.ts'
import { newPartRows } from './parts.ts'
import {
  findPaymentRow,
  insertParts,
  insertPayment,
  updatePaymentIfUnchanged,
  updatePayment,
} from './store.ts'

/** Stores a payment for one charge as SCHEDULED and records the event. Returns its row. */
export async function schedulePayment(
  tx: Tx,
  payment: PaymentRow,
  charge: string,
  now: number,
): Promise<PaymentRow> {
  const scheduled: PaymentRow = { ...payment, status: 'SCHEDULED' }
  await insertPayment(tx, scheduled)
  await insertParts(tx, newPartRows(scheduled, [{ charge, amount: scheduled.amount }]))
  await recordPaymentEvent(tx, 'payment.scheduled', scheduled, now)
  return scheduled
}

/**
 * Updates the scheduled payment of a locked charge: its amount, due time and method, or CANCELLED when
 * the charge will not be collected. A canceled payment stays canceled; a charge that is scheduled
 * again gets a new one. `now` is epoch milliseconds.
 */
export async function syncScheduledPayment(tx: Tx, charge: ChargeRow, now: number): Promise<void> {
  const { instance_id, scheduled_payment_id: id } = charge
  const payment = id === null ? undefined : await findPaymentRow(tx, instance_id, id)
  if (!payment) return
  const isScheduled =
    charge.status === 'ACTIVE' && charge.next_attempt !== null && charge.cancelling === 0
  if (payment.status === 'SCHEDULED') {
    await (isScheduled
      ? updateScheduled(tx, payment, charge, now)
      : cancelScheduledRow(tx, payment, now))
  } else if (payment.status === 'CANCELLED' && isScheduled) {
    // A charge to collect at once gets no scheduled payment.
    if ((charge.next_attempt ?? '') > formatInstant(now))
      await scheduleAgain(tx, payment, charge, now)
  }
}

/** Keeps the scheduled payments in step with a contract's charges. */
export const contractCharges: ContractCharges = {
  async cancel(tx, contractId, now, by) {
    await cancelContract(tx, contractId, now, by)
    await syncScheduledPayments(tx, contractId, now)
  },
  async replaceMethod(tx, contract, at) {
    await replaceMethod(tx, contract, at)
    await syncScheduledPayments(tx, contract.id, at.now)
  },
}

async function syncScheduledPayments(tx: Tx, contractId: string, now: number): Promise<void> {
  for (const charge of await listChargesOfContract(tx, contractId)) {
    await syncScheduledPayment(tx, charge, now)
  }
}

function columnsFromCharge(charge: ChargeRow) {
  return {
    amount: outstanding(charge),
    due: charge.due,
    payment_method_id: charge.payment_method_id,
  }
}

async function updateScheduled(
  tx: Tx,
  payment: PaymentRow,
  charge: ChargeRow,
  now: number,
): Promise<void> {
  const change = columnsFromCharge(charge)
  const isSame =
    payment.amount === change.amount &&
    payment.due === change.due &&
    payment.payment_method_id === change.payment_method_id
  if (isSame) return
  await tx
    .updateTable('payment_parts')
    .set({ amount: change.amount })
    .where('payment_id', '=', payment.id)
    .where('charge_id', '=', charge.id)
    .execute()
  const updated = await updatePayment(tx, payment.id, { ...change, updated: formatInstant(now) })
  await recordPaymentEvent(tx, 'payment.scheduled', updated, now)
}

async function cancelScheduledRow(tx: Tx, payment: PaymentRow, now: number): Promise<void> {
  const moment = formatInstant(now)
  const change = { status: 'CANCELLED', processed: moment, updated: moment } as const
  const canceled = await updatePaymentIfUnchanged(tx, payment, change)
  if (canceled) await recordPaymentEvent(tx, 'payment.cancelled', canceled, now)
}

async function scheduleAgain(
  tx: Tx,
  former: PaymentRow,
  charge: ChargeRow,
  now: number,
): Promise<void> {
  const { instance_id, type, currency, alt_key, description, source, channel, metadata } = former
  const { account_id, contract_id, charge_id, legal_entity_id, legal_entity_version } = former
  const belongs = { account_id, contract_id, legal_entity_id, legal_entity_version }
  const same = { alt_key, description, source, channel, metadata, ...belongs }
  const payment = newPayment(
    { instance_id, type, currency, charge_id, ...same, ...columnsFromCharge(charge) },
    now,
  )
  await updateCharge(tx, charge.id, { scheduled_payment_id: payment.id })
  await schedulePayment(tx, payment, charge.id, now)
}
