import * as ids from '../../shared/rules/string-ids.ts'
import {
  WORDING_LENGTH_MAX,
  type WordingProblem,
  wordingProblem,
} from '../../shared/rules/wording-problem.ts'
import { NO_CARD_NUMBER } from '../../shared/schemas/common.ts'
import { DEFAULT_CATALOG, stringNotes } from './default-catalog.ts'

/** The rules for ids and texts, applied to the shipped catalog. */

const BASE = DEFAULT_CATALOG['default'] ?? {}

/** Returns why an id cannot be overridden in a language, or null when it can. */
export function stringIdError(id: string, language: string): string | null {
  return ids.stringIdError(BASE, id, language)
}

/** Returns the ids that can be overridden in a language, with that language's plural forms. */
export function listIds(language: string): string[] {
  return ids.listIds(BASE, language)
}

/** Returns the id of the `_other` form that a plural form falls back to. */
export function otherFormId(id: string): string | undefined {
  return ids.otherFormId(BASE, id)
}

/** Returns what a string is for, in English, for translators. */
export function noteOf(id: string): string {
  return stringNotes()[ids.stringStem(BASE, id)] ?? ''
}

/** Returns why a text is invalid for an id, or null. */
export function stringTextError(id: string, text: string): string | null {
  const problem = wordingProblem(BASE, id, text)
  return problem && describe(problem)
}

function describe(problem: WordingProblem): string {
  switch (problem.rule) {
    case 'LENGTH':
      return `must have at most ${WORDING_LENGTH_MAX} characters`
    case 'CHARACTERS':
      return 'must not contain the NUL character or a lone surrogate'
    case 'CARD_NUMBER':
      return NO_CARD_NUMBER.error
    case 'PRIVATE_USE':
      return 'must not contain private-use characters (U+E000 to U+F8FF)'
    case 'BRACES':
      return 'has braces that do not belong together'
    case 'PLACEHOLDER': {
      const names = problem.allowed.map((name) => `{${name}}`).join(', ') || 'none'
      return `uses the unknown placeholder {${problem.name}}; it may use: ${names}`
    }
  }
}
