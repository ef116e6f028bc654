import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { holdsCardNumber, holdsCardNumberWithin, passesLuhn } from './card-in-text.ts'

const CARD = '4242424242424242'

describe('a card number in a text', () => {
  it.each([
    ['Visa', CARD],
    ['Visa of 19 digits', '4000000000000000006'],
    ['Mastercard', '5555555555554444'],
    ['Mastercard of the 2 series', '2223003122003222'],
    ['American Express', '378282246310005'],
    ['Diners Club', '30569309025904'],
    ['Diners Club of the 36 series', '36227206271667'],
    ['Discover', '6011111111111117'],
    ['JCB', '3530111333300000'],
    ['UnionPay', '6205500000000000004'],
    ['Maestro', '6759649826438453'],
  ])('is found: %s', (_scheme, number) => {
    expect(passesLuhn(number)).toBe(true)
    expect(holdsCardNumber(number)).toBe(true)
    expect(holdsCardNumber(`My card is ${number}, thank you`)).toBe(true)
  })

  it.each([
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '4242\u00a04242\u00a04242\u00a04242',
    '3782 822463 10005',
    '3056 930902 5904',
    '3056 9309 0259 04',
    '4000 0000 0000 0000 006',
    'card no.4242424242424242',
    '(4242424242424242)',
    '4242 4242 4242 4242 12/30 123',
    '12/30 4242 4242 4242 4242',
    '123 4242424242424242',
    'a\n4242424242424242\nb',
    '4242424242424242,12/30',
    'number=4242424242424242&csc=123',
  ])('is found in the spelling %j', (text) => {
    expect(holdsCardNumber(text)).toBe(true)
  })

  it.each([
    ['another check digit', '4242424242424243'],
    ['no scheme begins like this', '1234567812345670'],
    ['unix seconds', '1893456000'],
    ['unix milliseconds', '1893456000000'],
    ['unix milliseconds of 2033 and later', '2000000000008'],
    ['an EAN barcode', '4006381333931'],
    ['a GTIN of 14 digits', '40063813339310'],
    ['an order number of 13 digits', '5123456789010'],
    ['an order number of 17 digits in groups', '403-1234567-1234567'],
    ['a number of 17 digits', '42424242424242424'],
    ['a longer number', `${CARD}4242`],
    ['a word', `ORD${CARD}`],
    ['a word and a hyphen', `ORD-${CARD}`],
    ['a word behind it', `${CARD}x`],
    ['an IBAN', 'DE89370400440532013000'],
    ['an IBAN that begins like a card', 'CH6242424242424242428'],
    ['an IBAN in groups', 'PL61 4242 4242 4242 4242 0712 2874'],
    ['an IMEI', '356938035643809'],
    ['a SIM card', '8944501810180175785'],
    ['a UUID', '42424242-4242-4242-8242-424242424242'],
    ['an id of ours', `pay_${CARD}_k3j9x2q9fk2blq0t`],
    ['a fraction', '0.4242424242424242'],
    ['a phone number', '+49 1512 3456 7890'],
    ['nothing', ''],
  ])('is not seen in what is none: %s', (_what, text) => {
    expect(holdsCardNumber(text)).toBe(false)
  })

  it.each([
    ['unix milliseconds', fc.integer({ min: 0, max: Date.parse('2090-01-01T00:00:00Z') })],
    [
      'unix microseconds of this century’s first half',
      fc.bigInt({ min: 1_000_000_000_000_000n, max: 1_999_999_999_999_999n }),
    ],
    ['EAN barcodes', fc.integer({ min: 1_000_000_000_000, max: 9_999_999_999_999 })],
    [
      'dates as digits, with and without milliseconds',
      fc
        .tuple(
          fc.date({
            min: new Date('2000-01-01T00:00:00Z'),
            max: new Date('2199-12-31T23:59:59Z'),
            noInvalidDate: true,
          }),
          fc.constantFrom(14, 17),
        )
        .map(([date, length]) => date.toISOString().replace(/\D/g, '').slice(0, length)),
    ],
  ])('is never seen in %s', (_what, values) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(holdsCardNumber(String(value))).toBe(false)
        expect(holdsCardNumber(`order ${value}`)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('a card number in data', () => {
  it.each([
    [{ note: CARD }],
    [{ a: [{ b: `x ${CARD}` }] }],
    [{ [CARD]: 'as a name' }],
    [{ number: Number(CARD) }],
    [[CARD]],
    [CARD],
    [JSON.parse(`{"__proto__":"${CARD}"}`)],
  ])('is found wherever it stands: %j', (data) => {
    expect(holdsCardNumberWithin(data)).toBe(true)
  })

  it.each([[null], [{ cart: 'c_1001', n: 1_893_456_000_000, deep: { ok: [true, null, 1.5] } }]])(
    'is not seen in %j',
    (data) => {
      expect(holdsCardNumberWithin(data)).toBe(false)
    },
  )
})

it('takes no time worth noticing over long texts of digits and gaps', () => {
  const started = performance.now()
  for (const text of ['4 ', '4', '4242 ', 'AB12 4242 ', '4242-']) {
    holdsCardNumber(text.repeat(20_000 / text.length))
  }
  expect(performance.now() - started).toBeLessThan(1000)
})
