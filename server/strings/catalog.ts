import { intlLanguage } from '../../shared/rules/wording.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

/** The sets that merchants can override. An id begins with its set and a dot. */
export const SETS = [
  'checkout',
  'details',
  'methods',
  'card',
  'consent',
  'receipt',
  'errors',
  'status',
  'tasks',
  'email',
  'a11y',
] as const

/**
 * The sets of the server's sign-in and consent pages. An instance must not change what a user consents
 * to.
 */
const SERVER_SETS: ReadonlySet<string> = new Set(['sign_in', 'authorize'])

const BASE = DEFAULT_CATALOG['default'] ?? {}
const PLURAL = /_(zero|one|two|few|many|other)$/

export function parseSet(id: string): string {
  return id.split('.', 1)[0] ?? ''
}

export function isSet(set: string): boolean {
  return (SETS as readonly string[]).includes(set)
}

export function canBeOverridden(id: string): boolean {
  return isSet(parseSet(id))
}

/** Sets that the page of a payment never shows. */
const ELSEWHERE: ReadonlySet<string> = new Set(['email', 'tasks'])

/** Whether the page of a payment may show a string. Mails and tasks are not part of it. */
export function isOnPage(id: string): boolean {
  return canBeOverridden(id) && !ELSEWHERE.has(parseSet(id))
}

/** Returns why an id cannot be overridden in a language, or null when it can. */
export function stringIdError(id: string, language: string): string | null {
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

/** Returns the ids that can be overridden in a language, with that language's plural forms. */
export function listIds(language: string): string[] {
  return Object.keys(BASE)
    .filter(canBeOverridden)
    .flatMap((id) => {
      const form = pluralForm(id)
      if (form === undefined) return [id]
      return form === 'other'
        ? pluralForms(language).map((each) => `${pluralStem(id)}_${each}`)
        : []
    })
    .toSorted((a, b) => (a < b ? -1 : 1))
}

/** Returns the id of the `_other` form that a plural form falls back to. */
export function otherFormId(id: string): string | undefined {
  const form = pluralForm(id)
  return form === undefined || form === 'other' ? undefined : `${pluralStem(id)}_other`
}

function pluralStem(id: string): string {
  return id.replace(PLURAL, '')
}

function pluralForm(id: string): string | undefined {
  const form = PLURAL.exec(id)?.[1]
  return form !== undefined && Object.hasOwn(BASE, `${pluralStem(id)}_other`) ? form : undefined
}

const ALL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other']

const formsByLanguage = new Map<string, readonly string[]>()

/** Returns the plural forms of a language; all forms when its rules are unknown. */
function pluralForms(language: string): readonly string[] {
  const forms = formsByLanguage.get(language) ?? readPluralForms(language)
  // Bounded, because callers validate the language.
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
 * Returns the English text of an id, or undefined for an unknown id. A plural form that English lacks,
 * such as Polish `_few`, has the text of `_other`.
 */
export function findBaseText(id: string): string | undefined {
  if (Object.hasOwn(BASE, id)) return BASE[id]
  return pluralForm(id) === undefined ? undefined : BASE[`${pluralStem(id)}_other`]
}

/** What every receipt and consent may name, although the shipped texts do not. */
const LEGAL_PLACEHOLDERS = ['legal_name', 'vat']

/** Returns whether a string may name the legal entity that is paid. */
export function namesLegalEntity(id: string): boolean {
  return ['receipt', 'consent'].includes(parseSet(id))
}

/** Returns why a text is invalid for an id, or null. */
export function stringTextError(id: string, text: string): string | null {
  const allowed = new Set([
    ...placeholders(findBaseText(id) ?? ''),
    ...(namesLegalEntity(id) ? LEGAL_PLACEHOLDERS : []),
  ])
  const unknown = placeholders(text).find((name) => !allowed.has(name))
  if (unknown !== undefined) {
    const names = [...allowed].map((name) => `{${name}}`).join(', ') || 'none'
    return `uses the unknown placeholder {${unknown}}; it may use: ${names}`
  }
  return /[{}]/.test(text.replace(PLACEHOLDER, ''))
    ? 'has braces that do not belong together'
    : null
}

const PLACEHOLDER = /\{([a-z][a-z0-9_]*)\}/g

function placeholders(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map((match) => match[1] as string)
}
