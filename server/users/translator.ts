import { createInstance, type i18n } from 'i18next'
import type { StringId } from '../../shared/string-id.ts'
import { intlLanguage, type StringValues } from '../../shared/rules/wording.ts'
import type { AppContext } from '../http/router.ts'
import { textDirection } from '../../shared/rules/text-direction.ts'
import { DEFAULT_CATALOG } from '../strings/default-catalog.ts'
import { chooseLanguage } from '../strings/languages.ts'

export type { StringId } from '../../shared/string-id.ts'

export interface Translator {
  /** A language tag for `lang` and `Intl`. */
  language: string
  direction: 'ltr' | 'rtl'
  t: (id: StringId, values?: StringValues) => string
}

/** Returns the translator for a language of the catalog, such as `fr` or `default`. */
export function createTranslator(language: string): Translator {
  const t = library().getFixedT(intlLanguage(language))
  return {
    language: intlLanguage(language),
    direction: textDirection(language),
    t: (id, values) => t(id, { ...values }),
  }
}

/**
 * Returns the translator for the language that `requested` names, else for the one that the browser
 * accepts. These pages use the default catalog only, because they belong to no single instance.
 */
export function requestTranslator(
  c: AppContext,
  requested: string | undefined = c.req.query('lang'),
): Translator {
  const accepted = c.req.header('accept-language')
  const languages = Object.keys(DEFAULT_CATALOG)
  return createTranslator(chooseLanguage({ requested, accepted }, languages))
}

let instance: i18n | undefined

/** i18next with the whole catalog. The first page loads it, so that it does not delay the start. */
function library(): i18n {
  if (instance) return instance
  instance = createInstance({
    resources: Object.fromEntries(
      Object.entries(DEFAULT_CATALOG).map(([language, strings]) => [
        intlLanguage(language),
        { translation: { ...strings } },
      ]),
    ),
    lng: intlLanguage('default'),
    fallbackLng: intlLanguage('default'),
    initAsync: false,
    // Ids contain dots, and placeholders look like `{name}`.
    keySeparator: false,
    nsSeparator: false,
    // hono/html escapes the values.
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
  })
  void instance.init()
  return instance
}
