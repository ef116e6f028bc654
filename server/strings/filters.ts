import type { Fields } from '../criteria/fields.ts'

export const OVERRIDE_FILTERS: Fields = {
  id: { type: 'id', column: 'strings.id', notNull: true },
  language: { type: 'id', column: 'strings.language', notNull: true },
  // Keys are ASCII. Empty for the instance itself.
  branding: { type: 'text', column: 'strings.branding' },
  created: { type: 'date', column: 'strings.created', notNull: true },
  updated: { type: 'date', column: 'strings.updated', notNull: true },
}

export const ACK_FILTERS: Fields = {
  id: { type: 'id', column: 'string_acks.id', notNull: true },
  language: { type: 'id', column: 'string_acks.language', notNull: true },
  // Keys are ASCII. Empty for the instance itself.
  branding: { type: 'text', column: 'string_acks.branding' },
  created: { type: 'date', column: 'string_acks.created', notNull: true },
}

export const REVISION_FILTERS: Fields = {
  id: { type: 'id', column: 'string_revisions.id', notNull: true },
  reverts: { type: 'id', column: 'string_revisions.reverts' },
  version: { type: 'amount', decimals: 0, column: 'string_revisions.version', notNull: true },
  change_count: {
    type: 'amount',
    decimals: 0,
    column: 'string_revisions.changes',
    notNull: true,
  },
  created: { type: 'date', column: 'string_revisions.created', notNull: true },
}
