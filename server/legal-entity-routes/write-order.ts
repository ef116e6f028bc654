import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { LegalEntityRouteRow } from '../db/tables/legal-entities.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializeRoute } from './serialize.ts'
import { listAllRoutes } from './store.ts'

interface Change {
  instanceId: string
  /** Id of the caller's session. */
  by: string
  /** Epoch milliseconds. */
  now: number
}

/**
 * Makes the routes of an instance be `after`, in that order, and records one event with all of them.
 * The caller has locked the instance's entities. Rows that stay as they are keep their version.
 */
export async function writeOrder(
  tx: Tx,
  after: readonly LegalEntityRouteRow[],
  { instanceId, by, now }: Change,
): Promise<LegalEntityRouteRow[]> {
  const before = new Map((await listAllRoutes(tx, instanceId)).map((row) => [row.id, row]))
  const written = after.map((row, at) => {
    const next = { ...row, position: at + 1 }
    const stored = before.get(row.id)
    if (stored === undefined || isSame(stored, next)) return next
    return { ...next, v: stored.v + 1, updated: formatInstant(now), updated_session: by }
  })
  const kept = new Set(written.map(({ id }) => id))
  const removed = [...before.keys()].filter((id) => !kept.has(id))
  const changed = written.filter((row) => row.v !== before.get(row.id)?.v)
  if (removed.length === 0 && changed.length === 0) return written
  if (removed.length > 0) {
    await tx.deleteFrom('legal_entity_routes').where('id', 'in', removed).execute()
  }
  // Positions are unique at every moment, so those that change leave their places first.
  await tx
    .updateTable('legal_entity_routes')
    .set({ position: sql<number>`-position` })
    .where('instance_id', '=', instanceId)
    .where('id', 'in', changed.map(({ id }) => id).concat(''))
    .execute()
  for (const row of changed) {
    await (before.has(row.id) ? update(tx, row) : insert(tx, row))
  }
  const data = { legal_entity_routes: written.map(serializeRoute) }
  await recordEvent(tx, { instanceId, type: 'legal_entity_route.updated', data, now })
  return written
}

function isSame(a: LegalEntityRouteRow, b: LegalEntityRouteRow): boolean {
  const columns = ['position', 'legal_entity_id', 'conditions', 'processor_id'] as const
  return (
    columns.every((column) => a[column] === b[column]) &&
    a.enabled === b.enabled &&
    a.description === b.description
  )
}

async function insert(tx: Tx, row: LegalEntityRouteRow): Promise<void> {
  await tx.insertInto('legal_entity_routes').values(row).execute()
}

async function update(tx: Tx, { id, ...columns }: LegalEntityRouteRow): Promise<void> {
  await tx.updateTable('legal_entity_routes').set(columns).where('id', '=', id).execute()
}
