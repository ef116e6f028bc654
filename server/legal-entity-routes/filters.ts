import type { Fields } from '../criteria/fields.ts'

export const ROUTE_FILTERS: Fields = {
  id: { type: 'id', column: 'legal_entity_routes.id', notNull: true },
  position: { type: 'amount', decimals: 0, column: 'legal_entity_routes.position', notNull: true },
  legal_entity: { type: 'id', column: 'legal_entity_routes.legal_entity_id', notNull: true },
  processor: { type: 'id', column: 'legal_entity_routes.processor_id' },
  enabled: { type: 'flag', column: 'legal_entity_routes.enabled' },
  created: { type: 'date', column: 'legal_entity_routes.created', notNull: true },
  updated: { type: 'date', column: 'legal_entity_routes.updated', notNull: true },
}
