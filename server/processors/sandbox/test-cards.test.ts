import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isIban } from '../../../shared/rules/iban.ts'
import {
  cardBrand,
  cardScenario,
  ibanScenario,
  isCardNumber,
  TEST_ACCOUNTS,
  TEST_CARDS,
} from './test-cards.ts'

const DIGITS = Array.from('0123456789')
const digits = (minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...DIGITS), minLength, maxLength })

describe('card numbers', () => {
  it('accepts every test card', () => {
    for (const number of Object.keys(TEST_CARDS)) expect(isCardNumber(number)).toBe(true)
  })

  it('has exactly one valid check digit', () => {
    fc.assert(
      fc.property(digits(11, 18), (front) => {
        const fitting = DIGITS.filter((check) => isCardNumber(front + check))
        expect(fitting).toHaveLength(1)
      }),
    )
  })

  it('refuses one wrong digit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(TEST_CARDS)),
        fc.nat(14),
        fc.integer({ min: 1, max: 9 }),
        (number, place, shift) => {
          const wrong = (Number(number[place]) + shift) % 10
          expect(isCardNumber(number.slice(0, place) + wrong + number.slice(place + 1))).toBe(false)
        },
      ),
    )
  })

  it.for([
    '',
    '42',
    '42424242424',
    '42424242424242424242',
    '4242-4242-4242-4242',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
  ])('refuses %j', (text) => expect(isCardNumber(text)).toBe(false))

  it('knows the brand of each test card', () => {
    const brands = Map.groupBy(Object.keys(TEST_CARDS), cardBrand)
    expect(brands.get('amex')).toEqual(['378282246310005'])
    expect(brands.get('mastercard')).toEqual(['5555555555554444'])
    expect(brands.get('visa')).toHaveLength(Object.keys(TEST_CARDS).length - 2)
  })

  it('refuses every number that is not a test card', () => {
    fc.assert(
      fc.property(digits(12, 19), (number) => {
        fc.pre(!(number in TEST_CARDS))
        expect(cardScenario(number)).toBeUndefined()
      }),
    )
    expect(cardScenario('constructor')).toBeUndefined()
  })
})

describe('IBANs', () => {
  it('accepts every test account', () => {
    for (const iban of Object.keys(TEST_ACCOUNTS)) expect(isIban(iban)).toBe(true)
  })

  it('refuses every account that is not a test account', () => {
    for (const iban of ['DE89370400440532013000', 'constructor']) {
      expect(ibanScenario(iban)).toBeUndefined()
    }
  })
})
