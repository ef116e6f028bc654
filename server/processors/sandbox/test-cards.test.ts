import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cardBrand,
  cardScenario,
  ibanScenario,
  isCardNumber,
  isIban,
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

  it.for([
    ['4242424242424242', 'visa'],
    ['5555555555554444', 'mastercard'],
    ['2223003122003222', 'mastercard'],
    ['2720990000000000', 'mastercard'],
    ['2721000000000000', null],
    ['378282246310005', 'amex'],
    ['3056930009020004', 'diners'],
    ['3566002020360505', 'jcb'],
    ['6011111111111117', 'discover'],
    ['6200000000000005', 'unionpay'],
    ['9999999999999995', null],
  ] as const)('knows the brand of %s', ([number, brand]) => {
    expect(cardBrand(number)).toBe(brand)
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
  it('accepts the test accounts and refuses similar ones', () => {
    for (const iban of [...Object.keys(TEST_ACCOUNTS), 'DE89370400440532013000']) {
      expect(isIban(iban)).toBe(true)
      const last = Number(iban.at(-1))
      expect(isIban(`${iban.slice(0, -1)}${(last + 1) % 10}`)).toBe(false)
    }
  })

  it('refuses every account that is not a test account', () => {
    for (const iban of ['DE89370400440532013000', 'constructor']) {
      expect(ibanScenario(iban)).toBeUndefined()
    }
  })

  it.for(['', 'GB68', 'gb68sand00000000000259', '68GBSAND00000000000259'])('refuses %j', (text) =>
    expect(isIban(text)).toBe(false),
  )
})
