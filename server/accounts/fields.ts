import type { Fields } from '../criteria/fields.ts'

/** By which a list of accounts can be filtered and ordered (specification: criteria fields). */
export const ACCOUNT_FIELDS: Fields = {
  id: { type: 'id', column: 'accounts.id', notNull: true },
  first_name: { type: 'text', column: 'accounts.first_name' },
  last_name: { type: 'text', column: 'accounts.last_name' },
  email: { type: 'text', column: 'accounts.email', folded: 'accounts.email_folded' },
  phone: { type: 'text', column: 'accounts.phone' },
  company: { type: 'text', column: 'accounts.company' },
  crm_key: { type: 'text', column: 'accounts.crm_key', folded: 'accounts.crm_key_folded' },
  crm: { type: 'text', column: 'accounts.crm' },
  channel: { type: 'text', column: 'accounts.channel' },
  division: { type: 'text', column: 'accounts.division' },
  tags: { type: 'text', column: 'accounts.tags' },
  status: { type: 'enum', column: 'accounts.status', values: ['PENDING', 'ACTIVE', 'ARCHIVED'] },
  last_transacted: { type: 'date', column: 'accounts.last_transacted' },
  created: { type: 'date', column: 'accounts.created', notNull: true },
  updated: { type: 'date', column: 'accounts.updated', notNull: true },
}
