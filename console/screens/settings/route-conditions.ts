import { currencyDigits } from '../../../shared/rules/currency-digits.ts'
import { formatMinor, parseAmount } from '../../../shared/rules/money.ts'
import { language } from '../../words.ts'
import { countryName } from '../../ui/country-name.ts'
import { formatMoney } from '../../ui/Money.tsx'
import type { When } from './route-draft.ts'
import { t } from './routes-words.ts'

/** Returns what must be true of a payment, one phrase for each condition; none for any payment. */
export function conditionPhrases(when: When): string[] {
  const { currency, country, channel, branding, account_tag: tags, source, amount } = when
  const any = new Intl.ListFormat(language(), { type: 'disjunction' })
  return [
    currency && t('in_currency', { values: any.format(currency) }),
    country &&
      t('from_country', { values: any.format(country.map((code) => countryName(code) ?? code)) }),
    channel && t('by_channel', { values: any.format(channel) }),
    branding && t('with_branding', { values: any.format(branding) }),
    tags && t('of_customers', { values: any.format(tags) }),
    source && t('made', { values: any.format(source.map((one) => t(`source_${one}`))) }),
    amount && rangePhrase(amount),
  ].filter((phrase) => phrase !== undefined)
}

function rangePhrase({ from, to, currency }: NonNullable<When['amount']>): string {
  // The API keeps the text of a bound, such as "100".
  const shown = (bound: string) => {
    const digits = currencyDigits(currency)
    const read = parseAmount(bound, digits)
    return formatMoney(read.ok ? formatMinor(read.minor, digits) : bound, currency)
  }
  const low = from === undefined ? undefined : shown(from)
  const high = to === undefined ? undefined : shown(to)
  if (low !== undefined && high !== undefined) return t('between', { low, high })
  return low === undefined ? t('up_to', { high: high ?? '' }) : t('at_least', { low })
}
