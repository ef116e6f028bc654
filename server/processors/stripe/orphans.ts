import type { StripeContext } from './context.ts'
import { cancelIntent, isUntouched } from './intent-state.ts'

/** An intent that this server has not confirmed for so long is never confirmed. */
const UNCONFIRMED_MS = 3_600_000
/** Older ones are left: they take no money. */
const LOOK_BACK_MS = 48 * 3_600_000
/** Clocks of the processes and Stripe may differ by so much. */
const CLOCK_SKEW_MS = 300_000
/** Operations that were made in such a time share a list of intents. */
const WINDOW_MS = 600_000

/**
 * Cancels intents whose creation had an answer that did not arrive: the journal says that their operation was
 * canceled before it began, so no call can confirm them any more. An operation that the journal does not
 * have may be another server's, and is left.
 */
export async function cancelOrphans(context: StripeContext): Promise<number> {
  const { journal, now } = context
  const to = now() - UNCONFIRMED_MS - CLOCK_SKEW_MS
  let left = await journal.listCanceled({ from: to - LOOK_BACK_MS, to })
  let canceled = 0
  while (left.length > 0) {
    const from = madeAt(left[0] as string)
    const together = left.filter((operation) => madeAt(operation) < from + WINDOW_MS)
    canceled += await cancelMadeAt(context, new Set(together), from)
    await journal.markClean(together)
    left = left.slice(together.length)
  }
  return canceled
}

/** Cancels the intents of operations that were made from a time on. */
async function cancelMadeAt(
  context: StripeContext,
  operations: ReadonlySet<string>,
  from: number,
): Promise<number> {
  const created = {
    gte: Math.floor((from - CLOCK_SKEW_MS) / 1000),
    lte: Math.ceil((from + WINDOW_MS + CLOCK_SKEW_MS) / 1000),
  }
  const orphans = await context.client.call('list payment intents', async (stripe, options) => {
    const found: [operation: string, id: string][] = []
    for await (const intent of stripe.paymentIntents.list({ created, limit: 100 }, options)) {
      const { operation } = intent.metadata
      if (operation !== undefined && operations.has(operation) && isUntouched(intent)) {
        found.push([operation, intent.id])
      }
    }
    return found
  })
  for (const [operation, id] of orphans) await cancelIntent(context, operation, id)
  return orphans.length
}

/** Returns the time in the key of an attempt, epoch milliseconds. */
function madeAt(operation: string): number {
  return Number(operation.split('_')[1])
}
