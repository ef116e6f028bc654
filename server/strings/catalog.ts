import { intlLanguage } from '../../shared/rules/wording.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

/** Which strings a merchant can replace: their ids, sets, plural forms and placeholders. */

/** The sets of the payer's page. An id begins with its set and a dot. */
export const SETS = [
  'checkout',
  'details',
  'methods',
  'card',
  'consent',
  'receipt',
  'errors',
  'status',
  'a11y',
] as const

/**
 * The sets of pages where users sign in and approve platforms. These pages belong to the server and
 * not to one instance, and say what a platform may do: a key of one instance must not reword that.
 */
const SERVER_SETS: ReadonlySet<string> = new Set(['sign_in', 'authorize'])

const BASE = DEFAULT_CATALOG['default'] ?? {}
const PLURAL = /_(zero|one|two|few|many|other)$/

/** The set of an id: what stands before its first dot. */
export function parseSet(id: string): string {
  return id.split('.', 1)[0] ?? ''
}

/** Returns whether a set is one that merchants can replace. */
export function isSet(set: string): boolean {
  return (SETS as readonly string[]).includes(set)
}

/** Returns whether the wording of an id can stand on a payer's page. */
export function isForPayers(id: string): boolean {
  return isSet(parseSet(id))
}

/** Returns why a merchant cannot have wording of an id in a language, or null where they can. */
export function idProblem(id: string, language: string): string | null {
  const set = parseSet(id)
  if (SERVER_SETS.has(set)) {
    return 'cannot be replaced: the pages where users sign in and approve platforms belong to the server'
  }
  if (!isSet(set)) return `belongs to no known set; sets are ${SETS.join(', ')}`
  if (findBaseText(id) === undefined) return 'is not a known string'
  const form = pluralForm(id)
  if (form === undefined) return null
  const forms = pluralForms(language)
  if (forms.includes(form)) return null
  return `is a plural form that ${language} does not have; it has ${forms.join(', ')}`
}

/** Returns the ids that can be replaced in a language: those of its own plural forms, and the rest. */
export function listIds(language: string): string[] {
  return Object.keys(BASE)
    .filter(isForPayers)
    .flatMap((id) => {
      const form = pluralForm(id)
      if (form === undefined) return [id]
      return form === 'other'
        ? pluralForms(language).map((each) => `${pluralStem(id)}_${each}`)
        : []
    })
    .toSorted((a, b) => (a < b ? -1 : 1))
}

/** Returns the id of the form that stands in for a plural form without wording, else undefined. */
export function otherFormId(id: string): string | undefined {
  const form = pluralForm(id)
  return form === undefined || form === 'other' ? undefined : `${pluralStem(id)}_other`
}

function pluralStem(id: string): string {
  return id.replace(PLURAL, '')
}

/** The plural form that an id is, or undefined for a sentence that is not counted. */
function pluralForm(id: string): string | undefined {
  const form = PLURAL.exec(id)?.[1]
  return form !== undefined && Object.hasOwn(BASE, `${pluralStem(id)}_other`) ? form : undefined
}

const ALL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other']

const formsByLanguage = new Map<string, readonly string[]>()

/** The plural forms of a language; all there are for one whose rules are not known. */
function pluralForms(language: string): readonly string[] {
  const forms = formsByLanguage.get(language) ?? readPluralForms(language)
  // Bounded: every language is an ISO 639-1 code by now, or default.
  formsByLanguage.set(language, forms)
  return forms
}

function readPluralForms(language: string): readonly string[] {
  const tag = intlLanguage(language)
  if (Intl.PluralRules.supportedLocalesOf(tag).length === 0) return ALL_FORMS
  const forms: string[] = new Intl.PluralRules(tag).resolvedOptions().pluralCategories
  return ALL_FORMS.filter((form) => forms.includes(form))
}

/**
 * Returns the base wording that an id is a form of, or undefined when there is no such id. A counted
 * sentence may have forms that English does not need, such as the Polish `_few`.
 */
export function findBaseText(id: string): string | undefined {
  if (Object.hasOwn(BASE, id)) return BASE[id]
  return pluralForm(id) === undefined ? undefined : BASE[`${pluralStem(id)}_other`]
}

/** What is wrong with a wording for an id, in words, or null when it can be shown. */
export function textProblem(id: string, text: string): string | null {
  const allowed = new Set(placeholders(findBaseText(id) ?? ''))
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
