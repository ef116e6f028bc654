import type { JournalEntry } from '../journal.ts'
import type { LostOperation, QueryResponse } from '../port.ts'
import { fromStripeAmount } from './amounts.ts'
import type { StripeContext } from './context.ts'
import { findLostFollowUp } from './follow-ups.ts'
import { queryPayment } from './intent-state.ts'

/** Clocks of the processes and Stripe may differ by so much. */
const CLOCK_SKEW_S = 300

/**
 * Returns the state of an operation that has no entry because the database was restored, and makes its
 * entry anew. NOT_FOUND when Stripe has nothing of it.
 */
export async function queryLost(
  context: StripeContext,
  operation: string,
  lost: LostOperation,
): Promise<QueryResponse> {
  if (lost.follows !== null) return findLostFollowUp(context, operation, lost)
  const entry = await findLostPayment(context, operation, lost)
  return entry ? queryPayment(context, operation, entry) : { status: 'NOT_FOUND' }
}

/** Finds the intent among those that were made at that time. */
async function findLostPayment(
  { client, journal }: StripeContext,
  operation: string,
  { created, amount, currency }: LostOperation,
): Promise<JournalEntry | undefined> {
  const at = Math.floor(Date.parse(created) / 1000)
  const range = { gte: at - CLOCK_SKEW_S, lte: at + CLOCK_SKEW_S }
  const found = await client.call('list payment intents', async (stripe, options) => {
    for await (const intent of stripe.paymentIntents.list(
      { created: range, limit: 100 },
      options,
    )) {
      if (intent.metadata['operation'] === operation) return intent
    }
    return undefined
  })
  if (!found) return undefined
  if (
    found.currency.toUpperCase() !== currency ||
    fromStripeAmount(found.amount, currency) !== amount
  ) {
    throw new Error(`The payment intent ${found.id} has another amount than ${operation}`)
  }
  const entry = await journal.begin(operation, {
    kind: found.capture_method === 'manual' ? 'AUTHORISE' : 'PAY',
    reference: found.id,
    content_hash: '',
    amount,
    currency,
  })
  if (entry === 'CANCELLED') throw new Error(`${operation} was canceled while it was looked for`)
  return entry
}
