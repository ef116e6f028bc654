import ISO6391 from 'iso-639-1'
import type { Instance } from '../db/tables/instances.ts'
import { ApiError, invalid } from '../errors.ts'
import { brandingsOf } from '../instances/brandings.ts'
import { stringIdError } from './catalog.ts'
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

/** A string that an item of a request names. */
export interface NamedString<Item> extends StringScope {
  id: string
  item: Item
}

/**
 * Reads the strings that the items of a list name. Throws a 400 for an unknown string and for one that
 * is named twice. `path` is the prefix of the items in messages, such as `string_acks.`.
 */
export function parseStrings<
  Item extends { id: string; language?: string | null; branding?: string | null },
>(instance: Instance, items: readonly Item[], path: string): NamedString<Item>[] {
  const seen = new Set<string>()
  return items.map((item, at) => {
    const scope = parseScope(item)
    requireScope(instance, scope, `${path}${at}.`)
    const { id } = item
    const idError = stringIdError(id, scope.language)
    if (idError) throw invalid(`${path}${at}.id`, idError)
    const key = `${scope.branding}\n${scope.language}\n${id}`
    if (seen.has(key)) throw invalid(`${path}${at}`, `names ${id} a second time`)
    seen.add(key)
    return { ...scope, id, item }
  })
}

/** Returns a 400 with a code of the strings API, whose errors are flat. */
export function stringsError(code: string, message: string): ApiError {
  return new ApiError('INVALID_REQUEST', message, { code })
}
