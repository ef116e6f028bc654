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
  withdrawnAmount,
} from './reversals.ts'
import { getPaymentRow, lockPayment, updatePayment } from './store.ts'

/** What a processor said of a reversal of an instance's payment; `now` is epoch milliseconds. */
export interface ReportedReversal {
  instanceId: string
  processor: string
  reversal: ProcessorReversal
  now: number
}

/**
 * Records the present state of a reversal with its payment and its event, in the caller's
 * transaction. The payment is locked first, so that of several processes that were told the same
 * one records it. Returns UNKNOWN, and records nothing, where the operation took no money of this
 * instance in this currency, or the reference means a reversal of another payment.
 */
export async function recordReversal(
  tx: Tx,
  { instanceId, processor, reversal, now }: ReportedReversal,
): Promise<'RECORDED' | 'UNCHANGED' | 'UNKNOWN'> {
  const paymentId = await findPaymentOf(tx, { instanceId, processor, reversal })
  if (paymentId === undefined) return 'UNKNOWN'
  await lockPayment(tx, paymentId)
  const payment = await getPaymentRow(tx, instanceId, paymentId)
  const key = { instance_id: instanceId, processor, gateway_reference: reversal.reference }
  const known = await findReversal(tx, key)
  if (payment.currency !== reversal.currency) return 'UNKNOWN'
  if (known && known.payment_id !== paymentId) return 'UNKNOWN'
  const updated = formatInstant(now)
  const { type, status, amount, reason, due } = reversal
  const state = { type, status, amount, reason, due }
  if (known && isSame(known, state)) return 'UNCHANGED'
  const row = known
    ? await updateReversal(tx, known.id, { ...state, updated })
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
    disputed_amount: await withdrawnAmount(tx, paymentId),
    updated,
  })
  await recordEvent(tx, {
    instanceId,
    type: eventOf(known, row),
    data: { reversal: serializeReversal(row) },
    now,
  })
  return 'RECORDED'
}

/** The payment or capture whose money an operation took; undefined for any other operation. */
async function findPaymentOf(
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

function isSame(known: State, said: State): boolean {
  return (Object.keys(said) as (keyof State)[]).every((name) => known[name] === said[name])
}

/** One that is first heard of when it is over was never seen open. */
function eventOf(known: State | undefined, { status }: State): EventType {
  if (status !== 'OPEN' && status !== known?.status) return 'reversal.closed'
  return known ? 'reversal.updated' : 'reversal.opened'
}
