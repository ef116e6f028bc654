import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type AfterPaymentOptions,
  nextStep,
  type RedirectParameters,
  redirectUrl,
} from './after-payment.ts'
import { redirectTargetProblem } from './redirect-target.ts'

const PAID = 'https://shop.example/paid'
const WAITING = 'https://shop.example/waiting'
const UNSET = [null, undefined]
const NOT_SKIPPED = [false, null, undefined]
const ANY_TEXT = ['Thanks', null, undefined]
const THANKS = 'Thanks'

// [title, skip_receipt, URL of the outcome, message, result]
const ROWS: [
  string,
  (boolean | null | undefined)[],
  'SET' | 'NONE',
  (string | null | undefined)[],
  'REDIRECT' | 'RECEIPT',
  'MESSAGE' | 'BUILT_IN',
][] = [
  ['leaves at once when the receipt is skipped', [true], 'SET', ANY_TEXT, 'REDIRECT', 'BUILT_IN'],
  ['shows the built-in receipt without a URL', [true], 'NONE', ANY_TEXT, 'RECEIPT', 'BUILT_IN'],
  ['suppresses the message beside a button', NOT_SKIPPED, 'SET', ANY_TEXT, 'RECEIPT', 'BUILT_IN'],
  ['shows the message', NOT_SKIPPED, 'NONE', [THANKS], 'RECEIPT', 'MESSAGE'],
  ['shows the built-in wording', NOT_SKIPPED, 'NONE', UNSET, 'RECEIPT', 'BUILT_IN'],
]

const OUTCOMES = [
  { outcome: 'COMPLETED', url: 'success_url', text: 'page_success_message', page: PAID },
  { outcome: 'PENDING', url: 'pending_url', text: 'page_pending_message', page: WAITING },
] as const

describe.each(OUTCOMES)('after a payment that is $outcome', ({ outcome, url, text, page }) => {
  it.each(ROWS)('%s', (_says, skips, target, texts, step, wording) => {
    for (const skip_receipt of skips) {
      for (const message of texts) {
        for (const none of UNSET) {
          const own = target === 'SET' ? page : none
          const options: AfterPaymentOptions = { skip_receipt, [url]: own, [text]: message }
          expect(nextStep(options, outcome), JSON.stringify(options)).toEqual({
            step,
            url: target === 'SET' ? page : null,
            message: wording === 'MESSAGE' ? THANKS : null,
          })
        }
      }
    }
  })
})

describe('a pending payment', () => {
  it.each([true, false, null])('never falls back to success_url, skip_receipt %s', (skip) => {
    const options = { skip_receipt: skip, success_url: PAID, page_success_message: 'Paid' }
    expect(nextStep(options, 'PENDING')).toEqual({ step: 'RECEIPT', url: null, message: null })
  })

  it('uses the page of pending payments for pending payments only', () => {
    const options = { skip_receipt: true, pending_url: WAITING, page_pending_message: 'Wait' }
    expect(nextStep(options, 'COMPLETED')).toEqual({ step: 'RECEIPT', url: null, message: null })
  })
})

const FACTS: RedirectParameters = { payment_link: 'pl_1_a', status: 'COMPLETED' }
const OURS = 'payment_link=pl_1_a&status=COMPLETED'

