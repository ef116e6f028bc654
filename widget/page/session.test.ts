import { describe, expect, it } from 'vitest'
import { model, result } from '../scenes/models.ts'
import { outcome, ready, refusal, settled, setUp, started } from './testing.ts'

const PATH = model().sessions ?? ''
const resultPage = (changes: Parameters<typeof result>[0]) =>
  model({ view: 'RESULT' }, { result: result(changes) })

describe('opening a session', () => {
  it('sends the language and branding of the page and keeps the token for a reload', async () => {
    const test = await started()
    expect(test.requests).toEqual([
      {
        path: PATH,
        query: new URLSearchParams(),
        body: { strings_hash: '0'.repeat(64), known_strings: 'ALL', language: 'default' },
        authorization: undefined,
      },
    ])
    expect(test.tokens.read(PATH)).toBe('ckt_1')
  })

  it('resumes the session of the tab instead of opening another', async () => {
    const test = await started(model(), 'ckt_0')
    expect(test.requests.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/pay/checkouts/current', 'Bearer ckt_0'],
    ])
  })

  it('opens another when the stored token is unknown', async () => {
    const test = setUp(model(), 'ckt_0')
    test.replies.current.push(refusal(401))
    await test.checkout.start()
    expect(test.tokens.read(PATH)).toBe('ckt_1')
    expect(test.checkout.notice.value).toBeNull()
  })

  it('opens another when the stored session has expired', async () => {
    const test = setUp(model(), 'ckt_0')
    test.replies.current.push(test.view({ status: 'EXPIRED' }))
    await test.checkout.start()
    expect(test.tokens.read(PATH)).toBe('ckt_1')
  })

  it('shows the link as expired or unavailable when it cannot be opened', async () => {
    const archived = setUp()
    archived.replies.open.push(refusal(410))
    await archived.checkout.start()
    expect(archived.checkout.step.value).toBe('unavailable')
    const expired = setUp(model({}, {}, { expires: '2031-03-14T14:59:59.000Z' }))
    expired.replies.open.push(refusal(410))
    await expired.checkout.start()
    expect(expired.checkout.step.value).toBe('expired')
  })

  it('distinguishes an expired link from an unavailable one by the server’s clock', async () => {
    const start = model({}, {}, { expires: '2032-03-14T15:00:00.000Z' })
    const later = { now: '2032-03-14T15:00:01.000Z', status: 'EXPIRED' } as const
    // The payer's clock stays in 2031.
    const shown = await started(start)
    shown.replies.current.push(shown.view(later), shown.view(later))
    shown.replies.open.push(refusal(410))
    await shown.checkout.shownAgain()
    expect(shown.checkout.step.value).toBe('expired')

    const renewed = await ready(start)
    renewed.replies.open.push(refusal(410))
    await renewed.pay(
      outcome('GONE', { message_id: 'errors.session_expired' }),
      renewed.view(later),
    )
    expect(renewed.checkout.step.value).toBe('expired')
    expect(renewed.tokens.read(PATH)).toBeNull()
  })

  it('retries without a connection and shows a notice meanwhile', async () => {
    const test = setUp()
    test.replies.open.push('LOST', 'LOST')
    void test.checkout.start()
    await settled()
    expect(test.checkout.notice.value?.id).toBe('errors.no_connection')
    await test.pass(10_000)
    expect(test.checkout.connection.value).toBe('open')
    expect(test.checkout.notice.value).toBeNull()
  })

  it('sends no request for a link that is unavailable or was paid before', async () => {
    for (const start of [model({ view: 'EXPIRED' }), resultPage({ outcome: 'COMPLETED' })]) {
      expect((await started(start)).requests).toEqual([])
    }
  })

  it('renews an expiring session and shows a notice', async () => {
    const test = await started()
    test.replies.open.push(test.opens('ckt_2', { expires: '2031-03-14T17:00:00.000Z' }))
    await test.pass(60 * 60_000)
    expect(test.tokens.read(PATH)).toBe('ckt_2')
    expect(test.checkout.cvcResets.value).toBe(1)
    expect(test.checkout.notice.value).toEqual({ tone: 'news', id: 'status.session_renewed' })
  })

  it('does not renew a session that opens expired', async () => {
    const test = setUp()
    test.replies.open.push(test.opens('ckt_1', { expires: '2031-03-14T13:00:00.000Z' }))
    await test.checkout.start()
    await test.pass(60 * 60_000)
    expect(test.requests).toHaveLength(1)
  })

  it('measures the remaining time by the server’s clock', async () => {
    const test = setUp()
    const nextYear = { now: '2032-03-14T15:00:00.000Z', expires: '2032-03-14T16:00:00.000Z' }
    test.replies.open.push(test.opens('ckt_1', nextYear))
    await test.checkout.start()
    await test.pass(60 * 60_000 - 1)
    expect(test.requests).toHaveLength(1)
    await test.pass(1)
    expect(test.requests).toHaveLength(2)
  })
})

