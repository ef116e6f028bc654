import { describe, expect, it } from 'vitest'
import { model, result } from '../gallery/models.ts'
import { sessionOf, settled, setUp } from './testing.ts'

const LINK = model().payment_link ?? ''
const resultPage = (changes: Parameters<typeof result>[0]) =>
  model({ view: 'RESULT' }, { result: result(changes) })

describe('opening a session', () => {
  it('sends the language and branding of the page and keeps the token for a reload', async () => {
    const test = setUp()
    await test.checkout.start()
    expect(test.requests).toEqual([
      {
        path: `/pay/${LINK}/checkouts`,
        query: new URLSearchParams(),
        body: { strings_hash: '0'.repeat(64), known_strings: 'ALL', language: 'default' },
        authorization: undefined,
      },
    ])
    expect(test.tokens.read(LINK)).toBe('ckt_1')
  })

  it('resumes the session of the tab instead of opening another', async () => {
    const test = setUp(model(), 'ckt_0')
    await test.checkout.start()
    expect(test.requests.map(({ path, authorization }) => [path, authorization])).toEqual([
      ['/pay/checkouts/current', 'Bearer ckt_0'],
    ])
  })

  it('opens another when the stored token is unknown', async () => {
    const test = setUp(model(), 'ckt_0')
    test.replies.current.push({ status: 401, json: { code: 'UNAUTHORIZED', message: 'x' } })
    await test.checkout.start()
    expect(test.tokens.read(LINK)).toBe('ckt_1')
    expect(test.checkout.notice.value).toBeNull()
  })

  it('opens another when the stored session has expired', async () => {
    const test = setUp(model(), 'ckt_0')
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { status: 'EXPIRED' }) },
    })
    await test.checkout.start()
    expect(test.tokens.read(LINK)).toBe('ckt_1')
  })

  it('shows the link as expired or unavailable when it cannot be opened', async () => {
    const gone = { status: 410, json: { error: { type: 'GONE', message: 'x' } } }
    const archived = setUp()
    archived.replies.open.push(gone)
    await archived.checkout.start()
    expect(archived.checkout.step.value).toBe('unavailable')
    const expired = setUp(model({}, {}, { expires: '2031-03-14T14:59:59.000Z' }))
    expired.replies.open.push(gone)
    await expired.checkout.start()
    expect(expired.checkout.step.value).toBe('expired')
  })

  it('distinguishes an expired link from an unavailable one by the server’s clock', async () => {
    const gone = { status: 410, json: { error: { type: 'GONE', message: 'x' } } }
    const start = model({}, {}, { expires: '2032-03-14T15:00:00.000Z' })
    const later = { now: '2032-03-14T15:00:01.000Z', status: 'EXPIRED' } as const
    // The payer's clock stays in 2031.
    const shown = setUp(start)
    await shown.checkout.start()
    const over = { json: { checkout: sessionOf(shown.session, later) } }
    shown.replies.current.push(over, over)
    shown.replies.open.push(gone)
    await shown.checkout.shownAgain()
    expect(shown.checkout.step.value).toBe('expired')

    const renewed = setUp(start)
    await renewed.checkout.start()
    await renewed.checkout.prepare()
    renewed.replies.submit.push({
      json: { outcome: 'GONE', message_id: 'errors.session_expired' },
    })
    renewed.replies.open.push(gone)
    renewed.replies.current.push({ json: { checkout: sessionOf(renewed.session, later) } })
    await renewed.checkout.pay(() =>
      Promise.resolve({ payment_method: { type: 'CARD', processor: 'sandbox', token: 't' } }),
    )
    expect(renewed.checkout.step.value).toBe('expired')
    expect(renewed.tokens.read(LINK)).toBeNull()
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
      const test = setUp(start)
      await test.checkout.start()
      expect(test.requests).toEqual([])
    }
  })

  it('renews an expiring session and shows a notice', async () => {
    const test = setUp()
    await test.checkout.start()
    test.replies.open.push({
      json: {
        token: 'ckt_2',
        checkout: sessionOf(test.session, { expires: '2031-03-14T17:00:00.000Z' }),
      },
    })
    await test.pass(60 * 60_000)
    expect(test.tokens.read(LINK)).toBe('ckt_2')
    expect(test.checkout.cvcResets.value).toBe(1)
    expect(test.checkout.notice.value).toEqual({ tone: 'news', id: 'status.session_renewed' })
  })

  it('does not renew a session that opens expired', async () => {
    const test = setUp()
    const past = sessionOf(test.session, { expires: '2031-03-14T13:00:00.000Z' })
    test.replies.open.push({ json: { token: 'ckt_1', checkout: past } })
    await test.checkout.start()
    await test.pass(60 * 60_000)
    expect(test.requests).toHaveLength(1)
  })

  it('measures the remaining time by the server’s clock', async () => {
    const test = setUp()
    const nextYear = { now: '2032-03-14T15:00:00.000Z', expires: '2032-03-14T16:00:00.000Z' }
    test.replies.open.push({
      json: { token: 'ckt_1', checkout: sessionOf(test.session, nextYear) },
    })
    await test.checkout.start()
    await test.pass(60 * 60_000 - 1)
    expect(test.requests).toHaveLength(1)
    await test.pass(1)
    expect(test.requests).toHaveLength(2)
  })
})

