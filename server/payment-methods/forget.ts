import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { PaymentMethodRow, TokenToForgetRow } from '../db/tables/payment-methods.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { withTimeout } from '../timeout.ts'

/** How processors forget the tokens of methods that were removed or stored again. */

const BATCH = 20
/** A call that charges the method may still be under way; none lasts so long. */
const FIRST_TRY_MS = 5 * 60_000
/** Milliseconds between calls that fail. The last delay repeats. */
const RETRY_DELAYS = [60_000, 600_000, 3_600_000, 6 * 3_600_000, 24 * 3_600_000]
const WARN_AFTER_MS = 24 * 3_600_000

/** Notes in the transaction that gives up a token that its processor must forget it. */
export async function forgetLater(tx: Tx, method: Token): Promise<void> {
  await tx
    .insertInto('tokens_to_forget')
    .values({
      ...keyOf(method),
      tries: 0,
      // The job sets them by the real clock, which a test clock may be ahead of.
      first_try: null,
      next_try: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

type Token = Pick<PaymentMethodRow, 'instance_id' | 'processor' | 'processor_token'>

/**
 * Has the processors forget the tokens that are due, and retries those that fail until they succeed.
 * Several processes may run this at once: one statement claims each token for one of them. Returns the
 * number of tokens that are forgotten.
 */
export async function forgetDue(deps: Deps): Promise<number> {
  const now = deps.realNow()
  const first = formatInstant(now + FIRST_TRY_MS)
  await deps.db
    .updateTable('tokens_to_forget')
    .set({ first_try: first, next_try: first })
    .where('next_try', 'is', null)
    .execute()
  const due = await deps.db
    .selectFrom('tokens_to_forget')
    .selectAll()
    .where('next_try', '<=', formatInstant(now))
    .orderBy('next_try')
    .limit(BATCH)
    .execute()
  const forgotten = await Promise.all(due.map((row) => forgetOrRetry(deps, row, now)))
  return forgotten.filter(Boolean).length
}

async function forgetOrRetry(deps: Deps, row: TokenToForgetRow, now: number): Promise<boolean> {
  try {
    if (!(await claim(deps, row, now))) return false
    await forget(deps, row)
    await deps.db
      .deleteFrom('tokens_to_forget')
      .where((eb) => eb.and(keyOf(row)))
      .execute()
    return true
  } catch (error) {
    const waited = now - Date.parse(row.first_try ?? formatInstant(now))
    const level = waited < WARN_AFTER_MS ? 'warn' : 'error'
    const { processor, instance_id: instance } = row
    deps.log[level]({ err: error, processor, instance }, 'a removed method is not forgotten yet')
    return false
  }
}

function keyOf({ instance_id, processor, processor_token }: Token): Token {
  return { instance_id, processor, processor_token }
}

/** Plans the next try before the present one, so that a process which dies loses none. */
async function claim({ db }: Deps, row: TokenToForgetRow, now: number): Promise<boolean> {
  const delay = RETRY_DELAYS[Math.min(row.tries, RETRY_DELAYS.length - 1)] as number
  const claimed = await inTransaction(db, (tx) =>
    tx
      .updateTable('tokens_to_forget')
      .set({ tries: sql<number>`tries + 1`, next_try: formatInstant(now + delay) })
      .where((eb) => eb.and(keyOf(row)))
      .where('next_try', '=', row.next_try)
      .returning('tries')
      .executeTakeFirst(),
  )
  return claimed !== undefined
}

async function forget(deps: Deps, row: TokenToForgetRow): Promise<void> {
  const isStoredAgain = await deps.db
    .selectFrom('payment_methods')
    .select('id')
    .where('processor', '=', row.processor)
    .where('processor_token', '=', row.processor_token)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()
  if (isStoredAgain) return
  const processor = await deps.processors.get(row)
  if (!processor) throw new Error('The processor is not configured')
  const call = processor.forget?.(row.processor_token)
  await withTimeout(
    Promise.resolve(call),
    deps.config.processorTimeoutMs,
    () => new Error('no response in time'),
  )
}
