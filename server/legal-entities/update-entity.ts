import { formatInstant } from '../../shared/rules/time.ts'
import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import type { Tx } from '../db/tables.ts'
import { contentVersion } from './content.ts'
import { recordEntityEvent } from './events.ts'
import { insertVersion } from './store.ts'

/**
 * Writes the next version of an entity, whose instance's entities the caller has locked, and records
 * the event. Returns the row as it is now.
 */
export async function updateEntityAndRecord(
  tx: Tx,
  before: LegalEntityRow,
  change: Partial<LegalEntityRow>,
  { by, now }: { by: string; now: number },
): Promise<LegalEntityRow> {
  const changed = {
    ...before,
    ...change,
    updated_session: by,
    updated: formatInstant(now),
    v: before.v + 1,
  }
  const after = { ...changed, version: contentVersion(changed).key }
  const { id, instance_id: _, ...columns } = after
  await tx.updateTable('legal_entities').set(columns).where('id', '=', id).execute()
  if (after.version !== before.version) await insertVersion(tx, after, now)
  const isArchived = after.status !== before.status
  await recordEntityEvent(
    tx,
    isArchived ? 'legal_entity.archived' : 'legal_entity.updated',
    after,
    now,
  )
  return after
}
