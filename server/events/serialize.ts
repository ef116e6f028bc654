import type { EventRow } from '../db/rows.ts'
import type { Event } from '../../shared/schemas/event.ts'

/** The event as webhooks carry it and the API shows it (contract section 16). */
export function serializeEvent(
  row: Pick<EventRow, 'id' | 'type' | 'created' | 'data'>,
  instanceKey: string,
): Event {
  return {
    id: row.id,
    type: row.type,
    created: row.created,
    instance: instanceKey,
    v: 1,
    data: JSON.parse(row.data) as Event['data'],
  }
}
