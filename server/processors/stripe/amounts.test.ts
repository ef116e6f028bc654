import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { currencyDigits } from '../../../shared/rules/currency.ts'
import { fromStripeAmount, STRIPE_AMOUNTS, STRIPE_CURRENCIES, toStripeAmount } from './amounts.ts'

const currency = fc.constantFrom(...STRIPE_CURRENCIES)
const amount = fc.integer({ min: 1, max: 99_999_999_999 })

describe('an amount at Stripe', () => {
  it.each([
    ['EUR', 1050, 1050],
    ['USD', 1, 1],
    ['JPY', 500, 500],
    ['KRW', 500, 500],
    ['HUF', 10_050, 10_050],
    ['TWD', 10_050, 10_050],
    // No digits here, two there.
    ['ISK', 5, 500],
    ['UGX', 5, 500],
    // Two digits here, none there.
    ['MGA', 500, 5],
    // Three digits at both, the last of which is zero.
    ['BHD', 1230, 1230],
    ['JOD', 1230, 1230],
    ['KWD', 1230, 1230],
    ['OMR', 1230, 1230],
    ['TND', 1230, 1230],
  ])('of %s %i is %i', (code, ours, theirs) => {
    expect(toStripeAmount(ours, code)).toBe(theirs)
    expect(fromStripeAmount(theirs, code.toLowerCase())).toBe(ours)
  })

  it.each([
    ['MGA', 550],
    ['MGA', 1],
    ['BHD', 1235],
    ['JOD', 1],
    ['KWD', 9],
    ['OMR', 1001],
    ['TND', 1239],
  ])('does not exist for %s %i', (code, ours) => {
    expect(toStripeAmount(ours, code)).toBeUndefined()
    expect(ours % (STRIPE_AMOUNTS[code]?.step ?? 1)).not.toBe(0)
  })

  it.each(['IQD', 'LYD', 'CLF', 'UYW', 'XAU', 'XXX', 'ZZZ', 'eur', ''])(
    'does not exist in the currency %s',
    (code) => {
      expect(toStripeAmount(1000, code)).toBeUndefined()
    },
  )

  it('is the same again when it comes back', () => {
    fc.assert(
      fc.property(currency, amount, (code, any) => {
        const step = STRIPE_AMOUNTS[code]?.step ?? 1
        const ours = any * step
        const theirs = toStripeAmount(ours, code)
        expect(theirs).toBeGreaterThan(0)
        expect(fromStripeAmount(theirs as number, code)).toBe(ours)
        if (step > 1) expect(toStripeAmount(ours + 1, code)).toBeUndefined()
      }),
      { numRuns: 1000 },
    )
  })

  it('does not exist beyond what numbers count exactly', () => {
    expect(toStripeAmount(Number.MAX_SAFE_INTEGER, 'EUR')).toBe(Number.MAX_SAFE_INTEGER)
    expect(toStripeAmount(Number.MAX_SAFE_INTEGER, 'ISK')).toBeUndefined()
  })
})

describe('the limits of an amount', () => {
  it.each([
    ['USD', { min: 50 }],
    ['GBP', { min: 30 }],
    ['JPY', { min: 50 }],
    ['HKD', { min: 400 }],
    ['DKK', { min: 250 }],
    ['MGA', { step: 100 }],
    ['KWD', { step: 10 }],
    ['ISK', {}],
    ['THB', undefined],
  ])('in %s are %o', (code, limits) => {
    expect(STRIPE_AMOUNTS[code]).toEqual(limits)
  })

  it('can be expressed at Stripe', () => {
    for (const [code, { min = 0 }] of Object.entries(STRIPE_AMOUNTS)) {
      expect(toStripeAmount(min, code), code).toBeDefined()
    }
  })
})

it('charges currencies that exist, each once', () => {
  expect(new Set(STRIPE_CURRENCIES).size).toBe(STRIPE_CURRENCIES.length)
  expect(STRIPE_CURRENCIES.length).toBeGreaterThan(120)
  for (const code of STRIPE_CURRENCIES) expect(currencyDigits(code), code).toBeDefined()
})