describe('polling', () => {
  it('follows a pending payment to its receipt', async () => {
    const test = await started(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    test.replies.current.push(test.shows())
    await test.pass(1_000)
    expect(test.checkout.checkout.value.result?.outcome).toBe('COMPLETED')
    const before = test.requests.length
    await test.pass(60_000)
    expect(test.requests).toHaveLength(before)
  })

  it('redirects to the merchant when a pending payment completes and the link skips the receipt', async () => {
    const test = await started(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    test.replies.current.push(test.shows({ skip_receipt: true }))
    await test.pass(1_000)
    expect(test.navigations).toEqual(['https://shop.example/thanks'])
  })

  it('never redirects on load', async () => {
    const paid = resultPage({ outcome: 'COMPLETED', skip_receipt: true })
    const test = await started(paid, 'ckt_0')
    await test.pass(60_000)
    expect(test.navigations).toEqual([])
  })

  it('returns to the form with the reason when a pending payment fails', async () => {
    const test = await started(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    test.replies.current.push(
      test.shows({ outcome: 'DECLINED', message_id: 'errors.insufficient_funds' }),
    )
    await test.pass(1_000)
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value?.id).toBe('errors.insufficient_funds')
  })

  it('slows down, stops after minutes and resumes on request', async () => {
    const test = await started(resultPage({ outcome: 'CHECKING' }), 'ckt_0')
    await test.pass(20 * 60_000)
    expect(test.checkout.pollingStopped.value).toBe(true)
    const sent = test.requests.length
    expect(sent).toBeLessThan(50)
    test.checkout.checkNow()
    expect(test.checkout.pollingStopped.value).toBe(false)
    await test.pass(1_000)
    expect(test.requests).toHaveLength(sent + 1)
  })
})

describe('a payer who returns', () => {
  const action = { type: 'REDIRECT', url: 'https://bank.example/confirm' } as const

  it('can continue at the bank, or pay another way under a new key', async () => {
    const test = await started()
    await test.pay(outcome('ACTION', { action }))
    expect(test.checkout.screen.value.kind).toBe('redirecting')
    test.replies.current.push(test.shows({ outcome: 'ACTION', action }))
    await test.checkout.shownAgain()
    expect(test.checkout.step.value).toBe('result')
    test.checkout.payAnotherWay()
    expect(test.checkout.step.value).toBe('form')
    await test.pay(outcome('DECLINED'))
    const [first, second] = test.submits().map(({ body }) => body?.['attempt_key'])
    expect(second).not.toBe(first)
  })

  it('sees the current state before the form is usable', async () => {
    const test = await started()
    test.replies.current.push(test.shows())
    await test.checkout.shownAgain()
    expect(test.checkout.step.value).toBe('result')
  })
})

describe('a change of language', () => {
  it('opens a new session and keeps the step', async () => {
    const test = await started()
    test.replies.open.push(test.opens('ckt_fr', { language: 'fr' }))
    await test.checkout.changeLanguage('fr')
    expect(test.requests.at(-1)?.body).toMatchObject({ language: 'fr' })
    expect(test.checkout.checkout.value.language).toBe('fr')
    expect(test.checkout.step.value).toBe('form')
    expect(test.tokens.read(PATH)).toBe('ckt_fr')
  })

  it('is ignored during a payment', async () => {
    const test = await started()
    await test.press('NEVER')
    const before = test.requests.length
    await test.checkout.changeLanguage('fr')
    expect(test.requests).toHaveLength(before)
  })
})

describe('the strings of the page', () => {
  const base = model().checkout.strings
  const rest = { 'status.slow': 'Slowly.' }
  const other = 'f'.repeat(64)

  /** A form whose document lacks one string. */
  function lackingOne() {
    const { 'status.slow': _lacking, ...part } = base
    const start = model()
    start.checkout = { ...start.checkout, strings: part }
    const test = setUp(start)
    const known = () =>
      test.requests.map(({ query, body }) => query.get('known_strings') ?? body?.['known_strings'])
    const current = (changes = {}) => test.view({ strings: rest, ...changes })
    return { ...test, part, known, current }
  }

  it('are kept when the session opens, and no others are fetched', async () => {
    const test = lackingOne()
    test.replies.open.push(test.opens('ckt_1', { strings: {} }))
    await test.checkout.start()
    expect(test.checkout.checkout.value.strings).toEqual(test.part)
    expect(test.known()).toEqual(['ALL'])
  })

  it('are completed once before a payment', async () => {
    const test = lackingOne()
    await test.checkout.start()
    test.replies.current.push(test.current())
    expect(await test.checkout.prepare()).toBe(true)
    expect(test.checkout.checkout.value.strings).toEqual({ ...base, ...rest })
    expect(await test.checkout.prepare()).toBe(true)
    await test.checkout.shownAgain()
    expect(test.known()).toEqual(['ALL', 'FORM', 'ALL'])
  })

  it('are completed without a change of the terms', async () => {
    const test = lackingOne()
    await test.checkout.start()
    const { checkout } = model({}, { options_v: 2 }, { amount: '15.00' })
    test.replies.current.push(test.current({ terms: checkout.terms, options_v: 2 }))
    await test.checkout.prepare()
    const { options_v, terms } = test.checkout.checkout.value
    expect([options_v, terms.amount]).toEqual([1, test.session.terms.amount])
  })

  it('are completed in a new session when the old one has ended', async () => {
    const test = lackingOne()
    await test.checkout.start()
    test.replies.current.push(refusal(401))
    test.replies.open.push(test.opens('ckt_2', { strings: rest }))
    expect(await test.checkout.prepare()).toBe(true)
    expect(test.tokens.read(PATH)).toBe('ckt_2')
    expect(test.checkout.checkout.value.strings).toEqual({ ...base, ...rest })
  })

  it('block a submit while they are incomplete', async () => {
    const test = lackingOne()
    await test.checkout.start()
    test.replies.current.push('LOST')
    await test.pay()
    expect(test.submits()).toEqual([])
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value?.id).toBe('errors.no_connection')
  })

  it('are completed before a result of the opened session is shown', async () => {
    const test = lackingOne()
    test.replies.open.push(test.opens('ckt_1', { strings: {}, result: result() }))
    test.replies.current.push(test.current({ result: result() }))
    await test.checkout.start()
    expect(test.known()).toEqual(['ALL', 'FORM'])
    expect(test.checkout.screen.value.kind).toBe('receipt')
    expect(test.checkout.checkout.value.strings).toEqual({ ...base, ...rest })
  })

  it('are completed by a session that replaces another', async () => {
    const test = lackingOne()
    await test.checkout.start()
    test.replies.open.push(test.opens('ckt_2', { strings: rest }))
    await test.pass(60 * 60_000)
    expect(test.known()).toEqual(['ALL', 'FORM'])
    expect(test.checkout.checkout.value.strings).toEqual({ ...base, ...rest })
  })

  it('are complete on a page without a form', async () => {
    const test = await started(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    const { query } = test.requests[0] ?? {}
    expect([query?.get('known_strings'), query?.get('strings_hash')]).toEqual([
      'ALL',
      '0'.repeat(64),
    ])
  })

  it('are replaced by those of another bundle', async () => {
    const test = setUp()
    const strings = { 'methods.title': 'Frozen' }
    test.replies.open.push(test.opens('ckt_1', { strings, strings_hash: other }))
    await test.checkout.start()
    expect(test.checkout.checkout.value.strings).toEqual(strings)
  })

  it('stay complete when the language changes during a refresh', async () => {
    const test = await started()
    test.replies.current.push(test.view({ strings: {} }))
    const french = { strings: { 'methods.title': 'Payer' }, strings_hash: other, language: 'fr' }
    test.replies.open.push(test.opens('ckt_fr', french))
    const asked = test.checkout.shownAgain()
    await test.checkout.changeLanguage('fr')
    await asked
    const { language, strings } = test.checkout.checkout.value
    expect(strings['methods.title']).toBe(language === 'fr' ? 'Payer' : base['methods.title'])
  })
})
