import type { DeepLink } from '../index.ts'

/** What a Payment Link of Stripe becomes: a deep link, because both can be paid many times. */

/** The members of a Payment Link and its line items that are read. */
export interface StripeLink {
  id: string
  url: string
  active: boolean
  livemode: boolean
  after_completion?: {
    redirect?: { url: string } | null
    hosted_confirmation?: { custom_message?: string | null } | null
  } | null
  custom_text?: { submit?: { message: string } | null } | null
  restrictions?: { completed_sessions?: { count?: number; limit: number } | null } | null
  subscription_data?: { trial_period_days?: number | null } | null
  submit_type?: string | null
  [member: string]: unknown
}

export interface StripeItem {
  description?: string | null
  quantity: number
  adjustable_quantity?: { enabled: boolean; maximum?: number | null } | null
  price: {
    currency: string
    unit_amount: number | null
    custom_unit_amount?: {
      preset?: number | null
      minimum?: number | null
      maximum?: number | null
    } | null
    recurring?: { interval: string; interval_count: number } | null
  }
}

type Options = Partial<NonNullable<DeepLink['options']>>

/** What is made of a link, and what of it has no counterpart. */
export interface Plan {
  slug: string
  options: Options
  maxUses: number | undefined
  lost: string[]
}

/** Stripe's currencies whose smallest unit is not a hundredth. */
const WHOLE = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))
const THOUSANDTHS = new Set('BHD JOD KWD OMR TND'.split(' '))

/** Members without a counterpart, and what is said of them where they are set. */
const LOST: Readonly<Record<string, string>> = {
  allow_promotion_codes: 'promotion codes',
  application_fee_amount: 'application fee',
  automatic_tax: 'automatic tax',
  consent_collection: 'consent to terms',
  custom_fields: 'custom fields',
  invoice_creation: 'invoices',
  metadata: 'metadata',
  optional_items: 'optional items',
  phone_number_collection: 'phone number',
  shipping_address_collection: 'shipping address',
  shipping_options: 'shipping rates',
  tax_id_collection: 'tax ids',
  transfer_data: 'transfers',
}

const SUBMIT: Readonly<Record<string, string>> = { donate: 'Donate', book: 'Book' }
const QUANTITY_MAX = 99

/** The end of the address of the link that takes the place of another. The same for each import. */
export const slugOf = (id: string): string => `stripe-${id.replaceAll('_', '-').toLowerCase()}`

/** Returns what a link becomes, or a sentence why it cannot be taken over. */
export function planLink(link: StripeLink, items: readonly StripeItem[]): Plan | string {
  if (!link.active) return 'is not active'
  const [first] = items
  if (!first) return 'has no line items'
  if (items.some(({ price }) => price.currency !== first.price.currency)) {
    return 'has several currencies'
  }
  const priced = items.length === 1 ? priceOf(first) : sumOf(items)
  if (typeof priced === 'string') return priced
  const used = link.restrictions?.completed_sessions
  const left = used && used.limit - (used.count ?? 0)
  if (left != null && left <= 0) return 'has been paid as often as it can be'
  const recurring = first.price.recurring && rhythmOf(first.price.recurring, link)
  if (typeof recurring === 'string') return recurring
  const { options: after, lost } = afterPayment(link)
  const intro = link.custom_text?.submit?.message
  return {
    slug: slugOf(link.id),
    options: {
      ...priced,
      currency: first.price.currency.toUpperCase(),
      ...nameOf(items),
      ...(recurring && { recurring }),
      ...(intro && { page_intro: intro }),
      ...after,
    },
    maxUses: left ?? undefined,
    lost: [...lost, ...lostOf(link)],
  }
}

/** Returns an amount of Stripe, in its smallest unit, in major units. */
export function majorUnits(amount: number, currency: string): string {
  const code = currency.toUpperCase()
  const digits = WHOLE.has(code) ? 0 : THOUSANDTHS.has(code) ? 3 : 2
  const text = String(amount).padStart(digits + 1, '0')
  return digits === 0 ? text : `${text.slice(0, -digits)}.${text.slice(-digits)}`
}

