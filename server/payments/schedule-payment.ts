import type { ChargeRow, PaymentRow } from '../db/rows.ts'
import { cancelContract, replaceMethod } from '../charges/cancel-contract.ts'
import { outstanding } from '../charges/serialize.ts'
import { listChargesOfContract, updateCharge } from '../charges/store.ts'
import type { ChargeVerbs } from '../contracts/change.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import type { EventType } from '../events/event-types.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { newPayment } from './new-rows.ts'
import { newPartRows } from './parts.ts'
import {
  findPaymentRow,
  insertParts,
  insertPayment,
  serializePayments,
  replacePayment,
  updatePayment,
} from './store.ts'

/** The SCHEDULED payment of a charge: what will be collected for it, when, and from which method. */

/**
 * Stores a payment that is to be taken later, for one charge, and records `payment.scheduled`.
 * Returns its row.
 */
export async function schedulePayment(
  tx: Tx,
  payment: PaymentRow,
  charge: string,
  now: number,
): Promise<PaymentRow> {
  const scheduled: PaymentRow = { ...payment, status: 'SCHEDULED' }
  await insertPayment(tx, scheduled)
  await insertParts(tx, newPartRows(scheduled, [{ charge, amount: scheduled.amount }]))
  await recordPayment(tx, 'payment.scheduled', scheduled, now)
  return scheduled
}

/**
 * Brings the scheduled payment of a charge up to date with the charge, which the transaction holds
 * and has just written: the outstanding amount, the due time and the method, or CANCELLED once the
 * charge is not going to be collected. A cancelled payment stays so; a charge that is going to be
 * collected later after all gets a new one. `now` is epoch milliseconds.
 */
export async function syncScheduledPayment(tx: Tx, charge: ChargeRow, now: number): Promise<void> {
  const { instance_id, scheduled_payment_id: id } = charge
  const payment = id === null ? undefined : await findPaymentRow(tx, instance_id, id)
  if (!payment) return
  const isPlanned =
    charge.status === 'ACTIVE' && charge.next_attempt !== null && charge.cancelling === 0
  if (payment.status === 'SCHEDULED') {
    await (isPlanned ? update(tx, payment, charge, now) : cancel(tx, payment, now))
  } else if (payment.status === 'CANCELLED' && isPlanned) {
    // What is to be collected at once is not announced.
    if ((charge.next_attempt ?? '') > formatInstant(now)) await announce(tx, payment, charge, now)
  }
}

/** What a contract's change does to its charges and to the payments that are scheduled for them. */
export const contractVerbs: ChargeVerbs = {
  async cancel(tx, contractId, now, by) {
    await cancelContract(tx, contractId, now, by)
    await followContract(tx, contractId, now)
  },
  async replaceMethod(tx, contract, at) {
    await replaceMethod(tx, contract, at)
    await followContract(tx, contract.id, at.now)
  },
}

async function followContract(tx: Tx, contractId: string, now: number): Promise<void> {
  for (const charge of await listChargesOfContract(tx, contractId)) {
    await syncScheduledPayment(tx, charge, now)
  }
}

/** What a charge decides about the payment that is scheduled for it. */
function dictated(charge: ChargeRow) {
  return {
    amount: outstanding(charge),
    due: charge.due,
    payment_method_id: charge.payment_method_id,
  }
}

async function update(tx: Tx, payment: PaymentRow, charge: ChargeRow, now: number): Promise<void> {
  const change = dictated(charge)
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
  await recordPayment(tx, 'payment.scheduled', updated, now)
}

async function cancel(tx: Tx, payment: PaymentRow, now: number): Promise<void> {
  const moment = formatInstant(now)
  const change = { status: 'CANCELLED', processed: moment, updated: moment } as const
  const cancelled = await replacePayment(tx, payment, change)
  if (cancelled) await recordPayment(tx, 'payment.cancelled', cancelled, now)
}

async function announce(tx: Tx, former: PaymentRow, charge: ChargeRow, now: number): Promise<void> {
  const { instance_id, type, currency, alt_key, description, source, channel, metadata } = former
  const { account_id, contract_id, charge_id } = former
  const same = { alt_key, description, source, channel, metadata, account_id, contract_id }
  const fresh = newPayment(
    { instance_id, type, currency, charge_id, ...same, ...dictated(charge) },
    now,
  )
  await updateCharge(tx, charge.id, { scheduled_payment_id: fresh.id })
  await schedulePayment(tx, fresh, charge.id, now)
}

async function recordPayment(tx: Tx, type: EventType, row: PaymentRow, now: number): Promise<void> {
  const [payment] = await serializePayments(tx, [row], now)
  await recordEvent(tx, { instanceId: row.instance_id, type, data: { payment }, now })
}
