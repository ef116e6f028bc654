import type { Fields } from '../criteria/fields.ts'
import { ADAPTERS } from '../processors/adapters.ts'

export const PROCESSOR_FILTERS: Fields = {
  id: { type: 'id', column: 'processor_connections.id', notNull: true },
  name: {
    type: 'enum',
    column: 'processor_connections.name',
    values: Object.keys(ADAPTERS),
    notNull: true,
  },
  status: {
    type: 'enum',
    column: 'processor_connections.status',
    values: ['ACTIVE', 'BROKEN', 'DISABLED'],
    notNull: true,
  },
  account: { type: 'id', column: 'processor_connections.account' },
  created: { type: 'date', column: 'processor_connections.created', notNull: true },
  updated: { type: 'date', column: 'processor_connections.updated', notNull: true },
}