describe('polling', () => {
  it('follows a pending payment to its receipt', async () => {
    const test = setUp(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    await test.checkout.start()
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { result: result() }) },
    })
    await test.pass(1_000)
    expect(test.checkout.checkout.value.result?.outcome).toBe('COMPLETED')
    const before = test.requests.length
    await test.pass(60_000)
    expect(test.requests).toHaveLength(before)
  })

  it('redirects to the merchant when a pending payment completes and the link skips the receipt', async () => {
    const test = setUp(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    await test.checkout.start()
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { result: result({ skip_receipt: true }) }) },
    })
    await test.pass(1_000)
    expect(test.navigations).toEqual(['https://shop.example/thanks'])
  })

  it('never redirects on load', async () => {
    const paid = resultPage({ outcome: 'COMPLETED', skip_receipt: true })
    const test = setUp(paid, 'ckt_0')
    await test.checkout.start()
    await test.pass(60_000)
    expect(test.navigations).toEqual([])
  })

  it('returns to the form with the reason when a pending payment fails', async () => {
    const test = setUp(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    await test.checkout.start()
    const refused = result({ outcome: 'DECLINED', message_id: 'errors.insufficient_funds' })
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { result: refused }) },
    })
    await test.pass(1_000)
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value?.id).toBe('errors.insufficient_funds')
  })

  it('slows down, stops after minutes and resumes on request', async () => {
    const test = setUp(resultPage({ outcome: 'CHECKING' }), 'ckt_0')
    await test.checkout.start()
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
  const asking = result({
    outcome: 'ACTION',
    action: { type: 'REDIRECT', url: 'https://bank.example/confirm' },
  })

  it('can continue at the bank, or pay another way under a new key', async () => {
    const test = setUp()
    await test.checkout.start()
    test.replies.submit.push({
      json: { outcome: 'ACTION', action: { type: 'REDIRECT', url: 'https://bank.example/c' } },
    })
    await test.checkout.pay(() =>
      Promise.resolve({ payment_method: { type: 'CARD', processor: 'sandbox', token: 't' } }),
    )
    expect(test.checkout.screen.value.kind).toBe('redirecting')
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { result: asking }) },
    })
    await test.checkout.shownAgain()
    expect(test.checkout.step.value).toBe('result')
    test.checkout.payAnotherWay()
    expect(test.checkout.step.value).toBe('form')
    test.replies.submit.push({ json: { outcome: 'DECLINED' } })
    await test.checkout.pay(() =>
      Promise.resolve({ payment_method: { type: 'CARD', processor: 'sandbox', token: 't' } }),
    )
    expect(test.submits()[1]?.body?.['attempt_key']).not.toBe(
      test.submits()[0]?.body?.['attempt_key'],
    )
  })

  it('sees the current state before the form is usable', async () => {
    const test = setUp()
    await test.checkout.start()
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { status: 'COMPLETED', result: result() }) },
    })
    await test.checkout.shownAgain()
    expect(test.checkout.step.value).toBe('result')
  })
})