describe('the URL of the redirect', () => {
  it.each([
    ['no query', 'https://shop.example/paid', `https://shop.example/paid?${OURS}`],
    ['no path', 'https://shop.example', `https://shop.example?${OURS}`],
    ['an empty query', 'https://shop.example/paid?', `https://shop.example/paid?${OURS}`],
    ['a query', 'https://shop.example/?order=7', `https://shop.example/?order=7&${OURS}`],
    [
      'spaces as %20 and a flag without a value',
      'https://shop.example/?q=a%20b&flag',
      `https://shop.example/?q=a%20b&flag&${OURS}`,
    ],
    [
      'a plus, an empty value, an empty pair and a second question mark',
      'https://shop.example/?q=a+b&e=&&u=x?y',
      `https://shop.example/?q=a+b&e=&&u=x?y&${OURS}`,
    ],
    [
      'escapes that no parser would write',
      'https://shop.example/%7euser?x=%c3%A9&y=%zz',
      `https://shop.example/%7euser?x=%c3%A9&y=%zz&${OURS}`,
    ],
    ['a fragment', 'https://shop.example/paid#top', `https://shop.example/paid?${OURS}#top`],
    ['an empty fragment', 'https://shop.example/paid#', `https://shop.example/paid?${OURS}#`],
    [
      'a query and a fragment that looks like one',
      'https://shop.example/?a=1#/route?status=x',
      `https://shop.example/?a=1&${OURS}#/route?status=x`,
    ],
    [
      'an address in the query',
      'https://shop.example/?next=https://other.example/%3Fa%3D1',
      `https://shop.example/?next=https://other.example/%3Fa%3D1&${OURS}`,
    ],
  ])('keeps %s byte for byte', (_what, target, expected) => {
    expect(redirectUrl(target, FACTS)).toBe(expected)
  })

  it.each([
    'status=COMPLETED',
    'status',
    '%73tatus=COMPLETED',
    'statu%73=COMPLETED',
    '%73%74%61%74%75%73=x',
    'payment_link=pl_0_forged',
    'payment%5Flink=pl_0_forged',
    'payment%5flink=pl_0_forged',
    'contract=co_1_a',
    'charge=cg_1_a',
    'transaction=tr_1_a',
    'payment_method=pm_1_a',
    'account=acc_1_a',
  ])('drops a %s of the link’s own URL', (pair) => {
    expect(redirectUrl(`https://shop.example/?a=1&${pair}&b=2`, FACTS)).toBe(
      `https://shop.example/?a=1&b=2&${OURS}`,
    )
  })

  it.each([
    'Status=x',
    'status[]=x',
    'mystatus=x',
    'status%20=x',
    'stat%us=x',
    'payment=x',
    'q=status',
  ])('keeps a %s', (pair) => {
    expect(redirectUrl(`https://shop.example/?${pair}`, FACTS)).toBe(
      `https://shop.example/?${pair}&${OURS}`,
    )
  })

  it('adds the ids of created records in the documented order', () => {
    const facts: RedirectParameters = {
      account: 'acc_1_a',
      payment_method: 'pm_1_a',
      transaction: 'tr_1_a',
      charge: 'cg_1_a',
      contract: 'co_1_a',
      status: 'PENDING',
      payment_link: 'pl_1_a',
    }
    expect(redirectUrl('https://shop.example/', facts)).toBe(
      'https://shop.example/?payment_link=pl_1_a&status=PENDING&contract=co_1_a&charge=cg_1_a' +
        '&transaction=tr_1_a&payment_method=pm_1_a&account=acc_1_a',
    )
  })

  it.each([null, undefined])('omits %s values', (none) => {
    const facts = { ...FACTS, contract: none, charge: none, transaction: 'tr_1_a', account: none }
    expect(redirectUrl('https://shop.example/', facts)).toBe(
      `https://shop.example/?${OURS}&transaction=tr_1_a`,
    )
  })

  it('adds nothing but the seven parameters', () => {
    const facts = { ...FACTS, email: 'ada@example.com', amount: '10.00' }
    expect(redirectUrl('https://shop.example/', facts)).toBe(`https://shop.example/?${OURS}`)
  })
})

const names = [
  'payment_link',
  'status',
  'contract',
  'charge',
  'transaction',
  'payment_method',
  'account',
]
const escapeSome = fc
  .tuple(fc.constantFrom(...names), fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }))
  .map(([name, coins]) =>
    Array.from(name)
      .map((letter, at) => (coins[at] ? `%${letter.charCodeAt(0).toString(16)}` : letter))
      .join(''),
  )
const urlText = (extra: string) =>
  fc.string({
    unit: fc.constantFrom(...Array.from(`abcXYZ019-._~!$'()*+,;:@/%20%C3${extra}`)),
    maxLength: 12,
  })
const pair = fc
  .tuple(fc.oneof(urlText('?'), escapeSome), fc.option(urlText('=?'), { nil: undefined }))
  .map(([name, value]) => (value === undefined ? name : `${name}=${value}`))
const target = fc
  .record({
    path: urlText('').map((text) => `https://shop.example/${text}`),
    query: fc.option(fc.array(pair, { maxLength: 5 }), { nil: undefined }),
    fragment: fc.option(
      urlText('?&=#').map((text) => `#${text}`),
      { nil: '' },
    ),
  })
  .map((parts) => ({
    ...parts,
    url: `${parts.path}${parts.query ? `?${parts.query.join('&')}` : ''}${parts.fragment}`,
  }))
const id = fc.string({ maxLength: 20, unit: 'binary' }).filter((text) => text.isWellFormed())
const maybeId = fc.option(id)
const facts = fc.record({
  payment_link: id,
  status: fc.constantFrom('COMPLETED', 'PENDING'),
  contract: maybeId,
  charge: maybeId,
  transaction: maybeId,
  payment_method: maybeId,
  account: maybeId,
})

describe('for any valid target, the redirect', () => {
  it('changes nothing before the query and nothing of the fragment', () => {
    fc.assert(
      fc.property(target, facts, ({ path, fragment, url }, paid) => {
        const result = redirectUrl(url, paid)
        expect(result.startsWith(`${path}?`)).toBe(true)
        const hash = result.indexOf('#')
        expect(hash < 0 ? '' : result.slice(hash)).toBe(fragment)
      }),
    )
  })

  it('is a URL whose parameters are ours exactly once, and foreign ones as they were', () => {
    fc.assert(
      fc.property(target, facts, ({ url }, paid) => {
        expect(redirectTargetProblem(url, false)).toBeNull()
        const result = redirectUrl(url, paid)
        expect(redirectTargetProblem(result, false)).toBeNull()
        const after = new URL(result).searchParams
        for (const [name, value] of Object.entries(paid)) {
          expect(after.getAll(name), name).toEqual(value === null ? [] : [value])
        }
        const foreign = (query: URLSearchParams) =>
          [...query].filter(([name]) => !names.includes(name))
        expect(foreign(after)).toEqual(foreign(new URL(url).searchParams))
      }),
    )
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(target, facts, ({ url }, paid) => {
        const once = redirectUrl(url, paid)
        expect(redirectUrl(once, paid)).toBe(once)
      }),
    )
  })
})
