import type { Fields } from '../criteria/fields.ts'

export const LEGAL_ENTITY_FILTERS: Fields = {
  id: { type: 'id', column: 'legal_entities.id', notNull: true },
  alt_key: {
    type: 'text',
    column: 'legal_entities.alt_key',
    lower: 'legal_entities.alt_key_lower',
    folded: 'legal_entities.alt_key_folded',
  },
  name: { type: 'text', column: 'legal_entities.name', lower: 'legal_entities.name_lower' },
  legal_name: {
    type: 'text',
    column: 'legal_entities.legal_name',
    lower: 'legal_entities.legal_name_lower',
  },
  type: {
    type: 'enum',
    column: 'legal_entities.type',
    values: ['ORGANISATION', 'SOLE_TRADER', 'INDIVIDUAL'],
    notNull: true,
  },
  country: { type: 'text', column: 'legal_entities.country' },
  default: { type: 'flag', column: 'legal_entities.is_default' },
  status: {
    type: 'enum',
    column: 'legal_entities.status',
    values: ['ACTIVE', 'ARCHIVED'],
    notNull: true,
  },
  created: { type: 'date', column: 'legal_entities.created', notNull: true },
  updated: { type: 'date', column: 'legal_entities.updated', notNull: true },
}
