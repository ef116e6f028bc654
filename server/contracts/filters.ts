import type { Fields } from '../criteria/fields.ts'

export const CONTRACT_FILTERS: Fields = {
  id: { type: 'id', column: 'contracts.id', notNull: true },
  alt_key: {
    type: 'text',
    column: 'contracts.alt_key',
    lower: 'contracts.alt_key_lower',
    folded: 'contracts.alt_key_folded',
  },
  account: { type: 'id', column: 'contracts.account_id' },
  payment_method: { type: 'id', column: 'contracts.payment_method_id' },
  legal_entity: { type: 'id', column: 'contracts.legal_entity_id' },
  currency: { type: 'text', column: 'contracts.currency' },
  next_due: { type: 'date', column: 'contracts.next_due' },
  status: {
    type: 'enum',
    column: 'contracts.status',
    values: ['ACTIVE', 'PAUSED', 'ENDED', 'CANCELLED'],
  },
  created: { type: 'date', column: 'contracts.created', notNull: true },
  updated: { type: 'date', column: 'contracts.updated', notNull: true },
}
