import type { StringId } from '../../shared/string-id.ts'
import { type Strings, type StringValues, translate } from '../../shared/rules/wording.ts'

export type { StringId } from '../../shared/string-id.ts'

/** A string id with its values, kept untranslated so that it follows a change of language. */
export interface MessageDescriptor {
  id: StringId
  values?: StringValues
}

export type Translator = (message: StringId | MessageDescriptor, values?: StringValues) => string

export function translatorFor(strings: Strings, language: string): Translator {
  return (message, values) =>
    typeof message === 'string'
      ? translate(strings, language, message, values)
      : translate(strings, language, message.id, message.values)
}

/**
 * Returns `id` if the page has a string for it, else `fallback`. A newer server may send ids that
 * this page does not have.
 */
export function knownId(strings: Strings, id: string | null | undefined, fallback: StringId) {
  return id != null && Object.hasOwn(strings, id) ? (id as StringId) : fallback
}
