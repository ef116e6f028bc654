import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newId, newPaymentLinkId, newReference } from '../ids.ts'
import { newSecret } from '../auth/secrets.ts'
import { passesLuhn } from '../../shared/rules/luhn.ts'
import { createLog } from './log.ts'
import { redact } from './redact.ts'

const CARD = '4242424242424242'
const CARDS = [
  CARD,
  '5555555555554444',
  '2223003122003222',
  '378282246310005',
  '30569309025904',
  '6011111111111117',
  '4222222222222',
  '6304000000000000000',
]

function logged(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('trace', { write: (line: string) => lines.push(line) }))
  return lines.join('')
}
const parsed = (line: string) => JSON.parse(line) as Record<string, unknown>

/** The digits of a line, concatenated. */
const digitsOf = (text: string) => text.replace(/\D/g, '')

describe('a card number', () => {
  it.each(CARDS)('%s is removed', (number) => {
    expect(redact(`the card ${number} was refused`)).toBe(
      'the card [card number removed] was refused',
    )
  })

  it.each([
    '4242 4242 4242 4242',
    '4242-4242-4242-4242',
    '4242.4242.4242.4242',
    '4242\u00a04242\u00a04242\u00a04242',
    '4242\u202f4242\u202f4242\u202f4242',
    '4242 4242-4242 4242',
    '42424242 42424242',
    '4 2 4 2 4 2 4 2 4 2 4 2 4 2 4 2',
    '3782 822463 10005',
    '3782-822463-10005',
    '3056 930902 5904',
  ])('is removed when written as %s', (text) => {
    expect(redact(`card ${text}, sorry`)).toBe('card [card number removed], sorry')
  })

  it.each([
    (card: string) => card,
    (card: string) => `"${card}"`,
    (card: string) => `number=${card}&csc=123`,
    (card: string) => `(${card})`,
    (card: string) => `card no.${card}.`,
    (card: string) => `card:${card};`,
    (card: string) => `/cards/${card}/`,
    (card: string) => `${card} 12/30 123`,
    (card: string) => `${card} 123`,
    (card: string) => `status 200 ${card}`,
    (card: string) => `2 cards: ${card} ${card}`,
    (card: string) => `5 ${card} 5`,
    (card: string) => `first\n${card}\nlast`,
    (card: string) => `tab\t${card}\r\n`,
    (card: string) => `zero\0${card}`,
  ])('is removed at any position (%#)', (around) => {
    for (const card of [CARD, '4242 4242 4242 4242', '378282246310005']) {
      const line = logged((log) => log.info(around(card)))
      expect(digitsOf(String(parsed(line)['msg'])), line).not.toContain(digitsOf(card))
      expect(line).toContain('[card number removed]')
    }
  })

  it('is removed from members, lists, numbers and names, and the line stays JSON', () => {
    const line = JSON.stringify({
      card: { number: CARD, digits: Number(CARD) },
      all: [CARD],
      [CARD]: 'as a name',
      last: Number(CARD),
    })
    expect(parsed(redact(line))).toEqual({
      card: { number: '[card number removed]', digits: '[card number removed]' },
      all: ['[card number removed]'],
      '[card number removed]': 'as a name',
      last: '[card number removed]',
    })
  })

  it('is removed from messages, errors, their causes and their stacks', () => {
    const error = new Error(`declined ${CARD}`, { cause: new Error(`inner ${CARD}`) })
    const line = logged((log) => log.error({ err: error }, `failed for ${CARD}`))
    expect(line).not.toContain(CARD)
    expect(line.match(/\[card number removed\]/g)?.length).toBeGreaterThanOrEqual(4)
    parsed(line)
  })

  it('is removed in any grouping, next to other digits', () => {
    const lengths = fc.constantFrom(14, 15, 16, 18, 19)
    const digits = fc
      .tuple(fc.constantFrom('2', '3', '4', '5', '6'), lengths, fc.infiniteStream(fc.nat(9)))
      .map(([first, length, more]) => withCheckDigit(first + [...more.take(length - 2)].join('')))
    const gaps = fc.infiniteStream(fc.constantFrom('', '', '', '', ' ', '-', '\u00a0', '\u202f'))
    const spelt = fc
      .tuple(digits, gaps)
      .map(([number, gap]) => [number, spell(number, gap)] as const)
      // Groups of nine digits and more are times, and left alone.
      .filter(([number, text]) => text === number || !/\d{9}/.test(text))
    const before = fc.constantFrom('', ' ', ', ', '"', '(', 'card: ', '\n', '\t', 'no. ')
    const after = fc.constantFrom('', ' ', ', ', '"', ')', ' card', '\n', '\t', '. No')
    fc.assert(
      fc.property(spelt, before, after, ([number, text], start, end) => {
        const line = logged((log) => log.info(`${start}${text}${end}`))
        expect(digitsOf(String(parsed(line)['msg'])), text).not.toContain(number)
      }),
      { numRuns: 2000 },
    )
  })

  function withCheckDigit(start: string): string {
    const digit = Array.from('0123456789').find((last) => passesLuhn(start + last))
    return start + digit
  }

  function spell(number: string, gaps: Iterator<string>): string {
    return Array.from(number, (digit, at) =>
      at === 0 ? digit : `${gaps.next().value as string}${digit}`,
    ).join('')
  }

  it('is distinguished from other digits by its check digit', () => {
    expect(redact('order 4242424242424243')).toBe('order 4242424242424243')
  })
})

