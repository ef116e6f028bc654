import type base from '../../locales/default.json'
import {
  intlLanguage,
  type Strings,
  type StringValues,
  translate,
} from '../../shared/rules/wording.ts'
import type { AppContext } from '../http/router.ts'
import { textDirection, defaultStrings } from '../strings/bundle.ts'
import { chooseLanguage } from '../strings/languages.ts'
import { DEFAULT_CATALOG } from '../strings/default-catalog.ts'

/** The id of a string. */
export type StringId = keyof typeof base

/** The words of a page that belongs to the server, in the language of whoever reads it. */
export interface Translate {
  /** As `lang` and `Intl` take it. */
  language: string
  direction: 'ltr' | 'rtl'
  t: (id: StringId, values?: StringValues) => string
}

const wordings = new Map<string, Strings>()

/**
 * Words by what `?lang=` asks for, else by what the browser accepts. No merchant's wording: before
 * the sign-in nobody knows whose page it is, and after it the page speaks for the server.
 */
export function createTranslator(c: AppContext, asked: string | undefined): Translate {
  const accepted = c.req.header('accept-language')
  const code = chooseLanguage({ requested: asked, accepted }, Object.keys(DEFAULT_CATALOG))
  const strings = wordings.get(code) ?? defaultStrings(code)
  wordings.set(code, strings)
  return {
    language: intlLanguage(code),
    direction: textDirection(code),
    t: (id, values) => translate(strings, code, id, values),
  }
}
