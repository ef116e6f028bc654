import ISO6391 from 'iso-639-1'
import type { Instance } from '../db/tables/instances.ts'
import { ApiError } from '../errors.ts'
import { brandingsOf } from '../instances/brandings.ts'
import type { StringScope } from '../../shared/rules/inherit.ts'

/** Reads a scope from a query or an item of a request. */
export function parseScope(input: {
  language?: string | null | undefined
  branding?: string | null | undefined
}): StringScope {
  return { language: input.language ?? 'default', branding: input.branding ?? '' }
}

/**
 * Throws a 400 for a language or branding that the instance cannot have. `path` is the prefix of the
 * members in the message, such as `string.`, and empty for a query.
 */
export function requireScope(
  instance: Instance,
  { language, branding }: StringScope,
  path: string,
): void {
  if (language !== 'default' && !(/^[a-z]{2}$/.test(language) && ISO6391.validate(language))) {
    throw stringsError('SVC-7003', `${path}language must be a two-letter ISO 639-1 code or default`)
  }
  if (branding !== '' && !brandingsOf(instance).some(({ key }) => key === branding)) {
    throw stringsError('SVC-7004', `${path}branding does not belong to this instance`)
  }
}

/** Returns a 400 with a code of the strings API, whose errors are flat. */
export function stringsError(code: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, { code })
}
