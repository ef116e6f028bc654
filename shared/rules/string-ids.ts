import { intlLanguage, type Strings } from './wording.ts'

/**
 * Ids of strings: sets, plural forms, and which ids can be overridden in a language. `base` is the
 * shipped English catalog, which has every id.
 */

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
export function stringIdError(base: Strings, id: string, language: string): string | null {
  const set = parseSet(id)
  if (SERVER_SETS.has(set)) {
    return 'cannot be replaced: the pages where users sign in and approve platforms belong to the server'
  }
  if (!isSet(set)) return `belongs to no known set; sets are ${SETS.join(', ')}`
  if (findBaseText(base, id) === undefined) return 'is not a known string'
  const form = pluralForm(base, id)
  if (form === undefined) return null
  const forms = pluralForms(language)
  if (forms.includes(form)) return null
  return `is a plural form that ${language} does not have; it has ${forms.join(', ')}`
}

/** Returns the ids that can be overridden in a language, with that language's plural forms. */
export function listIds(base: Strings, language: string): string[] {
  return Object.keys(base)
    .filter(canBeOverridden)
    .flatMap((id) => {
      const form = pluralForm(base, id)
      if (form === undefined) return [id]
      return form === 'other'
        ? pluralForms(language).map((each) => `${pluralStem(id)}_${each}`)
        : []
    })
    .toSorted((a, b) => (a < b ? -1 : 1))
}

/** Returns the id of the `_other` form that a plural form falls back to. */
export function otherFormId(base: Strings, id: string): string | undefined {
  const form = pluralForm(base, id)
  return form === undefined || form === 'other' ? undefined : `${pluralStem(id)}_other`
}

/** Returns the id without its plural form, which is what the forms of a counted string have in common. */
export function stringStem(base: Strings, id: string): string {
  return pluralForm(base, id) === undefined ? id : pluralStem(id)
}

/**
 * Returns the ids of a string in a language, in the order of the plural forms, each with its form; one
 * without a form for a string that is not counted.
 */
export function formsOf(
  base: Strings,
  id: string,
  language: string,
): { id: string; form: string | undefined }[] {
  if (pluralForm(base, id) === undefined) return [{ id, form: undefined }]
  return pluralForms(language).map((form) => ({ id: `${pluralStem(id)}_${form}`, form }))
}

const SAMPLES = [...Array.from({ length: 200 }, (_, count) => count), 1000, 1_000_000]
const SAMPLES_SHOWN = 3

/** Returns up to three counts that a plural form of a language is for. */
export function sampleCounts(language: string, form: string): number[] {
  const rules = new Intl.PluralRules(intlLanguage(language))
  return SAMPLES.filter((count) => rules.select(count) === form).slice(0, SAMPLES_SHOWN)
}

function pluralStem(id: string): string {
  return id.replace(PLURAL, '')
}

function pluralForm(base: Strings, id: string): string | undefined {
  const form = PLURAL.exec(id)?.[1]
  return form !== undefined && Object.hasOwn(base, `${pluralStem(id)}_other`) ? form : undefined
}

const ALL_FORMS = ['zero', 'one', 'two', 'few', 'many', 'other']

const formsByLanguage = new Map<string, readonly string[]>()

/** Returns the plural forms of a language; all forms when its rules are unknown. */
export function pluralForms(language: string): readonly string[] {
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
export function findBaseText(base: Strings, id: string): string | undefined {
  if (Object.hasOwn(base, id)) return base[id]
  return pluralForm(base, id) === undefined ? undefined : base[`${pluralStem(id)}_other`]
}

/** Returns whether a string may name the legal entity that is paid. */
export function namesLegalEntity(id: string): boolean {
  return ['receipt', 'consent'].includes(parseSet(id))
}
