import { type NewEntry, newEntry, ROWS_MAX, type Source } from './entry.ts'

const TITLES = {
  DELIVERED: ['delivery_delivered', 'ok'],
  FAILED: ['delivery_failed', 'bad'],
  WAITING: ['delivery_waiting', 'wait'],
} as const

/** Who was told of the record itself and of the refunds in `told`. */
export async function listDeliveryEntries(
  { db, instanceId, scope }: Source,
  told: readonly NewEntry[],
): Promise<NewEntry[]> {
  const refunds = told.flatMap(({ kind, ids }) =>
    kind === 'refund' && ids['payment'] === scope.root.id ? (ids['refund'] ?? []) : [],
  )
  const rows = await db
    .selectFrom('events')
    .innerJoin('deliveries', 'deliveries.event_id', 'events.id')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpoint_id')
    .select(['deliveries.id', 'deliveries.event_id', 'deliveries.endpoint_id', 'events.type'])
    .select(['deliveries.status', 'deliveries.attempts', 'deliveries.response_status'])
    .select(['deliveries.error', 'deliveries.delivered', 'deliveries.last_attempt'])
    .select(['deliveries.created', 'webhook_endpoints.url'])
    .where('events.about', 'in', [scope.root.id, ...refunds])
    .where('events.instance_id', '=', instanceId)
    .where('deliveries.instance_id', '=', instanceId)
    .orderBy('events.id', 'desc')
    .orderBy('deliveries.id', 'desc')
    .limit(ROWS_MAX)
    .execute()
  return rows.map((row) => {
    const [title, tone] = TITLES[row.status]
    const { type, url, attempts, error, response_status } = row
    const values = { type, url: withoutQuery(url), attempts, error, response_status }
    const ids = { delivery: row.id, event: row.event_id, instance_webhook: row.endpoint_id }
    return newEntry(row.delivered ?? row.last_attempt ?? row.created, 'delivery', title, {
      tone,
      values,
      ids,
    })
  })
}

/** A query may hold a secret of the receiver. */
function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url)
  return origin + pathname
}
