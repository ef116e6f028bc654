import type { Context } from 'hono'
import { readBytes } from './body.ts'
import { ApiError, invalid } from '../errors.ts'

export type Form = ReadonlyMap<string, string>

const FORM_BYTES_MAX = 64_000

/**
 * Reads a body of the type `application/x-www-form-urlencoded`. Throws a 400 ApiError for another
 * type, for more than 64 kB, and for a repeated field, which would be ambiguous.
 */
export async function readForm(c: Context): Promise<Form> {
  const type = c.req.header('content-type') ?? ''
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) {
    throw invalid('Content-Type', 'must be application/x-www-form-urlencoded')
  }
  const bytes = await readBytes(c, FORM_BYTES_MAX)
  return uniqueFields(new URLSearchParams(bytes.toString('utf8')))
}

/** Throws a 400 ApiError for a repeated name. */
function uniqueFields(pairs: Iterable<[string, string]>): Form {
  const fields = new Map<string, string>()
  for (const [name, value] of pairs) {
    if (fields.has(name)) {
      throw new ApiError('INVALID_REQUEST', 'a parameter must not be repeated')
    }
    fields.set(name, value)
  }
  return fields
}