describe('credentials', () => {
  const SECRETS = [
    newSecret('sk_test_default'),
    newSecret('sk_live_default'),
    newSecret('ckt'),
    newSecret('tok'),
    newSecret('at'),
    newSecret('rt'),
    newSecret('cd'),
    newSecret('cs'),
    newSecret('us'),
    newSecret('vis'),
    newSecret('si'),
    newSecret('kept'),
    'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    'whsec_abc+def/ghi=',
    'sk_test_abc1',
    'tok_0123456789abcdef',
  ]
  const HEADERS = [
    'Basic c2tfdGVzdF94Og==',
    'basic YTo=',
    'BASIC   c2tfdGVzdF94Og==',
    'Bearer abc.def-ghi_jkl~mno+p/q=',
    'bearer 0123456789',
  ]

  it.each([...SECRETS, ...HEADERS])('%s is removed at any position', (secret) => {
    const value = secret.replace(/^\w+ +/, '')
    expect(redact(secret)).toMatch(/^(\w+ +|[a-z]+_)\[removed\]$/)
    const error = new Error(`refused ${secret}`)
    const line = logged((log) => {
      log.error({ err: error, operation: secret }, `with ${secret}!`)
      log.info(`first\n${secret}\nlast "${secret}"`)
    })
    expect(line).not.toContain(value)
    expect(line.match(/\[removed\]/g)?.length).toBeGreaterThanOrEqual(6)
    for (const each of line.trim().split('\n')) parsed(each)
  })

  it('keep the prefix of the secret', () => {
    expect(redact('sk_test_0123456789abcdef')).toBe('sk_[removed]')
    expect(redact('Authorization: Bearer abcdefgh')).toBe('Authorization: Bearer [removed]')
  })
})

describe('a line', () => {
  it('has only the allowed members, and no objects', () => {
    const fields = {
      method: 'POST',
      status: 200,
      headers: { authorization: 'x' },
      body: 'y',
      query: 'z',
      request: { url: 'w' },
      client: ['v'],
    }
    const { time: _time, ...line } = parsed(logged((log) => log.info(fields, 'request')))
    expect(line).toEqual({ level: 30, method: 'POST', status: 200, msg: 'request' })
  })

  it('has the type, message, stack and code of an error only', () => {
    const error = Object.assign(new TypeError('broken', { cause: new Error('inside') }), {
      code: '23505',
      detail: 'Key (email)=(ada@example.com) already exists.',
      parameters: ['ada@example.com'],
    })
    const { err } = parsed(logged((log) => log.error({ err: error }, 'failed')))
    expect(err).toMatchObject({ type: 'TypeError', code: '23505' })
    expect(Object.keys(err as object).toSorted()).toEqual(['code', 'message', 'stack', 'type'])
    expect(JSON.stringify(err)).toContain('inside')
    expect(JSON.stringify(err)).not.toContain('ada@')
  })

  it('has a thrown value that is not an error', () => {
    expect(parsed(logged((log) => log.error({ err: 'just words' }, 'failed')))).toMatchObject({
      err: 'just words',
    })
  })

  it('is one line for any message', () => {
    const line = logged((log) => log.info('first\nsecond\r\n\u2028third'))
    expect(line.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('redaction keeps', () => {
  const moment = fc.integer({ min: 0, max: Date.parse('2090-01-01T00:00:00Z') })
  const prefix = fc.constantFrom('acc', 'pay', 'tr', 'pm', 'ck', 'at', 'mer', 'ins', 'usr')
  const seconds = moment.map((ms) => Math.floor(ms / 1000))

  it.each([
    ['ids', fc.tuple(prefix, moment).map(([kind, ms]) => newId(kind as 'acc', ms))],
    ['payment link ids', moment.map((ms) => newPaymentLinkId(ms))],
    ['references', fc.constant(0).map(() => newReference())],
    [
      'UUIDs',
      fc.oneof(
        fc.uuid(),
        fc.constant(0).map(() => randomUUID()),
      ),
    ],
    ['time stamps', moment.map((ms) => new Date(ms).toISOString())],
    ['epoch milliseconds', moment.map(String)],
    ['epoch seconds', seconds.map(String)],
    [
      'amounts',
      fc.bigInt({ min: 0n, max: 99_999_999_999_999n }).map((n) => `${n / 100n}.${n % 100n}`),
    ],
    ['fractions', fc.double({ min: 0, max: 9, noNaN: true, noDefaultInfinity: true }).map(String)],
  ])('%s', (_what, text) => {
    fc.assert(
      fc.property(text, (value) => {
        const lines = [value, `about ${value}: done`, JSON.stringify({ a: value, b: [value] })]
        for (const line of lines) expect(redact(line)).toBe(line)
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    'acc_1795256541785_k3j9x2q9fk2blq0t',
    'pl_mb3k9x2q_9fK2bLq0TzXw7RmN4cVd1HsA',
    '42424242-4242-4242-8242-424242424242',
    'GET /pay/pl_mb3k9x2q_9fK2bLq0TzXw7RmN4cVd1HsA 200 12.5 ms',
    'the idea of task_management and stock_0123456789abcdef',
    '2030-05-01T12:00:00.000Z',
    '192.168.100.200:4242',
    '424242424242.42',
    'a'.repeat(64),
    '0x4242424242424242',
    '0.4242424242424242',
  ])('%s', (line) => {
    expect(redact(line)).toBe(line)
  })

  it('the lines of its own log', () => {
    const line = logged((log) => log.info({ method: 'GET', status: 200, ms: 12.5 }, 'request'))
    expect(parsed(line)).toMatchObject({ level: 30, method: 'GET', status: 200, msg: 'request' })
    expect(line).toMatch(/"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"/)
  })
})

it('redacts a long line of digits and gaps quickly', () => {
  const started = performance.now()
  redact(`${'4 '.repeat(20_000)}x${'4'.repeat(100_000)}x`)
  expect(performance.now() - started).toBeLessThan(2000)
})
