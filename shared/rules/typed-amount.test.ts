import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMinor, parseAmount } from './money.ts'
import { readTypedAmount } from './typed-amount.ts'
import type { NumberStyle } from './typed-amount.ts'

const minor = fc.bigInt({ min: 0n, max: 999_999_999_999n }).map(Number)
const digits = fc.integer({ min: 0, max: 4 })

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
