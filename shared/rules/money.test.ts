import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMinor, parseAmount, readTypedAmount, westernDigits } from './money.ts'
import type { NumberStyle } from './money.ts'

const minor = fc.bigInt({ min: 0n, max: 999_999_999_999n }).map(Number)
const digits = fc.integer({ min: 0, max: 4 })

describe('reading an amount', () => {
  it.each([
    ['10.50', 2, 1050],
    ['10.5', 2, 1050],
    ['10', 2, 1000],
    ['0', 2, 0],
    ['0.01', 2, 1],
    ['010.50', 2, 1050],
    ['10.5000000000', 2, 1050],
    ['500', 0, 500],
    ['500.00', 0, 500],
    ['1.234', 3, 1234],
    ['1.2', 3, 1200],
    ['1.2345', 4, 12345],
    ['999999999999.99', 2, 99_999_999_999_999],
    ['999999999999.999', 3, 999_999_999_999_999],
  ])('takes %s with %i decimals', (text, places, expected) => {
    expect(parseAmount(text, places)).toEqual({ ok: true, minor: expected })
  })

  it.each([
    ['', 'FORMAT'],
    [' 10', 'FORMAT'],
    ['10 ', 'FORMAT'],
    ['10\n', 'FORMAT'],
    ['+10', 'FORMAT'],
    ['-10', 'FORMAT'],
    ['10,50', 'FORMAT'],
    ['1,000.00', 'FORMAT'],
    ['1 000', 'FORMAT'],
    ['1e3', 'FORMAT'],
    ['0x10', 'FORMAT'],
    ['.50', 'FORMAT'],
    ['10.', 'FORMAT'],
    ['1.2.3', 'FORMAT'],
    ['NaN', 'FORMAT'],
    ['Infinity', 'FORMAT'],
    ['١٠', 'FORMAT'],
    ['£10', 'FORMAT'],
    ['1000000000000', 'FORMAT'],
    ['10.505', 'DECIMALS'],
    ['10.001', 'DECIMALS'],
    ['0.00000000000000000001', 'DECIMALS'],
  ])('refuses "%s" for a currency with two decimals', (text, problem) => {
    expect(parseAmount(text, 2)).toEqual({ ok: false, problem })
  })

  it.each([
    ['500.50', 0, 'DECIMALS'],
    ['1.2345', 3, 'DECIMALS'],
    ['999999999999.9999', 4, 'TOO_LARGE'],
    ['900719925474.0992', 4, 'TOO_LARGE'],
  ])('refuses %s with %i decimals', (text, places, problem) => {
    expect(parseAmount(text, places)).toEqual({ ok: false, problem })
  })

  it('takes the largest integer that is exact, and not the next', () => {
    expect(parseAmount('900719925474.0991', 4)).toEqual({ ok: true, minor: 2 ** 53 - 1 })
  })
})

describe('writing an amount', () => {
  it.each([
    [500, 0, '500'],
    [0, 0, '0'],
    [1000, 2, '10.00'],
    [5, 2, '0.05'],
    [0, 2, '0.00'],
    [1234, 3, '1.234'],
    [1, 4, '0.0001'],
  ])('writes %i with %i decimals as %s', (amount, places, expected) => {
    expect(formatMinor(amount, places)).toBe(expected)
  })

  it('is read back as the same number of minor units', () => {
    fc.assert(
      fc.property(minor, digits, (amount, places) => {
        expect(parseAmount(formatMinor(amount, places), places)).toEqual({
          ok: true,
          minor: amount,
        })
      }),
    )
  })

  it('has exactly the decimals of the currency', () => {
    fc.assert(
      fc.property(minor, digits, (amount, places) => {
        const [, decimals = ''] = formatMinor(amount, places).split('.')
        expect(decimals).toHaveLength(places)
      }),
    )
  })
})

const EN: NumberStyle = { decimal: '.', group: ',' }
const DE: NumberStyle = { decimal: ',', group: '.' }
const FR: NumberStyle = { decimal: ',', group: '\u202f' }
const AR: NumberStyle = { decimal: '٫', group: '٬' }
const HI: NumberStyle = { decimal: '.', group: ',' }

const clear = (amount: string) => ({ state: 'READ', amount, ambiguous: false })
const unsure = (amount: string) => ({ state: 'READ', amount, ambiguous: true })

