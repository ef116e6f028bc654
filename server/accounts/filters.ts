import type { Fields } from '../criteria/fields.ts'

export const ACCOUNT_FILTERS: Fields = {
  id: { type: 'id', column: 'accounts.id', notNull: true },
  first_name: { type: 'text', column: 'accounts.first_name', lower: 'accounts.first_name_lower' },
  last_name: { type: 'text', column: 'accounts.last_name', lower: 'accounts.last_name_lower' },
  email: {
    type: 'text',
    column: 'accounts.email',
    lower: 'accounts.email_lower',
    folded: 'accounts.email_folded',
  },
  phone: { type: 'text', column: 'accounts.phone', lower: 'accounts.phone_lower' },
  company: { type: 'text', column: 'accounts.company', lower: 'accounts.company_lower' },
  crm_key: {
    type: 'text',
    column: 'accounts.crm_key',
    lower: 'accounts.crm_key_lower',
    folded: 'accounts.crm_key_folded',
  },
  crm: { type: 'text', column: 'accounts.crm', lower: 'accounts.crm_lower' },
  channel: { type: 'text', column: 'accounts.channel', lower: 'accounts.channel_lower' },
  division: { type: 'text', column: 'accounts.division', lower: 'accounts.division_lower' },
  tags: { type: 'text', column: 'accounts.tags', lower: 'accounts.tags_lower' },
  mail_notices: { type: 'flag', column: 'accounts.mail_notices', notNull: true },
  status: { type: 'enum', column: 'accounts.status', values: ['PENDING', 'ACTIVE', 'ARCHIVED'] },
  last_transacted: { type: 'date', column: 'accounts.last_transacted' },
  created: { type: 'date', column: 'accounts.created', notNull: true },
  updated: { type: 'date', column: 'accounts.updated', notNull: true },
}
