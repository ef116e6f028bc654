import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatMinor, parseAmount } from './money.ts'
import { numberStyle } from './number-style.ts'
import { type NumberStyle, readTypedAmount } from './typed-amount.ts'
import { intlLanguage } from './wording.ts'

const minor = fc.bigInt({ min: 0n, max: 999_999_999_999n }).map(Number)
const digits = fc.integer({ min: 0, max: 4 })

const EN: NumberStyle = { decimal: '.', group: ',' }
const DE: NumberStyle = { decimal: ',', group: '.' }
const FR: NumberStyle = { decimal: ',', group: '\u202f' }
const AR: NumberStyle = { decimal: '٫', group: '٬' }
const HI: NumberStyle = { decimal: '.', group: ',' }

/** Euros, on a page in English. */
const inStyle = (style: NumberStyle, places: number) => ({
  style,
  currency: 'EUR',
  digits: places,
  languages: ['default'],
})

const clear = (amount: string) => ({ state: 'READ', amount, ambiguous: false })
const unsure = (amount: string) => ({ state: 'READ', amount, ambiguous: true })

describe('an amount that a payer types', () => {
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
  ])('in %s style is parsed: %o %s', (_language, style, typed, expected) => {
    expect(readTypedAmount(typed, inStyle(style, 2))).toEqual(expected)
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
    expect(readTypedAmount(typed, inStyle(style, places))).toEqual(expected)
  })

  it.each(['0,500', '1234,500'])(
    '"%s" cannot have a thousands separator, so the comma is decimal',
    (typed) => {
      const read = readTypedAmount(typed, inStyle(EN, 3))
      expect(read).toEqual(unsure(typed.replace(',', '.')))
    },
  )

  it.each(['12 50', '1 5', '1 2345', "12'50"])('"%s" needs confirmation', (typed) => {
    expect(readTypedAmount(typed, inStyle(EN, 2))).toMatchObject({ state: 'READ', ambiguous: true })
  })

  it.each(['', ' ', '\u00a0', '\t'])('"%s" is empty', (typed) => {
    expect(readTypedAmount(typed, inStyle(EN, 2))).toEqual({ state: 'EMPTY' })
  })

  const invalid = 'abc -5 +5 5- 1e3 .5 ,5 5. 5, ½ 1..5 1.2.3 10.505 0.001 1000000000000'.split(' ')
  const misplaced = '1,23,45 1,2345,678 1.234.50 1,234.567,890 1,23.45,67'.split(' ')

  it.each([...invalid, ...misplaced])('"%s" is not an amount of euros', (typed) => {
    expect(readTypedAmount(typed, inStyle(EN, 2))).toEqual({ state: 'INVALID' })
  })

  it('as formatted by formatMinor is parsed without confirmation in the dot style', () => {
    fc.assert(
      fc.property(minor, digits, (amount, places) => {
        const text = formatMinor(amount, places)
        expect(readTypedAmount(text, inStyle(EN, places))).toEqual(clear(text))
      }),
    )
  })

  // Numbers with two kinds of separators or none are unambiguous; a single separator may be
  // ambiguous, and then the payer must confirm.
  it.each([
    ['English', 'en', EN],
    ['German', 'de', DE],
    ['French', 'fr', FR],
    ['Arabic', 'ar-EG', AR],
    ['Hindi', 'hi', HI],
  ])(
    'as %s formats it with groups is the same amount or needs confirmation',
    (_name, tag, style) => {
      fc.assert(
        fc.property(minor, fc.integer({ min: 0, max: 3 }), (amount, places) => {
          const text = formatMinor(amount, places)
          const written = new Intl.NumberFormat(tag, {
            minimumFractionDigits: places,
            maximumFractionDigits: places,
          }).format(text as `${number}`)
          const read = readTypedAmount(written, inStyle(style, places))
          expect(read.state).toBe('READ')
          if (read.state === 'READ' && !read.ambiguous) expect(read.amount).toBe(text)
        }),
      )
    },
  )

  it('never becomes an amount that the API rejects', () => {
    const typed = fc.string({
      unit: fc.constantFrom(...Array.from("0123456789.,٫٬ '-१٣")),
      maxLength: 12,
    })
    fc.assert(
      fc.property(typed, fc.constantFrom(EN, DE, FR, AR), digits, (text, style, places) => {
        const read = readTypedAmount(text, inStyle(style, places))
        if (read.state === 'READ') expect(parseAmount(read.amount, places).ok).toBe(true)
      }),
    )
  })
})

const LANGUAGES = readdirSync(new URL('../../locales/', import.meta.url))
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))

const CURRENCIES = ['EUR', 'USD', 'GBP', 'CHF', 'SEK', 'DKK', 'NOK', 'PLN', 'CZK', 'HUF', 'RON']
  .concat(['BGN', 'TRY', 'UAH', 'AED', 'SAR', 'EGP', 'ILS', 'INR', 'JPY', 'KRW', 'CNY', 'TWD'])
  .concat(['HKD', 'CAD', 'AUD', 'NZD', 'BRL', 'MXN', 'ARS', 'CLP', 'ZAR', 'SGD', 'KWD', 'ISK'])

