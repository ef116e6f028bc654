import { containsCardNumber } from './card-in-text.ts'
import { findBaseText, namesLegalEntity, otherFormId } from './string-ids.ts'
import type { Strings } from './wording.ts'

/** The maximum length of a string, in UTF-16 code units. */
export const WORDING_LENGTH_MAX = 20_000

/** The rule that a text breaks. */
export type WordingProblem =
  | { rule: 'LENGTH' | 'CHARACTERS' | 'CARD_NUMBER' | 'PRIVATE_USE' | 'BRACES' }
  /** `name` is the unknown placeholder, `allowed` those that the id may use; all without braces. */
  | { rule: 'PLACEHOLDER'; name: string; allowed: readonly string[] }

/**
 * Returns the first rule that a text breaks as the wording of an id, or null. The server and the editor
 * use the same function. `base` is the shipped English catalog.
 */
export function wordingProblem(base: Strings, id: string, text: string): WordingProblem | null {
  if (text.length > WORDING_LENGTH_MAX) return { rule: 'LENGTH' }
  if (text.includes('\0') || !text.isWellFormed()) return { rule: 'CHARACTERS' }
  if (containsCardNumber(text)) return { rule: 'CARD_NUMBER' }
  if (PRIVATE_USE.test(text)) return { rule: 'PRIVATE_USE' }
  if (!/[{}]/.test(text)) return null
  const allowed = placeholdersOf(base, id)
  const name = placeholders(text).find((each) => !allowed.includes(each))
  if (name !== undefined) return { rule: 'PLACEHOLDER', name, allowed }
  return /[{}]/.test(text.replace(PLACEHOLDER, '')) ? { rule: 'BRACES' } : null
}

/** Returns the names of the placeholders that the wording of an id may use. */
export function placeholdersOf(base: Strings, id: string): readonly string[] {
  // All forms of a plural get the same values, although "every day" has no need of the count.
  const texts = [id, otherFormId(base, id) ?? id].map((each) => findBaseText(base, each) ?? '')
  const names = texts.flatMap(placeholders)
  return [...new Set([...names, ...(namesLegalEntity(id) ? LEGAL_PLACEHOLDERS : [])])]
}

/** What every receipt and consent may name, although the shipped texts do not. */
const LEGAL_PLACEHOLDERS = ['legal_name', 'vat']

/** The editor marks sentences with these characters, which no font defines. */
const PRIVATE_USE = /[\ue000-\uf8ff]/

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g

/** Returns the names of the placeholders of a text, in their order, with repeats. */
export function placeholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => match[1] as string)
}
