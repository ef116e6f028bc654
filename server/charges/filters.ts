import type { Fields } from '../criteria/fields.ts'

export const CHARGE_FILTERS: Fields = {
  id: { type: 'id', column: 'charges.id', notNull: true },
  alt_key: {
    type: 'text',
    column: 'charges.alt_key',
    lower: 'charges.alt_key_lower',
    folded: 'charges.alt_key_folded',
  },
  account: { type: 'id', column: 'charges.account_id' },
  contract: { type: 'id', column: 'charges.contract_id' },
  legal_entity: { type: 'id', column: 'charges.legal_entity_id' },
  currency: { type: 'text', column: 'charges.currency' },
  due: { type: 'date', column: 'charges.due' },
  outstanding_amount: { type: 'amount', column: 'charges.outstanding_e4', decimals: 4 },
  attempts: { type: 'amount', column: 'charges.attempts', decimals: 0, notNull: true },
  recurring: { type: 'flag', column: 'charges.recurring' },
  status: {
    type: 'enum',
    column: 'charges.status',
    values: ['ACTIVE', 'WRITTENOFF', 'PAID', 'CANCELLED'],
  },
  created: { type: 'date', column: 'charges.created', notNull: true },
  updated: { type: 'date', column: 'charges.updated', notNull: true },
}
