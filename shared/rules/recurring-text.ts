import { intlLanguage, type StringValues } from './wording.ts'

/** What a payer is told of a contract. The page shows it, and the server stores the consent. */

/** How often a contract charges. */
export interface Rhythm {
  frequency: 'DAY' | 'WEEK' | 'MONTH' | 'YEAR'
  /** 1 if absent. */
  interval?: number | null | undefined
  /** How many charges there are in all. */
  count?: number | null | undefined
  /** Date-time after which nothing falls due. */
  until?: string | null | undefined
  /** Days of the free period before the first charge. */
  trial_days?: number | null | undefined
}

export type Translate = (id: RecurringStringId, values?: StringValues) => string

type RecurringStringId =
  | 'consent.every_day'
  | 'consent.every_week'
  | 'consent.every_month'
  | 'consent.every_year'
  | 'consent.recurring'
  | 'consent.recurring_open'
  | 'consent.recurring_times'
  | 'consent.recurring_until'
  | 'consent.trial'

/** Returns a rhythm in words, such as `every 3 months`. */
export function rhythmText(t: Translate, { frequency, interval }: Rhythm): string {
  const count = interval ?? 1
  switch (frequency) {
    case 'DAY':
      return t('consent.every_day', { count })
    case 'WEEK':
      return t('consent.every_week', { count })
    case 'MONTH':
      return t('consent.every_month', { count })
    case 'YEAR':
      return t('consent.every_year', { count })
  }
}

/**
 * Returns the sentences by which a payer allows the charges of a contract: the amount and rhythm, the
 * free period, and when it ends. `amount` is in words.
 */
export function recurringConsent(
  t: Translate,
  recurring: Rhythm,
  shown: { merchant: string; amount: string; language: string; timezone: string | undefined },
): string {
  const { merchant, amount } = shown
  const { trial_days: count } = recurring
  const values = { merchant, amount, rhythm: rhythmText(t, recurring) }
  const consent =
    count == null ? t('consent.recurring', values) : t('consent.trial', { ...values, count })
  return `${consent} ${endText(t, recurring, shown)}`
}

function endText(
  t: Translate,
  { count, until }: Rhythm,
  { language, timezone }: { language: string; timezone: string | undefined },
): string {
  if (count != null) return t('consent.recurring_times', { number: count })
  if (until == null) return t('consent.recurring_open')
  return t('consent.recurring_until', { date: dateText(until, language, timezone) })
}

/** Returns a day in a language and time zone; in the browser's zone where none is passed. */
export function dateText(iso: string, language: string, timeZone: string | undefined): string {
  const zone = timeZone === undefined ? {} : { timeZone }
  const format = new Intl.DateTimeFormat(intlLanguage(language), { dateStyle: 'long', ...zone })
  return format.format(new Date(iso))
}
