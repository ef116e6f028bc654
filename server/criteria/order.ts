import { type RawBuilder, sql } from 'kysely'
import { invalid } from '../errors.ts'
import { type Field, fieldOf, type Fields, sortedValue } from './fields.ts'

export interface OrderKey {
  field: string
  direction: 'asc' | 'desc'
}

/**
 * Reads `due:desc,created`; without a text, or with an empty one, the newest come first. Throws a
 * 400 ApiError for what is no field name with a direction (contract section 15.2).
 */
export function parseOrder(text: string | undefined): OrderKey[] {
  if (text === undefined || text.trim() === '') return [{ field: 'created', direction: 'desc' }]
  const keys = text.split(',').map((part) => parseKey(part.trim()))
  const names = keys.map((key) => key.field)
  const seen = new Set<string>()
  const twice = names.find((name) => seen.has(name) || !seen.add(name))
  if (twice !== undefined) throw invalid('order', `names ${twice} twice`)
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
 * The keys as one expression for `orderBy`. Nulls come last both ways, and equal rows stand in the
 * order of their id, so that a page never repeats or skips one. Throws a 400 ApiError for an
 * unknown field (contract section 15.2).
 */
export function compileOrder(keys: readonly OrderKey[], fields: Fields): RawBuilder<unknown> {
  const last = keys.at(-1)?.direction ?? 'asc'
  const isUnique = keys.some((key) => key.field === 'id')
  const complete = isUnique ? keys : [...keys, { field: 'id', direction: last }]
  const items = complete.map((key) => item(fieldOf(fields, key.field, 'order'), key.direction))
  return sql`${sql.join(items)}`
}

function item(field: Field, direction: string): RawBuilder<unknown> {
  const by = direction === 'desc' ? sql`desc` : sql`asc`
  // Left unsaid where there are none, since no index is kept with nulls at that end.
  const nulls = field.notNull ? sql`` : sql` nulls last`
  return sql`${sortedValue(field)} ${by}${nulls}`
}
