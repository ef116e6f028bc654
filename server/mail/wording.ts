import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import { moneyText } from '../../shared/rules/display.ts'
import { intlLanguage, type StringValues, translate } from '../../shared/rules/wording.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { MailRow } from '../db/tables/mails.ts'
import type { Deps } from '../deps.ts'
import { nameOf } from '../instances/brandings.ts'
import { type LegalEntityContent, legalNames } from '../legal-entities/content.ts'
import { textDirection } from '../../shared/rules/text-direction.ts'
import { resolveAll } from '../../shared/rules/inherit.ts'
import { stringLayers } from '../strings/resolve.ts'
import { findStrings } from '../strings/store.ts'
import type { StringId } from '../users/translator.ts'

/** The words and formats of one mail. */
export interface MailWording {
  /** A language tag for `lang` and `Intl`. */
  language: string
  direction: 'ltr' | 'rtl'
  /** The name that payers see, on one line. */
  merchant: string
  t: (id: StringId, values?: StringValues) => string
  /** Formats minor units. */
  money: (amount: number, currency: string) => string
  /** Formats major units, as the API writes them. */
  moneyOf: (amount: string, currency: string) => string
  /** Formats the day of a date-time. */
  date: (iso: string) => string
  /** Formats a date-time with the name of its time zone. */
  dateTime: (iso: string) => string
}

/**
 * Returns the wording of a mail in its language and branding, as the merchant has it now. `entity` is the
 * legal entity that its strings may name.
 */
export async function mailWording(
  deps: Pick<Deps, 'db'>,
  instance: Instance,
  { language: code, branding, timezone }: Pick<MailRow, 'language' | 'branding' | 'timezone'>,
  entity?: LegalEntityContent,
): Promise<MailWording> {
  const scope = { branding, language: code }
  const strings = resolveAll(stringLayers(scope, await findStrings(deps.db, instance.id, scope)))
  const language = intlLanguage(code)
  const direction = textDirection(code)
  const timeZone = timezone ?? instance.timezone ?? 'UTC'
  const moneyOf = (amount: string, currency: string) =>
    moneyText({ amount, currency, currency_digits: currencyDigits(currency) ?? 2 }, code)
  const merchant = oneLine(nameOf(instance, branding))
  const names = legalNames(entity, merchant)
  const format = (options: Intl.DateTimeFormatOptions) => (iso: string) =>
    new Intl.DateTimeFormat(language, { timeZone, ...options }).format(new Date(iso))
  const day = { day: 'numeric', month: 'long', year: 'numeric' } as const
  return {
    language,
    direction,
    merchant,
    t: (id, values = {}) =>
      translate(strings, code, id, isolateAll({ ...names, ...values }, direction)),
    money: (amount, currency) => moneyOf(amountText(amount, currency), currency),
    moneyOf,
    date: format(day),
    dateTime: format({ ...day, hour: 'numeric', minute: '2-digit', timeZoneName: 'short' }),
  }
}

const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}]/u

function isolateAll(values: StringValues, direction: 'ltr' | 'rtl'): StringValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' ? isolate(value, direction) : value,
    ]),
  )
}

/**
 * Encloses a text in directional isolates where its direction may differ from that around it, so
 * that a name neither reorders a sentence nor is reordered by it.
 */
export function isolate(text: string, direction: 'ltr' | 'rtl'): string {
  return direction === 'rtl' || RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text
}

/**
 * Returns a merchant's or payer's text on one line, without control characters and without those
 * that change the direction of what follows.
 */
export function oneLine(text: string): string {
  return text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
}
