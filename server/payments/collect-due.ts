import type { AttemptRow, ChargeRow, PaymentMethodRow, PaymentRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import {
  lockForCollection,
  listDueCharges,
  methodToCollect,
  postponeCollection,
  skipCollection,
} from '../charges/collection-schedule.ts'
import { lockCharge } from '../charges/store.ts'
import { literal } from '../db/partial-index.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { ofClock } from '../instances/test-clock-store.ts'
import type { PaymentMethodWithStatus } from '../payment-methods/store.ts'
import type { Processor, ProcessorResponse } from '../processors/port.ts'
import { callProcessor, callFrom } from './call-processor.ts'
import { insertAttempt } from './attempts.ts'
import { chargeOf } from './payment-method.ts'
import { newPayment } from './new-rows.ts'
import { syncScheduledPayment } from './schedule-payment.ts'
import { newOperation, type Operation, storeOperation } from './operation.ts'
import { findPaymentRow, insertTransaction, replacePayment } from './store.ts'

/** Charges collected at a time by one process. */
const BATCH = 20

/**
 * Collects the charges that are due from the methods that their payers have stored (contract
 * section 11); with `moved`, those of the instance of that id, whose clock was moved. Any number of processes may do this: claiming a charge is one statement that only
 * one of them wins. One that fails is not in the others' way, now or later. Answers how many
 * collections were begun.
 */
export async function collectDue(deps: Deps, moved?: string): Promise<number> {
  const due = await listDueCharges(deps.db, formatInstant(deps.now()), BATCH, moved)
  const begun = await Promise.all(due.map((charge) => collectOrPostpone(deps, charge)))
  await cancelScheduled(deps, moved)
  return begun.filter(Boolean).length
}

async function collectOrPostpone(deps: Deps, charge: ChargeRow): Promise<boolean> {
  try {
    return await collect(deps, charge)
  } catch (error) {
    deps.log.error({ err: error, charge: charge.id }, 'charge was not collected')
    await postpone(deps, charge)
    return false
  }
}

/** Left at the head of the list, it would keep others off it. */
async function postpone(deps: Deps, charge: ChargeRow): Promise<void> {
  try {
    await inTransaction(deps.db, (tx) => postponeCollection(tx, charge, deps.now()))
  } catch (error) {
    deps.log.error({ err: error, charge: charge.id }, 'charge was not postponed')
  }
}

async function collect(deps: Deps, charge: ChargeRow): Promise<boolean> {
  const begun = await inTransaction(deps.db, (tx) => begin(deps, tx, charge))
  if (!begun) return false
  deps.failpoint('collection-stored')
  const answer = declineUnasked(begun.method) ?? (await askToPay(deps, charge, begun))
  deps.failpoint('collection-answered')
  await deps.settle(begun.attempt.id, answer)
  deps.failpoint('collection-settled')
  return true
}

/**
 * The answer for a method that no processor needs to be asked about: the merchant hears of it as of
 * any other decline, and it is tried again as one, since by then the card may have been renewed or
 * the contract been given another.
 */
function declineUnasked({ status_at }: PaymentMethodWithStatus): ProcessorResponse | undefined {
  const declined = { status: 'DECLINED', reference: null } as const
  switch (status_at) {
    case 'ACTIVE':
      return undefined
    case 'EXPIRED':
      return { ...declined, code: 'EXPIRED_CARD', message: 'The card has expired.' }
    case 'REMOVED':
      return { ...declined, code: 'INVALID_METHOD', message: 'The payment method was removed.' }
  }
}

function askToPay(
  deps: Deps,
  { currency }: ChargeRow,
  { attempt, amount, method, processor }: Begun,
): Promise<ProcessorResponse> {
  const { id: operation, instance_id: merchant } = attempt
  const charged = { operation, merchant, amount, currency, method: chargeOf(method) }
  return callProcessor(deps, operation, () =>
    processor.pay({ ...charged, store: false, return_url: '' }),
  )
}

interface Begun {
  attempt: AttemptRow
  amount: number
  method: PaymentMethodWithStatus
  processor: Processor
}

/** Claims the charge and stores what is about to be asked; undefined when it is no longer to be. */
async function begin(deps: Deps, tx: Tx, charge: ChargeRow): Promise<Begun | undefined> {
  const now = deps.now()
  // Held first, so that a method which its merchant has just replaced is not the one that is found.
  const method = await methodToCollect(tx, await lockCharge(tx, charge.id), now)
  if (!method) {
    await syncScheduledPayment(tx, await skipCollection(tx, charge, now), now)
    return undefined
  }
  const processor = deps.processors.get(method.processor)
  if (!processor) {
    // Whoever runs the server has to configure it, and then the merchant has lost nothing.
    deps.log.error({ charge: charge.id, processor: method.processor }, 'processor is missing')
    await postponeCollection(tx, charge, now)
    return undefined
  }
  const claimed = await lockForCollection(tx, charge, now)
  if (!claimed) return undefined
  const amount = claimed.in_flight_amount
  const as: Operation = {
    ...callFrom(deps, now),
    kind: 'PAY',
    processor: method.processor,
    method_type: method.type,
    saved_method_id: method.id,
  }
  const resumed = await resume(tx, claimed, method, as)
  if (resumed) return { attempt: resumed, amount, method, processor }
  const payment = paymentFor(claimed, method, now)
  const attempt = await storeOperation(tx, payment, [{ charge: claimed.id, amount }], as)
  return { attempt, amount, method, processor }
}

/**
 * Makes the payment real that was announced for this charge; undefined when none waits any more.
 * Amount, method and due time may have been changed at the charge since.
 */
async function resume(
  tx: Tx,
  charge: ChargeRow,
  method: PaymentMethodRow,
  as: Operation,
): Promise<AttemptRow | undefined> {
  const { instance_id, scheduled_payment_id: id, in_flight_amount: amount } = charge
  const waiting = id === null ? undefined : await findPaymentRow(tx, instance_id, id)
  if (waiting?.status !== 'SCHEDULED') return undefined
  const change = { amount, payment_method_id: method.id, due: charge.due }
  const { transaction, attempt } = newOperation({ ...waiting, ...change }, as)
  const taken = await replacePayment(tx, waiting, {
    ...change,
    status: 'PENDING',
    transaction_id: transaction.id,
    updated: formatInstant(as.now),
  })
  if (!taken) return undefined
  await tx
    .updateTable('payment_parts')
    .set({ amount })
    .where('payment_id', '=', waiting.id)
    .where('charge_id', '=', charge.id)
    .execute()
  await insertTransaction(tx, transaction)
  await insertAttempt(tx, attempt)
  return attempt
}

/** A payment for a charge for which none was announced, or one that was announced failed. */
function paymentFor(charge: ChargeRow, method: PaymentMethodRow, now: number): PaymentRow {
  return newPayment(
    {
      instance_id: charge.instance_id,
      type: 'PAYMENT',
      amount: charge.in_flight_amount,
      currency: charge.currency,
      alt_key: charge.alt_key,
      description: charge.description,
      source: charge.recurring === 1 ? 'RECURRING' : 'ECOMMERCE',
      account_id: charge.account_id ?? method.account_id,
      contract_id: charge.contract_id,
      charge_id: charge.id,
      payment_method_id: method.id,
    },
    now,
  )
}

/**
 * Cancels scheduled payments whose time has come and whose charge is not going to be collected.
 * Whatever changes a charge does so at once; this finds what earlier releases and a restored backup
 * have left.
 */
async function cancelScheduled(deps: Deps, moved: string | undefined): Promise<void> {
  const now = deps.now()
  let after = ''
  for (;;) {
    const idle = await listIdle(deps.db, { now: formatInstant(now), after, moved })
    for (const one of idle) await tryToCancel(deps, one, now)
    if (idle.length < BATCH) return
    // What fails is passed by, and met again in the next round only.
    after = idle.at(-1)?.id ?? ''
  }
}

/** Some of them, in the order of their ids, beyond the one that is named. */
function listIdle(
  db: Db,
  { now, after, moved }: { now: string; after: string; moved: string | undefined },
): Promise<{ id: string; charge: string }[]> {
  return db
    .selectFrom('payments')
    .innerJoin('charges', 'charges.id', 'payments.charge_id')
    .select(['payments.id', 'charges.id as charge'])
    .where('payments.status', '=', literal('SCHEDULED'))
    .where('payments.due', '<=', now)
    .where(ofClock('payments.instance_id', moved))
    .where('payments.id', '>', after)
    .where('charges.next_attempt', 'is', null)
    .where('charges.in_flight_amount', '=', 0)
    .orderBy('payments.id')
    .limit(BATCH)
    .execute()
}

async function tryToCancel(
  deps: Deps,
  { id, charge }: { id: string; charge: string },
  now: number,
): Promise<void> {
  try {
    // Since it was listed, its charge may have been taken up again.
    await inTransaction(deps.db, async (tx) =>
      syncScheduledPayment(tx, await lockCharge(tx, charge), now),
    )
  } catch (error) {
    deps.log.error({ err: error, payment: id }, 'scheduled payment was not cancelled')
  }
}
