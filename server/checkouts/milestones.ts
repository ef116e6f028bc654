import type { CheckoutMilestones, CheckoutRow } from '../db/tables/checkouts.ts'
import type { MilestoneAges } from '../../shared/page-model.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { updateIfUnchanged } from './store.ts'

/** The milestones that the payer's page reports. The server records the others. */
const REPORTED = ['details_done', 'method_chosen'] as const

/**
 * Returns a session's milestones together with the reported ones, which are milliseconds before `now`
 * (epoch ms). The first report of a milestone is kept. Reports are clamped to the opening of the
 * session, because a page that renews its session keeps what was typed before.
 */
export function addReportedMilestones(
  checkout: Pick<CheckoutRow, 'milestones' | 'created'>,
  since: MilestoneAges | undefined,
  now: number,
): CheckoutMilestones {
  const milestones = JSON.parse(checkout.milestones) as CheckoutMilestones
  for (const name of REPORTED) {
    const ago = since?.[name]
    if (ago === undefined || milestones[name] !== undefined) continue
    milestones[name] = formatInstant(Math.max(now - ago, Date.parse(checkout.created)))
  }
  return milestones
}

/** Stores reported milestones, unless the session is closed or was changed concurrently. */
export async function recordReportedMilestones(
  deps: Pick<Deps, 'db' | 'now'>,
  checkout: CheckoutRow,
  since: MilestoneAges,
): Promise<void> {
  const now = deps.now()
  const milestones = JSON.stringify(addReportedMilestones(checkout, since, now))
  const open = checkout.status === 'OPEN' && Date.parse(checkout.expires) > now
  if (!open || milestones === checkout.milestones) return
  const change = { milestones, updated: formatInstant(now) }
  await inTransaction(deps.db, (tx) => updateIfUnchanged(tx, checkout, change))
}
