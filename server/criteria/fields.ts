import { type Expression, sql } from 'kysely'
import { ApiError } from '../errors.ts'

interface FieldColumn {
  /** A reference such as `accounts.email`, or an expression. Never user input. */
  column: string | Expression<unknown>
  /** Set for a NOT NULL column, so that an index can serve its order. */
  notNull?: true
}

export type Field = FieldColumn &
  (
    | {
        type: 'text'
        /** The column with `foldedText` of the text. Without one, the text must be ASCII. */
        lower?: string
        /** An indexed column with `foldKey` of the text, which serves equality. */
        folded?: string
      }
    /** Case-sensitive ASCII. */
    | { type: 'id' }
    /** ISO 8601 in UTC with milliseconds. */
    | { type: 'date' }
    /** 1, or 0 or null for false. */
    | { type: 'flag' }
    /** Integers in units of this many decimals, independent of the currency of the row. */
    | { type: 'amount'; decimals: number }
    /** ASCII text; the values sort the same without case. */
    | { type: 'enum'; values: readonly string[] }
  )

/** Fields by API name. Every order ends with `id`; `created` is the default. */
export interface Fields {
  id: Field & { type: 'id' }
  created: Field & { type: 'date' }
  [name: string]: Field
}

/** Throws a 400 ApiError: `Unknown criteria field x`. */
export function getField(
  fields: Readonly<Record<string, Field>>,
  name: string,
  parameter: 'criteria' | 'order',
): Field {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) throw new ApiError('INVALID_REQUEST', `Unknown ${parameter} field ${name}`)
  return field
}

/** The value of the row. An empty text counts as null. */
export function storedValue(field: Field): Expression<unknown> {
  const column = typeof field.column === 'string' ? sql.ref(field.column) : field.column
  return field.type === 'text' ? sql`nullif(${column}, '')` : column
}

/** The value by which rows are ordered and compared. */
export function sortedValue(field: Field): Expression<unknown> {
  return field.type === 'text' ? caselessValue(field) : storedValue(field)
}

/** A text or an id in lower case. */
export function caselessValue(field: Field): Expression<unknown> {
  if (field.type === 'text' && field.lower !== undefined) return sql.ref(field.lower)
  return sql`lower(${storedValue(field)})`
}
