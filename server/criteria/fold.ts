import { sql } from 'kysely'
import type { Expression, RawBuilder } from 'kysely'

/**
 * A text without its case, the same on both databases. `lower` alone is not: on one of them it
 * looks at a sigma's neighbours, so that the end of a word never equals its middle, and turns the
 * Turkish İ into two characters. Both sides of a comparison go through it (contract 15.1).
 */
export function fold(text: Expression<unknown>): RawBuilder<string> {
  return sql`replace(lower(replace(${text}, '\u0130', 'i')), '\u03c2', '\u03c3')`
}
