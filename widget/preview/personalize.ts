import type { PageModel } from '../../shared/page-model.ts'
import type { PreviewDrawing } from '../../shared/preview-messages.ts'
import { currencyDigits } from '../../shared/rules/currency-digits.ts'

/** The digits after the decimal point of the amounts of scenes. */
const SCENE_DIGITS = 2

/** Returns the model of a scene as a payer of the merchant would be shown it. */
export function personalize(
  model: PageModel,
  { strings, language, direction, merchant, currency, link }: PreviewDrawing,
): PageModel {
  const { checkout } = model
  const { terms, result } = checkout
  const digits = currencyDigits(currency)
  const money = <T extends object>(holder: T): T => ({
    ...inDigits(holder, digits),
    currency,
    currency_digits: digits,
  })
  return {
    ...model,
    checkout: {
      ...checkout,
      // A page without a merchant names none.
      merchant: checkout.merchant === '' ? '' : merchant,
      strings,
      language,
      direction,
      // A link without a name of its own has that of its merchant.
      terms: {
        ...money(terms),
        ...(terms.name === checkout.merchant && { name: merchant }),
        ...link?.terms,
      },
      result: result && money(result),
      ...(link && {
        save_card: link.save_card,
        details: { ...checkout.details, prefill: link.prefill },
      }),
    },
  }
}

/** Amounts are decimal texts with two digits; a currency may have fewer or more of them. */
function inDigits<T>(value: T, digits: number): T {
  if (typeof value === 'string') return amountIn(value, digits) as T
  if (Array.isArray(value)) return value.map((each: unknown) => inDigits(each, digits)) as T
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, inDigits(member as unknown, digits)]),
  ) as T
}

function amountIn(text: string, digits: number): string {
  const [, whole, fraction] = /^(\d+)\.(\d\d)$/.exec(text) ?? []
  if (whole === undefined || fraction === undefined || digits === SCENE_DIGITS) return text
  return digits === 0 ? whole : `${whole}.${fraction.padEnd(digits, '0').slice(0, digits)}`
}
