import { SHIPPED } from './shipped.ts'

/** Which strings exist: the ids of the base wording, their sets and their placeholders. */

/** The sets of the catalogue. An id begins with its set and a dot. */
export const SETS = [
  'checkout',
  'details',
  'methods',
  'card',
  'consent',
  'receipt',
  'errors',
  'status',
  'email',
  'a11y',
  'sign_in',
  'authorize',
] as const

/** What a merchant reads about the server itself, in our words and on no payer's page. */
const NOT_FOR_PAYERS = new Set(['sign_in', 'authorize'])

const BASE = SHIPPED['default'] ?? {}
const PLURAL = /_(zero|one|two|few|many|other)$/

/** The set of an id: what stands before its first dot. */
export function setOf(id: string): string {
  return id.split('.', 1)[0] ?? ''
}

/** Whether the wording of an id can ever stand on a payer's page. */
export function isForPayers(id: string): boolean {
  return !NOT_FOR_PAYERS.has(setOf(id))
}

/**
 * The base wording that an id is a form of, or undefined when there is no such id. A counted
 * sentence may have forms that English does not need, such as the Polish `_few`.
 */
export function baseOf(id: string): string | undefined {
  if (Object.hasOwn(BASE, id)) return BASE[id]
  const stem = id.replace(PLURAL, '')
  return stem !== id && Object.hasOwn(BASE, `${stem}_other`) ? BASE[`${stem}_other`] : undefined
}

/** What is wrong with a wording for an id, in words, or null when it can be shown. */
export function wordingProblem(id: string, text: string): string | null {
  const allowed = new Set(placeholders(baseOf(id) ?? ''))
  const unknown = placeholders(text).find((name) => !allowed.has(name))
  if (unknown !== undefined) {
    const known = [...allowed].map((name) => `{${name}}`).join(', ') || 'none'
    return `uses the unknown placeholder {${unknown}}; it may use: ${known}`
  }
  return /[{}]/.test(text.replace(PLACEHOLDER, ''))
    ? 'has braces that do not belong together'
    : null
}

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g

function placeholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => match[1] as string)
}
