import { language } from '../words.ts'

const formats = new Map<string, Intl.NumberFormat>()

/** Formats a count in the user's language. Making a format takes longer than a row of a list may. */
export function countText(count: number): string {
  const format = formats.get(language()) ?? new Intl.NumberFormat(language())
  formats.set(language(), format)
  return format.format(count)
}