describe('a change of language', () => {
  it('opens a new session and keeps the step', async () => {
    const test = setUp()
    await test.checkout.start()
    test.replies.open.push({
      json: { token: 'ckt_fr', checkout: sessionOf(test.session, { language: 'fr' }) },
    })
    await test.checkout.changeLanguage('fr')
    expect(test.requests.at(-1)?.body).toMatchObject({ language: 'fr' })
    expect(test.checkout.checkout.value.language).toBe('fr')
    expect(test.checkout.step.value).toBe('form')
    expect(test.tokens.read(LINK)).toBe('ckt_fr')
  })

  it('is ignored during a payment', async () => {
    const test = setUp()
    await test.checkout.start()
    test.replies.submit.push('NEVER')
    void test.checkout.pay(() =>
      Promise.resolve({ payment_method: { type: 'CARD', processor: 'sandbox', token: 't' } }),
    )
    await settled()
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
    const current = (changes = {}) => ({
      json: { checkout: sessionOf(test.session, { strings: rest, ...changes }) },
    })
    return { ...test, part, known, current }
  }

  it('are kept when the session opens, and no others are fetched', async () => {
    const test = lackingOne()
    test.replies.open.push({
      json: { token: 'ckt_1', checkout: sessionOf(test.session, { strings: {} }) },
    })
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
    test.replies.current.push({ status: 401, json: { code: 'UNAUTHORIZED', message: 'x' } })
    test.replies.open.push({
      json: { token: 'ckt_2', checkout: sessionOf(test.session, { strings: rest }) },
    })
    expect(await test.checkout.prepare()).toBe(true)
    expect(test.tokens.read(LINK)).toBe('ckt_2')
    expect(test.checkout.checkout.value.strings).toEqual({ ...base, ...rest })
  })

  it('block a submit while they are incomplete', async () => {
    const test = lackingOne()
    await test.checkout.start()
    test.replies.current.push('LOST')
    await test.checkout.pay(() =>
      Promise.resolve({ payment_method: { type: 'CARD', processor: 'sandbox', token: 't' } }),
    )
    expect(test.submits()).toEqual([])
    expect(test.checkout.step.value).toBe('form')
    expect(test.checkout.notice.value?.id).toBe('errors.no_connection')
  })

  it('are completed before a result of the opened session is shown', async () => {
    const test = lackingOne()
    test.replies.open.push({
      json: {
        token: 'ckt_1',
        checkout: sessionOf(test.session, { strings: {}, result: result() }),
      },
    })
    test.replies.current.push(test.current({ result: result() }))
    await test.checkout.start()
    expect(test.known()).toEqual(['ALL', 'FORM'])
    expect(test.checkout.screen.value.kind).toBe('receipt')
    expect(test.checkout.checkout.value.strings).toEqual({ ...base, ...rest })
  })

  it('are completed by a session that replaces another', async () => {
    const test = lackingOne()
    await test.checkout.start()
    test.replies.open.push({
      json: { token: 'ckt_2', checkout: sessionOf(test.session, { strings: rest }) },
    })
    await test.pass(60 * 60_000)
    expect(test.known()).toEqual(['ALL', 'FORM'])
    expect(test.checkout.checkout.value.strings).toEqual({ ...base, ...rest })
  })

  it('are complete on a page without a form', async () => {
    const test = setUp(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    await test.checkout.start()
    const { query } = test.requests[0] ?? {}
    expect([query?.get('known_strings'), query?.get('strings_hash')]).toEqual([
      'ALL',
      '0'.repeat(64),
    ])
  })

  it('are replaced by those of another bundle', async () => {
    const test = setUp()
    const strings = { 'methods.title': 'Frozen' }
    const frozen = sessionOf(test.session, { strings, strings_hash: other })
    test.replies.open.push({ json: { token: 'ckt_1', checkout: frozen } })
    await test.checkout.start()
    expect(test.checkout.checkout.value.strings).toEqual(strings)
  })

  it('stay complete when the language changes during a refresh', async () => {
    const test = setUp()
    await test.checkout.start()
    test.replies.current.push({ json: { checkout: sessionOf(test.session, { strings: {} }) } })
    const french = { strings: { 'methods.title': 'Payer' }, strings_hash: other, language: 'fr' }
    test.replies.open.push({
      json: { token: 'ckt_fr', checkout: sessionOf(test.session, french) },
    })
    const asked = test.checkout.shownAgain()
    await test.checkout.changeLanguage('fr')
    await asked
    const { language, strings } = test.checkout.checkout.value
    expect(strings['methods.title']).toBe(language === 'fr' ? 'Payer' : base['methods.title'])
  })
})
