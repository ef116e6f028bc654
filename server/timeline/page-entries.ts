import type { CheckoutMilestones } from '../db/tables/checkouts.ts'
import { type NewEntry, newEntry, type Source } from './entry.ts'

/** What payers did on the page, and the life of its links. */
export async function listPageEntries(source: Source): Promise<NewEntry[]> {
  return [...(await linkEntries(source)), ...(await checkoutEntries(source))]
}

async function linkEntries({ db, instanceId, scope, now }: Source): Promise<NewEntry[]> {
  if (scope.payment_links.length === 0) return []
  const links = await db
    .selectFrom('payment_links')
    .select(['id', 'status', 'expires', 'archived', 'created', 'deep_link_id'])
    .where('id', 'in', scope.payment_links)
    .where('instance_id', '=', instanceId)
    .orderBy('id')
    .execute()
  return links.flatMap((link) => {
    const ids = { payment_link: link.id, deep_link: link.deep_link_id }
    const isExpired = link.status === 'ACTIVE' && link.expires !== null && link.expires <= now
    return [
      newEntry(link.created, 'payment_link', 'payment_link_created', { ids }),
      ...(isExpired && link.expires !== null
        ? [newEntry(link.expires, 'payment_link', 'payment_link_expired', { tone: 'wait', ids })]
        : []),
      ...(link.archived === null
        ? []
        : [newEntry(link.archived, 'payment_link', 'payment_link_archived', { ids })]),
    ]
  })
}

/** The steps of a session that only its own timeline has; elsewhere they are many and say little. */
const STEPS = ['details_done', 'method_chosen'] as const

async function checkoutEntries({ db, instanceId, scope, now }: Source): Promise<NewEntry[]> {
  if (scope.checkouts.length === 0) return []
  const checkouts = await db
    .selectFrom('checkouts')
    .select(['id', 'status', 'language', 'embedded_origin', 'milestones'])
    .select(['expires', 'created', 'updated'])
    .where('id', 'in', scope.checkouts)
    .where('instance_id', '=', instanceId)
    .orderBy('id')
    .execute()
  return checkouts.flatMap((checkout) => {
    const ids = { checkout: checkout.id }
    const milestones = JSON.parse(checkout.milestones) as CheckoutMilestones
    const values = { language: checkout.language, origin: checkout.embedded_origin }
    const entries = [newEntry(checkout.created, 'checkout', 'checkout_opened', { values, ids })]
    const steps = scope.root.kind === 'checkout' ? STEPS : []
    for (const step of steps) {
      const at = milestones[step]
      if (at !== undefined) entries.push(newEntry(at, 'checkout', `checkout_${step}`, { ids }))
    }
    const { challenged } = milestones
    if (challenged !== undefined) {
      entries.push(newEntry(challenged, 'checkout', 'checkout_challenged', { ids }))
    }
    const hasEnded = checkout.status === 'ABANDONED' || checkout.status === 'EXPIRED'
    if (hasEnded || (checkout.status === 'OPEN' && checkout.expires <= now)) {
      // A session ends early with its link.
      const isEarly = hasEnded && checkout.updated < checkout.expires
      const at = isEarly ? checkout.updated : checkout.expires
      const title = checkout.milestones === '{}' ? 'checkout_expired' : 'checkout_abandoned'
      entries.push(newEntry(at, 'checkout', title, { ids }))
    }
    return entries
  })
}
