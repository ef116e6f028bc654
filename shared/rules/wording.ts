/**
 * Interpolates values into a string. The server and the page use the same function, so that
 * hydration never changes text. A test compares it with i18next over the whole catalog.
 */

export type Strings = Readonly<Record<string, string>>
export type StringValues = Readonly<Record<string, string | number>>

/**
 * Returns the string with an id: `{name}` is replaced by the value of that name, and a numeric
 * `count` selects the plural form (`id_one`, `id_other` …) of the language. Returns the id if there
 * is no string, which a test rules out for every id of the page.
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
 * Returns the tag for `Intl`. `default` is our name for the English base strings; `pt` alone would
 * format as in Brazil, while our translation is European.
 */
export function intlLanguage(language: string): string {
  if (language === 'default') return 'en'
  return language === 'pt' ? 'pt-PT' : language
}