describe('an amount that a payer typed', () => {
  it.each([
    ['English', EN, '35', clear('35.00')],
    ['English', EN, '30.49', clear('30.49')],
    ['English', EN, '30.4', clear('30.40')],
    ['English', EN, ' 1 500 ', clear('1500.00')],
    ['English', EN, '1,234.56', clear('1234.56')],
    ['English', EN, '1,234,567', clear('1234567.00')],
    ['English', EN, '1,500', unsure('1500.00')],
    ['English', EN, '15,00', unsure('15.00')],
    ['English', EN, '15,5', unsure('15.50')],
    ['English', EN, '1.500', unsure('1.50')],
    ['English', EN, '1.234,50', clear('1234.50')],
    ['German', DE, '15,00', clear('15.00')],
    ['German', DE, '1.234,56', clear('1234.56')],
    ['German', DE, '1.234.567', clear('1234567.00')],
    ['German', DE, '1.500', unsure('1500.00')],
    ['German', DE, '30.49', unsure('30.49')],
    ['German', DE, '1,500', unsure('1.50')],
    ['Swiss', EN, "1'500.50", clear('1500.50')],
    ['Swiss', EN, '1’500', clear('1500.00')],
    ['French', FR, '1 234,56', clear('1234.56')],
    ['French', FR, '1\u202f234,56', clear('1234.56')],
    ['French', FR, '1\u00a0234\u00a0567', clear('1234567.00')],
    ['French', FR, '12,5', clear('12.50')],
    ['French', FR, '12.50', unsure('12.50')],
    ['Arabic', AR, '١٢٫٥٠', clear('12.50')],
    ['Arabic', AR, '١٬٢٣٤٫٥٠', clear('1234.50')],
    ['Arabic', AR, '١٬٢٣٤٬٥٦٧', clear('1234567.00')],
    ['Arabic', AR, '۱۲٫۵۰', clear('12.50')],
    ['Arabic', AR, '12.50', unsure('12.50')],
    ['Arabic', EN, '١٢.٥٠', clear('12.50')],
    ['Arabic', EN, '١٢٫٥٠', clear('12.50')],
    ['Hindi', HI, '१२.५०', clear('12.50')],
    ['Hindi', HI, '1,23,456', clear('123456.00')],
    ['Hindi', HI, '12,34,567.50', clear('1234567.50')],
    ['Hindi', HI, '१,२३,४५६.७८', clear('123456.78')],
    ['full-width', EN, '１２.５０', clear('12.50')],
  ])('in %s style is read: %o %s', (_language, style, typed, expected) => {
    expect(readTypedAmount(typed, style, 2)).toEqual(expected)
  })

  it.each([
    ['1,500', EN, 0, unsure('1500')],
    ['1.500', DE, 0, unsure('1500')],
    ['1 500', FR, 0, clear('1500')],
    ['500.00', EN, 0, clear('500')],
    ['1.500', EN, 3, clear('1.500')],
    ['1,500', DE, 3, clear('1.500')],
    ['1,500', EN, 3, unsure('1500.000')],
    ['1.500', DE, 3, unsure('1500.000')],
    ['1,234.567', EN, 3, clear('1234.567')],
  ])('"%s" follows the decimals of its currency', (typed, style, places, expected) => {
    expect(readTypedAmount(typed, style, places)).toEqual(expected)
  })

  it.each(['0,500', '1234,500'])('"%s" cannot be thousands, so the comma is decimal', (typed) => {
    const read = readTypedAmount(typed, EN, 3)
    expect(read).toEqual(unsure(typed.replace(',', '.')))
  })

  it.each(['12 50', '1 5', '1 2345', "12'50"])('"%s" is read back to the payer', (typed) => {
    expect(readTypedAmount(typed, EN, 2)).toMatchObject({ state: 'READ', ambiguous: true })
  })

  it.each(['', ' ', '\u00a0', '\t'])('"%s" is empty', (typed) => {
    expect(readTypedAmount(typed, EN, 2)).toEqual({ state: 'EMPTY' })
  })

  it.each([
    'abc',
    '-5',
    '+5',
    '5-',
    '€5',
    '1e3',
    '.5',
    ',5',
    '5.',
    '5,',
    '1..5',
    '1.2.3',
    '1,23,45',
    '1,2345,678',
    '1.234.50',
    '1,234.567,890',
    '1,23.45,67',
    '10.505',
    '0.001',
    '1000000000000',
    '½',
  ])('"%s" is not an amount of euros', (typed) => {
    expect(readTypedAmount(typed, EN, 2)).toEqual({ state: 'INVALID' })
  })

  it('as formatMinor writes it is read back without a doubt in the dot style', () => {
    fc.assert(
      fc.property(minor, digits, (amount, places) => {
        const text = formatMinor(amount, places)
        expect(readTypedAmount(text, EN, places)).toEqual(clear(text))
      }),
    )
  })

  // Two kinds of separator leave no doubt, and neither does a number without any; one separator
  // alone may be read as something else, but then the payer is asked.
  it.each([
    ['English', 'en', EN],
    ['German', 'de', DE],
    ['French', 'fr', FR],
    ['Arabic', 'ar-EG', AR],
    ['Hindi', 'hi', HI],
  ])('as %s writes it with groups is the same amount, or is asked about', (_name, tag, style) => {
    fc.assert(
      fc.property(minor, fc.integer({ min: 0, max: 3 }), (amount, places) => {
        const text = formatMinor(amount, places)
        const written = new Intl.NumberFormat(tag, {
          minimumFractionDigits: places,
          maximumFractionDigits: places,
        }).format(text as `${number}`)
        const read = readTypedAmount(written, style, places)
        expect(read.state).toBe('READ')
        if (read.state === 'READ' && !read.ambiguous) expect(read.amount).toBe(text)
      }),
    )
  })

  it('never becomes an amount that the API would refuse', () => {
    const typed = fc.string({
      unit: fc.constantFrom(...Array.from("0123456789.,٫٬ '-१٣")),
      maxLength: 12,
    })
    fc.assert(
      fc.property(typed, fc.constantFrom(EN, DE, FR, AR), digits, (text, style, places) => {
        const read = readTypedAmount(text, style, places)
        if (read.state === 'READ') expect(parseAmount(read.amount, places).ok).toBe(true)
      }),
    )
  })
})

describe('digits of other scripts', () => {
  it.each(['٠١٢٣٤٥٦٧٨٩', '۰۱۲۳۴۵۶۷۸۹', '०१२३४५६७८९', '０１２３４５６７８９'])(
    '%s become 0 to 9',
    (text) => {
      expect(westernDigits(text)).toBe('0123456789')
    },
  )

  it('leaves everything else alone', () => {
    expect(westernDigits('a1,٫²½')).toBe('a1,٫²½')
  })
})
