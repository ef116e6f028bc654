import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { containsCardNumber, holdsCardNumberWithin, withoutCardNumbers } from './card-in-text.ts'
import { passesLuhn } from './luhn.ts'

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
    expect(containsCardNumber(number)).toBe(true)
    expect(containsCardNumber(`My card is ${number}, thank you`)).toBe(true)
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
    '4242.4242.4242.4242',
    '4242/4242/4242/4242',
    '4242_4242_4242_4242',
    '4242+4242+4242+4242',
    '4242 - 4242 - 4242 - 4242',
    '4242  4242  4242  4242',
    '4242\t4242\t4242\t4242',
    '4242\u20094242\u20094242\u20094242',
    '4242\u30004242\u30004242\u30004242',
    '4242\u20134242\u20134242\u20134242',
    '4242\u22124242\u22124242\u22124242',
    '4242\u00b74242\u00b74242\u00b74242',
    '4242\u200b4242\u200b4242\u200b4242',
    '4\u200b2\u200c4\u200d2\u20604\ufeff2\u00ad4242424242',
    '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2',
    '4-2-4-2-4-2-4-2-4-2-4-2-4-2-4-2 12/30 123',
    '42 42 42 42 42 42 42 42',
    '424 242 424 242 424 2',
    '４２４２４２４２４２４２４２４２',
    '４２４２　４２４２　４２４２　４２４２',
    '٤٢٤٢٤٢٤٢٤٢٤٢٤٢٤٢',
    '۴۲۴۲ ۴۲۴۲ ۴۲۴۲ ۴۲۴۲',
    '४२४२४२४२४२४२४२४२',
    '𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚𝟜𝟚',
    '４２٤٢ ४२42 4242 4242',
    '⁴²⁴²⁴²⁴²⁴²⁴²⁴²⁴²',
    '④②④②④②④②④②④②④②④②',
    '4\ufe0f\u20e32\ufe0f\u20e3'.repeat(8),
    'https://shop.example/thanks?card=4242424242424242',
    'https://shop.example/4242424242424242/thanks',
    'https://4242424242424242.example/',
    'https://shop.example/?c=4242%204242%204242%204242',
    'https://shop.example/?c=4242+4242+4242+4242',
    'https://shop.example/?c=%34%32%34%32%34%32%34%32%34%32%34%32%34%32%34%32',
    'https://shop.example/?c=%2534%25324242424%32424242',
    'https://shop.example/?c=%ff/%34%32%342424242424242',
    'https://shop.example/?c=%EF%BC%94%EF%BC%92%EF%BC%94%EF%BC%92424242424242',
    'mail 4242424242424242@shop.example',
  ])('is found in the format %j', (text) => {
    expect(containsCardNumber(text)).toBe(true)
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
    ['two phone numbers in pairs', '42 12 34 56 / 51 23 45 67'],
    ['two phone numbers of eight digits', '42424242 42424242'],
    ['order numbers, one on each line', '4242\n4242\n4242\n4242'],
    ['a long list of marks', '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2'],
    ['an order number in groups of its own', '4001-20301231-0006'],
    ['an IBAN in groups with hyphens', 'PL61-4242-4242-4242-4242-0712-2874'],
    ['an address of the internet', '192.168.100.200'],
    ['a percentage', 'VAT 20% of 42'],
    ['an encoded address', 'https://shop.example/?q=caf%C3%A9%20%E2%82%AC%2010'],
    ['nothing', ''],
  ])('is not found in %s', (_what, text) => {
    expect(containsCardNumber(text)).toBe(false)
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
  ])('is never found in %s', (_what, values) => {
    fc.assert(
      fc.property(values, (value) => {
        expect(containsCardNumber(String(value))).toBe(false)
        expect(containsCardNumber(`order ${value}`)).toBe(false)
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
  ])('is found at any position: %j', (data) => {
    expect(holdsCardNumberWithin(data)).toBe(true)
  })

  it.each([[null], [{ cart: 'c_1001', n: 1_893_456_000_000, deep: { ok: [true, null, 1.5] } }]])(
    'is not seen in %j',
    (data) => {
      expect(holdsCardNumberWithin(data)).toBe(false)
    },
  )
})

describe('an error that repeats the input', () => {
  it.each([
    `criteria has ${CARD}`,
    'Cannot expand ４２４２ ４２４２ ４２４２ ４２４２',
    'not email=4242%204242%204242%204242',
  ])('has card numbers masked: %j', (message) => {
    expect(withoutCardNumbers(message)).not.toMatch(/\p{N}/u)
  })

  it('is otherwise unchanged', () => {
    const message = 'payment.amount must be at most 32 characters'
    expect(withoutCardNumbers(message)).toBe(message)
  })
})

it('is fast for long texts of digits and gaps', () => {
  const started = performance.now()
  for (const text of ['4 ', '4', '4242 ', 'AB12 4242 ', '4242-', '４', '%34', '%2534', '4   ']) {
    containsCardNumber(text.repeat(20_000 / text.length))
  }
  expect(performance.now() - started).toBeLessThan(1000)
})
