import type { TimelineEntry } from '../../../shared/schemas/timeline.ts'
import { formatMoney } from '../../ui/Money.tsx'
import { formatTime } from '../../ui/Time.tsx'
import { language as shownIn } from '../../words.ts'
import { t } from './timeline-words.ts'

/** What depends on the screen of an entry. */
interface Surroundings {
  timezone: string | null
  /** The entries are about one payment or link, whose amount stands above them. */
  hasAmount: boolean
}

/** Returns what happened, such as `€24.00 refunded`. */
export function entryTitle({ title_id, values }: TimelineEntry): string {
  return t(`title_${title_id}`, { amount: amountOf(values) ?? '' })
}

/** Returns what else is known of an entry: with what, why and by whom; empty if there is nothing. */
export function entryDetail(entry: TimelineEntry, around: Surroundings): string {
  const { kind, values } = entry
  const { brand, last4, code, message, reason, changed, due, reference } = values
  const details = [
    kind === 'payment' && !around.hasAmount && amountOf(values),
    [last4 !== undefined && t('card', { brand: brandName(brand), last4 }), message ?? code]
      .filter(Boolean)
      .join(': '),
    reason !== undefined && t('quoted', { text: reason }),
    changed !== undefined && t('changed', { names: changed }),
    due !== undefined && t('due', { date: formatTime(due, around.timezone) }),
    kind === 'checkout' && pageDetail(values),
    kind === 'delivery' && deliveryDetail(values),
    entry.title_id === 'payment_success' && reference,
    actorText(entry.actor),
  ]
  return details.filter(Boolean).join(', ')
}

type Values = TimelineEntry['values']

function amountOf({ amount, currency }: Values): string | undefined {
  return amount === undefined || currency === undefined ? undefined : formatMoney(amount, currency)
}

function brandName(brand = ''): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1)
}

function pageDetail({ language, origin }: Values): string {
  return [
    language === 'default'
      ? t('base_language')
      : language !== undefined && t('in_language', { language: languageText(language) }),
    origin !== undefined && t('inside', { host: new URL(origin).host }),
  ]
    .filter(Boolean)
    .join(', ')
}

/** Returns the name of a language within a sentence of the console, such as `French`. */
function languageText(code: string): string {
  return new Intl.DisplayNames(shownIn(), { type: 'language' }).of(code) ?? code
}

function deliveryDetail({ type, url, response_status, error, attempts }: Values): string {
  return [
    type,
    url !== undefined && t('to', { host: new URL(url).host }),
    response_status ?? error,
    Number(attempts) > 1 && t('attempts', { count: Number(attempts) }),
  ]
    .filter(Boolean)
    .join(', ')
}

function actorText(actor: TimelineEntry['actor']): string | undefined {
  if (!actor || actor.type === 'CHECKOUT' || actor.type === 'SYSTEM') return undefined
  const { type, name } = actor
  if (name === null) return t(`by_unnamed_${type}`)
  return type === 'API_KEY' ? t('by_key', { name }) : t('by', { name })
}
