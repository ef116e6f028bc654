import { formatInstant } from '../../shared/rules/time.ts'
import { lockCharge } from '../charges/store.ts'
import { literal } from '../db/partial-index.ts'
import type { Db } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { onTestClock } from '../instances/test-clock-store.ts'
import { syncScheduledPayment } from './schedule-payment.ts'

const BATCH = 20

/**
 * Cancels scheduled payments that are due although their charge will not be collected. Every change
 * of a charge cancels its payment at once; this finds what older releases and restored backups left.
 * With `moved`, only those of the instance with that id, whose test clock was moved.
 */
export async function cancelScheduled(deps: Deps, moved: string | undefined): Promise<void> {
  const now = deps.now()
  let after = ''
  for (;;) {
    const idle = await listIdle(deps.db, { now: formatInstant(now), after, moved })
    for (const payment of idle) await tryToCancel(deps, payment, now)
    if (idle.length < BATCH) return
    // A payment that failed is skipped until the next round.
    after = idle.at(-1)?.id ?? ''
  }
}

/** Returns one batch in the order of ids, after the id `after`. */
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
    .where(onTestClock('payments.instance_id', moved))
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
    // The charge may have changed since the payment was listed, so it is read again under its lock.
    await inTransaction(deps.db, async (tx) =>
      syncScheduledPayment(tx, await lockCharge(tx, charge), now),
    )
  } catch (error) {
    deps.log.error({ err: error, payment: id }, 'scheduled payment was not cancelled')
  }
}
