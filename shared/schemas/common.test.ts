import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  accountAddress,
  address,
  altKey,
  currency,
  email,
  instant,
  merchantKey,
  metadata,
  notes,
  positiveAmount,
  text,
  timeZone,
} from './common.ts'

const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success
const problem = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message

describe('values sent as text', () => {
  it.each([
    ['an amount', positiveAmount, 10.5],
    ['an amount', positiveAmount, true],
    ['a currency', currency, 978],
    ['an instant', instant, 1_893_456_000_000],
    ['a key', merchantKey, 7],
    ['a time zone', timeZone, 0],
    ['a text', text(10), false],
    ['a text', text(10), ['a']],
  ])('are not coerced: %s', (_what, schema, value) => {
    expect(accepts(schema, value)).toBe(false)
  })
})

describe('an amount', () => {
  it.each(['0.01', '10', '10.50', '999999999999.99', '0.001'])('may be %s', (value) => {
    expect(accepts(positiveAmount, value)).toBe(true)
  })

  it.each(['0', '0.00', '000', '0.000000'])('may not be zero: %s', (value) => {
    expect(problem(positiveAmount, value)).toBe('must be more than zero')
  })

  it.each(['15,00', '1e3', '-1', '.5', '5.', ' 5', '1000000000000', ''])(
    'may not be "%s"',
    (value) => {
      expect(problem(positiveAmount, value)).toContain('must be a decimal amount')
    },
  )
})

describe('a currency', () => {
  it('is an ISO 4217 code', () => {
    expect(accepts(currency, 'EUR')).toBe(true)
  })

  it.each(['eur', 'EU', 'EURO', '', 'E1R'])('is three capital letters, unlike "%s"', (code) => {
    expect(problem(currency, code)).toBe('must be three capital letters')
  })

  it.each(['XXX', 'XAU', 'XTS', 'ZZZ'])('is money, unlike %s', (code) => {
    expect(problem(currency, code)).toBe('is not an ISO 4217 currency')
  })
})

describe('a key of the merchant', () => {
  it.each(['a', 'order/7', 'Rechnung 2030-07', 'é', '7', 'acc_', 'pl_1', 'x'.repeat(255)])(
    'may be %s',
    (key) => {
      expect(accepts(merchantKey, key)).toBe(true)
    },
  )

  it.each([
    '',
    ' a',
    'a ',
    ' ',
    '\u00a0a',
    'a\tb',
    'a\nb',
    'a\0b',
    'a\u007fb',
    'a\u007f',
    'a\0',
    '\0',
    'a\u0085b',
    'x'.repeat(256),
  ])('may not be %j', (key) => {
    expect(accepts(merchantKey, key)).toBe(false)
  })

  it.each(['.', '..'])('may not be %s, a relative path segment', (key) => {
    expect(problem(merchantKey, key)).toBe('must not be . or ..')
  })

  it.each(['acc_1699000000000_k3j9', 'pay_1_a', 'pl_1_a', 'ck_1_a'])(
    'may not look like %s',
    (key) => {
      expect(problem(merchantKey, key)).toBe('must not have the form of an id')
    },
  )
})

describe('a case-insensitive key', () => {
  it.each(['PAY_1_A', 'Acc_1699000000000_K3J9', 'pay_1_a'])(
    'must not have the form of an id: %s',
    (key) => {
      expect(problem(altKey, key)).toBe('must not have the form of an id')
    },
  )

  it('is otherwise free', () => {
    expect(accepts(altKey, 'PAY-2024-A1')).toBe(true)
    expect(accepts(merchantKey, 'PAY_2024_A1')).toBe(true)
  })
})

describe('an email address', () => {
  it.each([
    'ada@example.com',
    'a&b@example.com',
    'a/b=c@example.com',
    "o'neil+shop@example.co.uk",
    'ivan@xn--80a1acny.xn--p1ai',
    'иван@почта.рф',
  ])('is %s', (text) => {
    expect(accepts(email, text)).toBe(true)
  })

  it.each([
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'ada@example.',
    'a@b@c.de',
    'a\0@b.de',
  ])('is not %j', (text) => {
    expect(accepts(email, text)).toBe(false)
  })
})

describe('notes', () => {
  it('are at most 16 384 characters as JSON', () => {
    const filled = (length: number) =>
      Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, 'x'.repeat(length)]))
    expect(problem(notes, filled(4088))).toBeUndefined()
    expect(problem(notes, filled(4090))).toBe('must be at most 16384 characters as JSON')
  })

  it('reject a name that would be lost', () => {
    const metadata = JSON.parse('{"__proto__":"x","constructor":"y"}')
    expect(problem(notes, metadata)).toBe('must not have the name __proto__')
    expect(notes.parse({ constructor: 'y' })).toEqual({ constructor: 'y' })
  })
})

describe('free text', () => {
  it('may be empty and may have any other character than NUL', () => {
    expect(accepts(text(10), '')).toBe(true)
    expect(accepts(text(10), 'a\n\té\u{1f600}')).toBe(true)
    expect(problem(text(10), 'a\0b')).toBe('must not contain the NUL character')
  })

  it('has a maximum length', () => {
    expect(accepts(text(10), 'x'.repeat(10))).toBe(true)
    expect(accepts(text(10), 'x'.repeat(11))).toBe(false)
  })
})

describe('a time zone', () => {
  it('is a name that Intl supports', () => {
    expect(accepts(timeZone, 'Asia/Kolkata')).toBe(true)
    expect(problem(timeZone, '+01:00')).toContain('IANA time zone name')
    expect(accepts(timeZone, `Etc/${'x'.repeat(100)}`)).toBe(false)
  })
})

describe('an address', () => {
  it('may omit or clear every line', () => {
    expect(accepts(address, {})).toBe(true)
    expect(accepts(address, { line1: null, line6: null, country: null })).toBe(true)
  })

  it('has no other members', () => {
    expect(accepts(address, { city: 'Paris' })).toBe(false)
  })

  it.each(['US-CA', 'DE-BY', 'GB-ABC', 'FR-75'])('accepts the subdivision %s', (line6) => {
    expect(accepts(address, { line6 })).toBe(true)
  })

  it.each(['CA', 'us-ca', 'US_CA', 'US-', 'US-ABCD', 'USA-CA', 'California', ''])(
    'refuses the subdivision "%s"',
    (line6) => {
      expect(problem(address, { line6 })).toContain('ISO 3166-2')
    },
  )

  it.each(['ZZ', 'UK', 'EU', 'de', 'DEU', 'Germany', ''])('refuses the country "%s"', (country) => {
    for (const schema of [address, accountAddress]) {
      expect(problem(schema, { country })).toBe('must be an ISO 3166-1 alpha-2 code such as DE')
    }
  })

  it('refuses a subdivision of no country', () => {
    expect(problem(address, { line6: 'ZZ-CA' })).toContain('ISO 3166-2')
  })

  it('keeps the subdivision in the country', () => {
    expect(accepts(address, { line6: 'US-CA', country: 'US' })).toBe(true)
    const { error } = address.safeParse({ line6: 'US-CA', country: 'DE' })
    expect(error?.issues).toMatchObject([
      { path: ['line6'], message: 'must lie in the country of the address' },
    ])
  })
})

describe('metadata', () => {
  it('maps text to text', () => {
    expect(accepts(metadata, { a: 'b', '': '' })).toBe(true)
    expect(accepts(metadata, { a: 1 })).toBe(false)
    expect(accepts(metadata, { a: { b: 'c' } })).toBe(false)
    expect(accepts(metadata, ['a'])).toBe(false)
  })
})
