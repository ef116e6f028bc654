import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../errors.ts'
import { type Field, getField, type Fields, sortedValue } from './fields.ts'

export interface OrderKey {
  field: string
  direction: 'asc' | 'desc'
}

/** Parses `due:desc,created`. The default is newest first. Throws a 400 ApiError. */
export function parseOrder(text: string | undefined): OrderKey[] {
  if (text === undefined || text.trim() === '') return [{ field: 'created', direction: 'desc' }]
  const keys = text.split(',').map((part) => parseKey(part.trim()))
  const names = keys.map((key) => key.field)
  const seen = new Set<string>()
  const repeated = names.find((name) => seen.has(name) || !seen.add(name))
  if (repeated !== undefined) throw invalid('order', `names ${repeated} twice`)
  return keys
}

function parseKey(text: string): OrderKey {
  const [field = '', direction = 'asc', ...rest] = text.split(':')
  if (field === '') throw invalid('order', 'has a key without a field')
  if ((direction !== 'asc' && direction !== 'desc') || rest.length > 0) {
    throw invalid('order', `must be ${field}, ${field}:asc or ${field}:desc`)
  }
  return { field, direction }
}

/**
 * Returns an expression for `orderBy`. Nulls come last in both directions, and `id` breaks ties, so
 * that pages neither repeat nor skip rows. Throws a 400 ApiError for an unknown field.
 */
export function compileOrder(keys: readonly OrderKey[], fields: Fields): RawBuilder<unknown> {
  const last = keys.at(-1)?.direction ?? 'asc'
  const isUnique = keys.some((key) => key.field === 'id')
  const complete = isUnique ? keys : [...keys, { field: 'id', direction: last }]
  const items = complete.map((key) => item(getField(fields, key.field, 'order'), key.direction))
  return sql`${sql.join(items)}`
}

function item(field: Field, direction: string): RawBuilder<unknown> {
  const by = direction === 'desc' ? sql`desc` : sql`asc`
  // Omitted for NOT NULL columns: no index has this order of nulls.
  const nulls = field.notNull ? sql`` : sql` nulls last`
  return sql`${sortedValue(field)} ${by}${nulls}`
}
