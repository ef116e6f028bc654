import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializeLegalEntity } from './serialize.ts'

/** Records an event with the entity as it is now. `now` is epoch milliseconds. */
export async function recordEntityEvent(
  tx: Tx,
  type: Extract<EventType, `legal_entity.${string}`>,
  row: LegalEntityRow,
  now: number,
): Promise<void> {
  const data = { legal_entity: serializeLegalEntity(row) }
  await recordEvent(tx, { instanceId: row.instance_id, type, data, now })
}
