import fc from 'fast-check'
import { expect, it } from 'vitest'
import { brokenBound, productText, QUANTITY_MAX } from './amount-choice.ts'
import { formatMinor, parseAmount } from './money.ts'

const digits = fc.constantFrom(0, 2, 3, 4)
const minor = fc.integer({ min: 1, max: 10_000_000 })

it('an amount is refused exactly outside of its bounds, which belong to them', () => {
  const cases = fc.tuple(digits, minor, minor, minor)
  fc.assert(
    fc.property(cases, ([places, amount, one, other]) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)]
      const bounds = { amount_min: formatMinor(low, places), amount_max: formatMinor(high, places) }
      const expected = amount < low ? 'amount_min' : amount > high ? 'amount_max' : undefined
      expect(brokenBound(bounds, amount, places)).toBe(expected)
      expect(brokenBound({}, amount, places)).toBeUndefined()
    }),
  )
})

it('a bound that the currency cannot express lets no amount through', () => {
  expect(brokenBound({ amount_max: '5.50' }, 1, 0)).toBe('amount_max')
  expect(brokenBound({ amount_min: '0.50' }, 1, 0)).toBe('amount_min')
})

it('a product is exact, or is none where it exceeds every amount', () => {
  const cases = fc.tuple(
    digits,
    fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
    fc.integer({ min: 1, max: QUANTITY_MAX }),
  )
  fc.assert(
    fc.property(cases, ([places, unit, quantity]) => {
      const price = formatMinor(unit, places)
      const exact = BigInt(unit) * BigInt(quantity)
      const limit = BigInt(Number.MAX_SAFE_INTEGER)
      const text = productText(price, quantity, places)
      const fits = exact <= limit && exact < 10n ** BigInt(12 + places)
      const isAmount = parseAmount(price, places).ok
      expect(text).toBe(fits && isAmount ? formatMinor(Number(exact), places) : undefined)
    }),
  )
})
