import type { CheckoutRow } from '../db/rows.ts'
import type { MillisecondsSince } from '../../shared/page-model.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { type Milestones, updateIfUnchanged } from './store.ts'

/** What only the payer's page knows of a session: how far its payer came before they paid. */

const REPORTED = ['details_done', 'method_chosen'] as const

/**
 * Returns a session's milestones with those that its page reports, each as milliseconds before
 * `now` (epoch ms). The first report of a milestone stands. None lies before the session opened:
 * a page that renews its session goes on with what was typed under the one before.
 */
export function addReportedMilestones(
  checkout: Pick<CheckoutRow, 'milestones' | 'created'>,
  since: MillisecondsSince | undefined,
  now: number,
): Milestones {
  const milestones = JSON.parse(checkout.milestones) as Milestones
  for (const name of REPORTED) {
    const ago = since?.[name]
    if (ago === undefined || milestones[name] !== undefined) continue
    milestones[name] = formatInstant(Math.max(now - ago, Date.parse(checkout.created)))
  }
  return milestones
}

/** Keeps what a page reports beside a question; an open session that changed meanwhile stays as it is. */
export async function recordReportedMilestones(
  deps: Pick<Deps, 'db' | 'now'>,
  checkout: CheckoutRow,
  since: MillisecondsSince,
): Promise<void> {
  const now = deps.now()
  const milestones = JSON.stringify(addReportedMilestones(checkout, since, now))
  const open = checkout.status === 'OPEN' && Date.parse(checkout.expires) > now
  if (!open || milestones === checkout.milestones) return
  const change = { milestones, updated: formatInstant(now) }
  await inTransaction(deps.db, (tx) => updateIfUnchanged(tx, checkout, change))
}
