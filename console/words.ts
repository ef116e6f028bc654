import { createInstance } from 'i18next'

// The console speaks English. Another language is a folder beside `locales/console/en`, whose files
// are loaded before the first screen is drawn.

const library = createInstance()

void library.init({
  lng: 'en',
  fallbackLng: 'en',
  resources: {},
  initAsync: false,
  // Ids contain dots, and placeholders look like `{name}`, as in the wording of the payer's page.
  keySeparator: false,
  nsSeparator: false,
  interpolation: { prefix: '{', suffix: '}', escapeValue: false },
})

type Stem<Id> = Id extends `${infer Name}_${'zero' | 'one' | 'two' | 'few' | 'many' | 'other'}`
  ? Name
  : Id

export type Values = Readonly<Record<string, string | number>>

/** Returns the text of an id. `count` chooses the plural form. */
export type Translate<Texts> = (id: Stem<keyof Texts & string>, values?: Values) => string

/**
 * Adds the English texts of one screen and returns its translator. `namespace` is the name of their
 * file in `locales/console/en`.
 */
export function defineWords<Texts extends Readonly<Record<string, string>>>(
  namespace: string,
  english: Texts,
): Translate<Texts> {
  library.addResourceBundle('en', namespace, english)
  const t = library.getFixedT(null, namespace) as (id: string, values: Values) => string
  return (id, values) => {
    if (values) return t(id, values)
    // A text without values is as it is stored, and choosing among plural forms takes ten times as long.
    const stored = library.getResource(library.language, namespace, id) as string | undefined
    return stored ?? t(id, {})
  }
}

/** The language of the console, for `lang` and `Intl`. */
export const language = (): string => library.language
