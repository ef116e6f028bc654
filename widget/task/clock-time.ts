import type { CheckoutView } from '../../shared/page-model.ts'
import { intlLanguage } from '../../shared/rules/wording.ts'

/** Returns the time of day of an instant (epoch ms) in the language and zone of the page. */
export function clockTime(
  { language, timezone }: Pick<CheckoutView, 'language' | 'timezone'>,
  at: number,
): string {
  return new Intl.DateTimeFormat(intlLanguage(language), {
    timeStyle: 'short',
    ...(timezone !== null && { timeZone: timezone }),
  }).format(at)
}
