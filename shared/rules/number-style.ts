import type { NumberStyle } from './typed-amount.ts'
import { intlLanguage } from './wording.ts'

/** Returns the separators of decimals and thousands in a language. */
export function numberStyle(language: string): NumberStyle {
  const parts = new Intl.NumberFormat(intlLanguage(language)).formatToParts(1234567.5)
  const part = (type: string) => parts.find((found) => found.type === type)?.value
  return { decimal: part('decimal') ?? '.', group: part('group') ?? ',' }
}
