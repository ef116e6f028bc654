import { sql } from 'kysely'
import type { Field } from '../criteria/fields.ts'
import { parseCriteria } from '../criteria/parse.ts'
import { compileCriteria } from '../criteria/compile.ts'
import { invalid } from '../errors.ts'
import { type Dimension, DIMENSIONS } from './cells.ts'

/** Criteria that rows of counts can answer. An empty text is null. */
export const COUNT_FILTERS = Object.fromEntries(
  DIMENSIONS.map((name): [Dimension, Field] => [
    name,
    { type: 'id', column: sql`nullif(${sql.ref(`counts.${name}`)}, '')` },
  ]),
) as Record<Dimension, Field>

/** Criteria of `/checkouts` that only the sessions themselves can answer. */
const OF_SESSIONS = new Set(['id', 'payment_link', 'account', 'status', 'expires', 'updated'])

/** Parses criteria. Throws a 400 ApiError that says which fields are counted. */
export function parseCountCriteria(criteria: string | undefined) {
  const conditions = parseCriteria(criteria ?? '')
  for (const { field } of conditions) {
    if (field === 'created') throw invalid('criteria', 'created is given by from and to')
    if (OF_SESSIONS.has(field)) {
      throw invalid('criteria', `${field} is not counted; only ${DIMENSIONS.join(', ')} are`)
    }
  }
  return compileCriteria(conditions, COUNT_FILTERS)
}
