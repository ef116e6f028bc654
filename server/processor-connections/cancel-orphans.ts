import type { Deps } from '../deps.ts'

/**
 * Has the processors cancel what operations have left there that were canceled here before they began.
 * Several processes may run this at once: to cancel twice changes nothing. Returns how many were canceled.
 */
export async function cancelOrphans({
  db,
  processors,
  log,
}: Pick<Deps, 'db' | 'processors' | 'log'>): Promise<number> {
  const connections = await db
    .selectFrom('processor_connections')
    .select(['id', 'instance_id'])
    .where('status', '=', 'ACTIVE')
    .execute()
  let canceled = 0
  for (const { id, instance_id } of connections) {
    try {
      const processor = await processors.get({ processor: id, instance_id })
      canceled += (await processor?.cancelOrphans?.()) ?? 0
    } catch (error) {
      log.warn({ err: error, processor: id }, 'orphans at a processor were not canceled')
    }
  }
  return canceled
}