describe.each(LANGUAGES)('an amount with its currency, written in %s', (language) => {
  const digitsOf = (currency: string) => (currency === 'JPY' ? 0 : currency === 'KWD' ? 3 : 2)
  const write = (currency: string, currencyDisplay: 'symbol' | 'narrowSymbol' | 'code' | 'name') =>
    new Intl.NumberFormat(intlLanguage(language), {
      style: 'currency',
      currency,
      currencyDisplay,
      minimumFractionDigits: digitsOf(currency),
      maximumFractionDigits: digitsOf(currency),
    }).format(20)
  const style = numberStyle(language)
  const read = (typed: string, currency: string, languages = [language]) =>
    readTypedAmount(typed, { style, currency, digits: digitsOf(currency), languages })
  const twenty = (currency: string) =>
    formatMinor(20 * 10 ** digitsOf(currency), digitsOf(currency))

  it('is parsed without confirmation with the symbol, the code or the localized name', () => {
    for (const currency of CURRENCIES) {
      for (const display of ['symbol', 'code', 'name'] as const) {
        const typed = write(currency, display)
        expect([typed, read(typed, currency)]).toEqual([typed, clear(twenty(currency))])
      }
    }
  })

  it('is parsed with the short symbol, with confirmation if it is ambiguous', () => {
    for (const currency of CURRENCIES) {
      const [short, symbol] = [write(currency, 'narrowSymbol'), write(currency, 'symbol')]
      const expected = { state: 'READ', amount: twenty(currency), ambiguous: short !== symbol }
      expect([short, read(short, currency)]).toEqual([short, expected])
    }
  })

  it('is also parsed on a page in any other language that the merchant offers', () => {
    for (const currency of CURRENCIES) {
      const typed = write(currency, 'symbol')
      for (const other of ['default', 'de', 'ja']) {
        const page = read(typed, currency, [other, ...LANGUAGES])
        expect([typed, page]).toMatchObject([typed, { state: 'READ', amount: twenty(currency) }])
      }
    }
  })

  it('is never parsed as another currency', () => {
    const pairs = 'EUR/USD EUR/GBP USD/EUR USD/JPY JPY/USD GBP/INR SEK/EUR CAD/EUR'.split(' ')
    for (const [currency = '', other = ''] of pairs.map((pair) => pair.split('/'))) {
      for (const display of ['symbol', 'narrowSymbol', 'code', 'name'] as const) {
        const typed = write(other, display)
        const { state } = read(typed, currency, [language, ...LANGUAGES])
        expect([typed, state]).toEqual([typed, 'OTHER_CURRENCY'])
      }
    }
  })
})

describe('an amount of euros on a page in English', () => {
  it.each([
    '€20',
    '€ 20',
    '20€',
    '20 €',
    'EUR 20',
    '20 EUR',
    'eur20',
    '20 euros',
    '€20 EUR',
    ' €\u00a020 ',
  ])('is parsed from "%s"', (typed) => {
    expect(readTypedAmount(typed, inStyle(EN, 2))).toEqual(clear('20.00'))
  })

  it.each([
    '$20',
    '20 $',
    'USD 20',
    '20 £',
    'US$20',
    '20 dollars',
    '20 apples',
    '€20 USD',
    '€.50',
    '€-5',
  ])('is not parsed from "%s"', (typed) => {
    expect(readTypedAmount(typed, inStyle(EN, 2))).toEqual({ state: 'OTHER_CURRENCY' })
  })
})

describe('a symbol that several currencies share', () => {
  const typed = (text: string, currency: string, ...languages: string[]) =>
    readTypedAmount(text, { style: EN, currency, digits: 2, languages })

  it('is parsed and needs confirmation', () => {
    expect(typed('$20', 'CAD', 'default')).toEqual(unsure('20.00'))
    expect(typed('20 kr', 'SEK', 'default')).toEqual(unsure('20.00'))
    expect(typed('¥20', 'CNY', 'default')).toEqual(unsure('20.00'))
  })

  it('needs no confirmation if the page’s language uses it for this currency', () => {
    expect(typed('$20', 'USD', 'default')).toEqual(clear('20.00'))
    expect(typed('20 kr', 'SEK', 'sv')).toEqual(clear('20.00'))
    expect(typed('¥20', 'CNY', 'zh')).toEqual(clear('20.00'))
  })

  it('with an ambiguous dot needs confirmation', () => {
    expect(typed('kr.50', 'DKK', 'da')).toEqual(unsure('50.00'))
    expect(typed('kr. 50', 'DKK', 'da')).toEqual(clear('50.00'))
  })

  it.each([
    ['20元', 'CNY'],
    ['20원', 'KRW'],
    ['20 TL', 'TRY'],
    ['20 грн', 'UAH'],
    ['Rs. 20', 'INR'],
  ])('in informal notation is parsed: %s', (text, currency) => {
    expect(typed(text, currency, 'default')).toMatchObject({ state: 'READ', amount: '20.00' })
  })
})
