import { readFileSync } from 'node:fs'
import type { PageModel } from '../../shared/page-model.ts'
import { numberStyle } from '../../shared/rules/number-style.ts'
import type { Strings } from '../../shared/rules/wording.ts'

/** Returns a model in another of the shipped languages; the merchant's own text stays. */
export function inLanguage(model: PageModel, language: string): PageModel {
  const file = new URL(`../../locales/${language}.json`, import.meta.url)
  const words = JSON.parse(readFileSync(file, 'utf8')) as Strings
  const { checkout } = model
  return {
    ...model,
    number_style: numberStyle(language),
    checkout: {
      ...checkout,
      language,
      direction: language === 'ar' ? 'rtl' : 'ltr',
      strings: { ...checkout.strings, ...words },
    },
  }
}
