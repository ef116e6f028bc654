import type { Fields } from '../criteria/fields.ts'

export const VIEW_FILTERS: Fields = {
  id: { type: 'id', column: 'views.id', notNull: true },
  list: { type: 'id', column: 'views.list', notNull: true },
  created: { type: 'date', column: 'views.created', notNull: true },
}
