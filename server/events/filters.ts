import type { Fields } from '../criteria/fields.ts'
import { EVENT_TYPES } from './event-types.ts'

export const EVENT_FILTERS: Fields = {
  id: { type: 'id', column: 'events.id', notNull: true },
  type: { type: 'enum', column: 'events.type', values: EVENT_TYPES, notNull: true },
  about: { type: 'id', column: 'events.about' },
  created: { type: 'date', column: 'events.created', notNull: true },
}
