import { currencyDigits } from '../../../shared/rules/currency.ts'
import type { AmountLimits } from '../port.ts'

/**
 * Stripe's minor units where they differ from those of ISO 4217: how many of Stripe's make one of ours,
 * and of how many of ours an amount must be a multiple.
 */
const DIFFERENT: Readonly<Record<string, { factor: number; step: number }>> = {
  // Stripe keeps two digits for currencies that have none now, and takes whole units only.
  ISK: { factor: 100, step: 1 },
  UGX: { factor: 100, step: 1 },
  // Its subunit is a fifth, and Stripe knows no digits.
  MGA: { factor: 1 / 100, step: 100 },
  // Stripe rounds the third digit, so it must be zero.
  BHD: { factor: 1, step: 10 },
  JOD: { factor: 1, step: 10 },
  KWD: { factor: 1, step: 10 },
  OMR: { factor: 1, step: 10 },
  TND: { factor: 1, step: 10 },
}

/** Currencies in which Stripe charges cards. */
export const STRIPE_CURRENCIES: readonly string[] = (
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BWP BYN BZD ' +
  'CAD CDF CHF CLP CNY COP CRC CVE CZK DJF DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GNF GTQ ' +
  'GYD HKD HNL HTG HUF IDR ILS INR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD ' +
  'LSL MAD MDL MGA MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK ' +
  'PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SEK SGD SHP SLE SOS SRD STD SZL THB TJS TND TOP ' +
  'TRY TTD TWD TZS UAH UGX USD UYU UZS VND VUV WST XAF XCD XOF XPF YER ZAR ZMW'
)
  .split(' ')
  .filter((currency) => currencyDigits(currency) !== undefined)

/** The least that Stripe charges, in our minor units. In other currencies it answers with an error. */
const MINIMUMS: Readonly<Record<string, number>> = {
  AUD: 50,
  CAD: 50,
  CHF: 50,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  JPY: 50,
  NOK: 300,
  PLN: 200,
  SEK: 300,
  USD: 50,
}

/** By currency, in our minor units. */
export const STRIPE_AMOUNTS: Readonly<Record<string, AmountLimits>> = Object.fromEntries(
  [...new Set([...Object.keys(MINIMUMS), ...Object.keys(DIFFERENT)])].map((currency) => {
    const min = MINIMUMS[currency]
    const step = DIFFERENT[currency]?.step ?? 1
    return [currency, { ...(min !== undefined && { min }), ...(step > 1 && { step }) }]
  }),
)

/**
 * Converts an amount from our minor units (ISO 4217) to Stripe's. Returns undefined for a currency that
 * Stripe does not charge, and for an amount that its units cannot express.
 */
export function toStripeAmount(amount: number, currency: string): number | undefined {
  if (!STRIPE_CURRENCIES.includes(currency)) return undefined
  const { factor, step } = DIFFERENT[currency] ?? { factor: 1, step: 1 }
  if (amount % step !== 0) return undefined
  const converted = factor < 1 ? amount / step : amount * factor
  return Number.isSafeInteger(converted) ? converted : undefined
}

/** Converts an amount from Stripe's minor units to ours. `currency` may be in lower case. */
export function fromStripeAmount(amount: number, currency: string): number {
  const { factor } = DIFFERENT[currency.toUpperCase()] ?? { factor: 1 }
  return factor < 1 ? Math.round(amount / factor) : amount / factor
}
