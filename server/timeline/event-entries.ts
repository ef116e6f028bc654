import { formatInstant } from '../../shared/rules/time.ts'
import type { TimelineEntry, TimelineKind, TimelineTitle } from '../../shared/schemas/timeline.ts'
import type { EventType } from '../events/event-types.ts'
import { type NewEntry, newEntry, ROWS_MAX, type Source } from './entry.ts'

type Data = Record<string, unknown>

interface History {
  kind: TimelineKind
  title: TimelineTitle
  tone?: TimelineEntry['tone']
  /** The members that a request changes. An event that changes none of them is not an entry. */
  members?: readonly string[]
}

const CUSTOMER = ['first_name', 'last_name', 'company', 'email', 'phone', 'address', 'metadata']
  .concat(['tags', 'locale', 'timezone', 'channel', 'division', 'crm', 'crm_key', 'status'])
  .concat(['mail_notices'])
const CONTRACT = [
  'status',
  'amount',
  'currency',
  'description',
  'payment_method',
  'frequency',
].concat(['interval', 'count', 'until', 'alt_key'])
const CHARGE = ['amount', 'currency', 'due', 'description', 'payment_method', 'alt_key']

/** The changes that no row keeps. They are known for as long as events are kept. */
const HISTORY: Partial<Record<EventType, History>> = {
  'account.created': { kind: 'account', title: 'account_created', members: [] },
  'account.updated': { kind: 'account', title: 'account_updated', members: CUSTOMER },
  'payment_method.updated': { kind: 'payment_method', title: 'payment_method_updated' },
  'contract.created': { kind: 'contract', title: 'contract_created', members: [] },
  'contract.updated': { kind: 'contract', title: 'contract_updated', members: CONTRACT },
  'contract.ended': { kind: 'contract', title: 'contract_ended' },
  'charge.created': { kind: 'charge', title: 'charge_created', members: [] },
  'charge.updated': { kind: 'charge', title: 'charge_updated', members: CHARGE },
  'charge.paid': { kind: 'charge', title: 'charge_paid', tone: 'ok' },
  'charge.payer_needed': { kind: 'charge', title: 'charge_payer_needed', tone: 'wait' },
  'charge.writtenoff': { kind: 'charge', title: 'charge_writtenoff' },
  'charge.reactivated': { kind: 'charge', title: 'charge_reactivated' },
  'payment_link.created': { kind: 'payment_link', title: 'payment_link_created', members: [] },
  'payment_link.updated': {
    kind: 'payment_link',
    title: 'payment_link_updated',
    members: ['options', 'expires', 'state'],
  },
  'payment.pending': { kind: 'payment', title: 'payment_pending', tone: 'wait' },
  'payment.unresolved': { kind: 'payment', title: 'payment_unresolved', tone: 'ask' },
  'payment.scheduled': { kind: 'payment', title: 'payment_scheduled', tone: 'news' },
  'payment.surplus': { kind: 'payment', title: 'payment_surplus', tone: 'wait' },
  'refund.pending': { kind: 'refund', title: 'refund_pending', tone: 'wait' },
  'refund.unresolved': { kind: 'refund', title: 'refund_unresolved', tone: 'ask' },
}

/**
 * What events tell and no row keeps: changes by requests, with the names of the members that changed,
 * and statuses that a payment or refund had for a while. `told` are the entries of the rows.
 */
export async function listEventEntries(
  { db, instanceId, scope }: Source,
  told: readonly NewEntry[],
): Promise<NewEntry[]> {
  const refunds = told.flatMap(({ kind, ids }) => (kind === 'refund' ? (ids['refund'] ?? []) : []))
  const about = [...scope.accounts, ...scope.payment_methods, ...scope.contracts, ...scope.charges]
    .concat(scope.payment_links, scope.payments, refunds)
    .slice(0, ROWS_MAX)
  if (about.length === 0) return []
  const events = await db
    .selectFrom('events')
    .select(['id', 'type', 'about', 'data', 'created'])
    .where('about', 'in', about)
    .where('instance_id', '=', instanceId)
    .where('type', 'in', Object.keys(HISTORY))
    .orderBy('id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  const isTold = new Set(told.map(({ title_id, kind, ids }) => `${title_id} ${ids[kind] ?? ''}`))
  const challenges = new Set(
    told.flatMap(({ title_id, at }) => (title_id === 'checkout_challenged' ? at : [])),
  )
  const before = new Map<string, Data>()
  return events.toReversed().flatMap(({ type, about: id, data, created }) => {
    const history = HISTORY[type as EventType]
    const record = recordOf(data)
    if (!history || id === null || !record) return []
    const { kind, title, tone = 'calm', members } = history
    const earlier = before.get(id)
    before.set(id, record)
    if (isTold.has(`${title} ${id}`)) return []
    if (title === 'payment_pending' && challenges.has(created)) return []
    const changed = members && earlier && changedMembers(earlier, record, members)
    // A new link has its event a moment before its first change.
    if (members && (members.length === 0 || changed?.length === 0)) return []
    // The account of a payment is written with it, and without an earlier event nothing tells them apart.
    if (members && !changed && record['last_transacted'] === created) return []
    const session = changed ? record['updated_session'] : null
    return [
      newEntry(created, kind, title, {
        tone,
        values: { ...valuesOf(kind, record), ...(changed && { changed: changed.join(', ') }) },
        ids: { [kind]: id },
        session: typeof session === 'string' ? session : null,
      }),
    ]
  })
}

function recordOf(data: string): Data | undefined {
  return Object.values(JSON.parse(data) as Record<string, Data | undefined>)[0]
}

function valuesOf(kind: TimelineKind, record: Data): Record<string, string | undefined> {
  const text = (name: string) => (typeof record[name] === 'string' ? record[name] : undefined)
  if (kind === 'contract') return { status: text('status') }
  const due = text('due')
  return {
    amount: text('amount'),
    currency: text('currency'),
    ...(due !== undefined && { due: formatInstant(Date.parse(due)) }),
  }
}

/** Returns the names of the members that differ; those of a link's `options` one by one. */
function changedMembers(before: Data, after: Data, members: readonly string[]): string[] {
  return members.flatMap((name) => {
    const [one, other] = [before[name], after[name]]
    if (JSON.stringify(one) === JSON.stringify(other)) return []
    if (name !== 'options') return [name]
    const [old, now] = [one as Data, other as Data]
    const names = new Set([...Object.keys(old), ...Object.keys(now)])
    return changedMembers(old, now, [...names])
  })
}
