import type { ReversalRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { newId } from '../ids.ts'
import type { ProcessorReversal } from '../processors/port.ts'
import {
  findReversal,
  insertReversal,
  serializeReversal,
  updateReversal,
  sumDisputed,
} from './reversals.ts'
import { getPaymentRow, lockPayment, updatePayment } from './store.ts'

/** `now` is epoch milliseconds. */
export interface ReportedReversal {
  instanceId: string
  processor: string
  reversal: ProcessorReversal
  now: number
}

/**
 * Records the present state of a reversal with its payment and its event, in the caller's transaction.
 * The payment is locked first, so that one of several processes records it. Returns UNKNOWN, and
 * records nothing, when the operation is not a payment of this instance in this currency, or when the
 * reference belongs to a reversal of another payment.
 */
export async function recordReversal(
  tx: Tx,
  { instanceId, processor, reversal, now }: ReportedReversal,
): Promise<'RECORDED' | 'UNCHANGED' | 'UNKNOWN'> {
  const paymentId = await findReversedPayment(tx, { instanceId, processor, reversal })
  if (paymentId === undefined) return 'UNKNOWN'
  await lockPayment(tx, paymentId)
  const payment = await getPaymentRow(tx, instanceId, paymentId)
  const key = { instance_id: instanceId, processor, gateway_reference: reversal.reference }
  const stored = await findReversal(tx, key)
  if (payment.currency !== reversal.currency) return 'UNKNOWN'
  if (stored && stored.payment_id !== paymentId) return 'UNKNOWN'
  const updated = formatInstant(now)
  const { type, status, amount, reason, due } = reversal
  const state = { type, status, amount, reason, due }
  if (stored && isSame(stored, state)) return 'UNCHANGED'
  const row = stored
    ? await updateReversal(tx, stored.id, { ...state, updated })
    : await insertReversal(tx, {
        id: newId('rv', now),
        ...key,
        payment_id: paymentId,
        ...state,
        currency: payment.currency,
        created: updated,
        updated,
        v: 1,
      })
  await updatePayment(tx, paymentId, {
    disputed_amount: await sumDisputed(tx, paymentId),
    updated,
  })
  await recordEvent(tx, {
    instanceId,
    type: reversalEvent(stored, row),
    data: { reversal: serializeReversal(row) },
    now,
  })
  return 'RECORDED'
}

/** Returns the id of the payment or capture of an operation; undefined for any other operation. */
async function findReversedPayment(
  tx: Tx,
  { instanceId, processor, reversal }: Omit<ReportedReversal, 'now'>,
): Promise<string | undefined> {
  const found = await tx
    .selectFrom('attempts')
    .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
    .select('transactions.payment_id')
    .where('attempts.id', '=', reversal.operation)
    .where('attempts.instance_id', '=', instanceId)
    .where('attempts.processor', '=', processor)
    .where('attempts.kind', 'in', ['PAY', 'CAPTURE'])
    .executeTakeFirst()
  return found?.payment_id
}

type State = Pick<ReversalRow, 'type' | 'status' | 'amount' | 'reason' | 'due'>

function isSame(stored: State, reported: State): boolean {
  return (Object.keys(reported) as (keyof State)[]).every((name) => stored[name] === reported[name])
}

/** A reversal that is first reported as closed gets no `reversal.opened`. */
function reversalEvent(stored: State | undefined, { status }: State): EventType {
  if (status !== 'OPEN' && status !== stored?.status) return 'reversal.closed'
  return stored ? 'reversal.updated' : 'reversal.opened'
}
