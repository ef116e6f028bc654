/**
 * Turns a wording and its values into the sentence that is shown.
 *
 * The server and the page use this one function, so that hydration never changes a word; a test
 * holds it equal to i18next over the whole catalogue.
 */

export type Strings = Readonly<Record<string, string>>
export type StringValues = Readonly<Record<string, string | number>>

/**
 * The sentence for an id: `{name}` is replaced by the value of that name, and a numeric `count`
 * picks the plural form (`id_one`, `id_other` …) of the language. An id without wording answers
 * itself, which a test makes impossible for every id that the page uses.
 */
export function translate(
  strings: Strings,
  language: string,
  id: string,
  values: StringValues = {},
): string {
  return interpolate(pluralForm(strings, language, id, values) ?? strings[id] ?? id, values)
}

function pluralForm(
  strings: Strings,
  language: string,
  id: string,
  values: StringValues,
): string | undefined {
  if (typeof values['count'] !== 'number') return undefined
  const category = new Intl.PluralRules(intlLanguage(language)).select(values['count'])
  return strings[`${id}_${category}`] ?? strings[`${id}_other`]
}

function interpolate(text: string, values: StringValues): string {
  return text.replace(/\{([a-z][a-z0-9_]*)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    return value === undefined ? whole : String(value)
  })
}

/**
 * The tag that `Intl` is asked for. `default` is our name for the base wording, which is English;
 * and `pt` alone would write amounts and dates as Brazil does, where our wording is European.
 */
export function intlLanguage(language: string): string {
  if (language === 'default') return 'en'
  return language === 'pt' ? 'pt-PT' : language
}
