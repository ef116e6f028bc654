import type { EventRow } from '../db/tables/events.ts'
import type { Event } from '../../shared/schemas/event.ts'

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