function priceOf({
  price,
  quantity,
  adjustable_quantity: adjustable,
}: StripeItem): Options | string {
  const major = (amount: number) => majorUnits(amount, price.currency)
  const chosen = price.custom_unit_amount
  if (chosen) {
    return {
      ...(chosen.preset != null && { default_amount: major(chosen.preset) }),
      ...(chosen.minimum != null && { amount_min: major(chosen.minimum) }),
      ...(chosen.maximum != null && { amount_max: major(chosen.maximum) }),
    }
  }
  if (price.unit_amount === null) return 'has a price with parts of the smallest unit'
  if (price.unit_amount === 0) return 'costs nothing'
  if (adjustable?.enabled && !price.recurring) {
    return {
      unit_amount: major(price.unit_amount),
      quantity_max: adjustable.maximum ?? QUANTITY_MAX,
    }
  }
  return { amount: major(price.unit_amount * quantity) }
}

function sumOf(items: readonly StripeItem[]): Options | string {
  if (items.some(({ price }) => price.recurring)) return 'has several items that recur'
  const amounts = items.map(({ price, quantity }) => (price.unit_amount ?? Number.NaN) * quantity)
  const sum = amounts.reduce((one, other) => one + other, 0)
  if (Number.isNaN(sum)) return 'has several items and an amount that the payer chooses'
  return { amount: majorUnits(sum, items[0]?.price.currency ?? '') }
}

function rhythmOf(
  { interval, interval_count: count }: { interval: string; interval_count: number },
  { subscription_data: data }: StripeLink,
): NonNullable<Options['recurring']> | string {
  const frequency = interval.toUpperCase()
  if (!isFrequency(frequency)) return `recurs every ${interval}`
  const trial = data?.trial_period_days
  return {
    frequency,
    ...(count > 1 && { interval: count }),
    ...(trial != null && { trial_days: trial }),
  }
}

const isFrequency = (text: string): text is 'DAY' | 'WEEK' | 'MONTH' | 'YEAR' =>
  ['DAY', 'WEEK', 'MONTH', 'YEAR'].includes(text)

function nameOf(items: readonly StripeItem[]): Options {
  const names = items.map(({ description, quantity }) =>
    description ? (quantity > 1 ? `${quantity} × ${description}` : description) : '',
  )
  const name = names.filter(Boolean).join(', ').slice(0, 255)
  return name === '' ? {} : { name }
}

function afterPayment({ after_completion: after }: StripeLink): {
  options: Options
  lost: string[]
} {
  const target = after?.redirect?.url
  const message = after?.hosted_confirmation?.custom_message
  if (!target) return { options: message ? { page_success_message: message } : {}, lost: [] }
  // Nothing is filled in; `payment_link` is appended, which names the payment as well.
  const url = new URL(target)
  const filled = [...url.searchParams].filter(([, value]) =>
    value.includes('{CHECKOUT_SESSION_ID}'),
  )
  for (const [name] of filled) url.searchParams.delete(name)
  return {
    options: { success_url: url.href, skip_receipt: true },
    lost: filled.length > 0 ? ['the session id in the address after payment'] : [],
  }
}

function lostOf(link: StripeLink): string[] {
  const isSet = (value: unknown): boolean => {
    if (typeof value !== 'object' || value === null) return Boolean(value)
    if ('enabled' in value) return value.enabled === true
    return Object.values(value).some(isSet)
  }
  const lost = Object.entries(LOST).flatMap(([name, what]) => (isSet(link[name]) ? [what] : []))
  const submit = SUBMIT[link.submit_type ?? '']
  return submit === undefined ? lost : [...lost, `the button says ${submit}: change checkout.pay`]
}
