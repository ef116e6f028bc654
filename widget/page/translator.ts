import type base from '../../locales/default.json'
import { type Strings, type StringValues, translate } from '../../shared/rules/wording.ts'

type Id = keyof typeof base
/** `status.fields_one` and `status.fields_other` are asked for as `status.fields`. */
type PluralStem<K> = K extends `${infer Stem}_one` | `${infer Stem}_other` ? Stem : never

/** Every id that the page may ask for; one that is not in the catalogue does not compile. */
export type StringId = Id | PluralStem<Id>

/** A sentence that is still to be worded, so that it can follow a change of language. */
export interface Words {
  id: StringId
  values?: StringValues
}

export type Translator = (id: StringId, values?: StringValues) => string

/** The page's `t`: words from a frozen bundle (contract section 7.1, rule 5). */
export function translator(strings: Strings, language: string): Translator {
  return (id, values) => translate(strings, language, id, values)
}

/**
 * A message id that came over the wire, if the bundle words it; else the given one. A newer
 * server may know reasons that this page does not, and a payer must never read an id.
 */
export function knownId(strings: Strings, id: string | null | undefined, instead: StringId) {
  return id != null && Object.hasOwn(strings, id) ? (id as StringId) : instead
}
