import { type Money, moneyText } from '../../shared/rules/display.ts'
import { intlLanguage } from '../../shared/rules/wording.ts'
import type { Checkout } from './checkout.ts'
import { serverTextOr } from './server-text.ts'
import { translatorFor, type StringId } from './translator.ts'

export type Locale = ReturnType<typeof createLocale>

/** Returns the translator and the formatters of the checkout's language. */
export function createLocale({ checkout, hydrated }: Checkout) {
  const { merchant, strings, language, timezone, terms } = checkout.value
  // The server does not know the payer's time zone, so hydration starts from UTC.
  const timeZone = timezone ?? (hydrated.value ? undefined : 'UTC')
  return {
    t: translatorFor(strings, language),
    /** False for a string that is still to be loaded. */
    hasString: (id: StringId) => id in strings,
    language,
    merchant,
    formatMoney: (money: Money) => moneyText(money, language),
    /** Formats an amount in the currency of the link. */
    formatAmount: (amount: string) =>
      serverTextOr(amount + terms.currency + language, () =>
        moneyText({ ...terms, amount }, language),
      ),
    /** Formats a date-time with the name of its time zone. */
    formatDateTime: (iso: string) =>
      new Intl.DateTimeFormat(intlLanguage(language), {
        day: 'numeric',
        month: 'long',
        year: 'numeric',
        hour: 'numeric',
        minute: '2-digit',
        timeZoneName: 'short',
        ...(timeZone === undefined ? {} : { timeZone }),
      }).format(new Date(iso)),
  }
}
