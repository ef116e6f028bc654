import { type Expression, sql } from 'kysely'
import { ApiError } from '../errors.ts'

/** What a resource declares about each field by which its list can be filtered and ordered. */

interface Declared {
  /** A reference such as `accounts.email`, or an expression. Never anything that was sent to us. */
  column: string | Expression<unknown>
  /** The column refuses nulls, so that an index may serve the order as it stands. */
  notNull?: true
}

export type Field = Declared &
  (
    | {
        type: 'text'
        /**
         * The column that holds what `foldedText` makes of the text. Without one the text is ASCII
         * by its own rule, which both databases fold alike.
         */
        lower?: string
        /**
         * A column with an index that holds what `foldKey` makes of the text, where there is one.
         * Equality looks there first, since no index knows a text without its case.
         */
        folded?: string
      }
    /** Exact in every letter, and ASCII. */
    | { type: 'id' }
    /** ISO 8601 in UTC with milliseconds. */
    | { type: 'date' }
    /** 1, 0, or null for false. */
    | { type: 'flag' }
    /**
     * Whole numbers that count units of this many decimals, whatever the currency of the row: 4
     * for a column in ten-thousandths, of which no currency is finer.
     */
    | { type: 'amount'; decimals: number }
    /** ASCII text that is one of these and nothing else; their order is the same without case. */
    | { type: 'enum'; values: readonly string[] }
  )

/** By the name that the interface uses. `id` ends every order, and `created` is the default one. */
export interface Fields {
  id: Field & { type: 'id' }
  created: Field & { type: 'date' }
  [name: string]: Field
}

/** The field of that name, or a 400 ApiError: `Unknown criteria field x` (contract 15.1). */
export function fieldOf(fields: Fields, name: string, parameter: 'criteria' | 'order'): Field {
  // Names such as `constructor` are members of every object, and fields of none.
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!field) throw new ApiError('INVALID_REQUEST', `Unknown ${parameter} field ${name}`)
  return field
}

/** What the row holds, where an empty text is as absent as null (contract section 15.1). */
export function storedValue(field: Field): Expression<unknown> {
  const column = typeof field.column === 'string' ? sql.ref(field.column) : field.column
  return field.type === 'text' ? sql`nullif(${column}, '')` : column
}

/** What decides which of two rows comes first, and on which side of a bound one lies. */
export function sortedValue(field: Field): Expression<unknown> {
  return field.type === 'text' ? caselessValue(field) : storedValue(field)
}

/** A text or an id without its case. */
export function caselessValue(field: Field): Expression<unknown> {
  if (field.type === 'text' && field.lower !== undefined) return sql.ref(field.lower)
  return sql`lower(${storedValue(field)})`
}
