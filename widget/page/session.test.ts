import { describe, expect, it } from 'vitest'
import { model, result } from '../gallery/models.ts'
import { sessionOf, settled, setUp } from './testing.ts'

const LINK = model().payment_link ?? ''
const resultPage = (changes: Parameters<typeof result>[0]) =>
  model({ view: 'RESULT' }, { result: result(changes) })

describe('opening', () => {
  it('sends what the page was rendered with and keeps the token for a reload', async () => {
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

  it('opens another when the stored token is not known any more', async () => {
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

  it('tells a link that expired from one that is gone by the clock of the server', async () => {
    const gone = { status: 410, json: { error: { type: 'GONE', message: 'x' } } }
    const start = model({}, {}, { expires: '2032-03-14T15:00:00.000Z' })
    const later = { now: '2032-03-14T15:00:01.000Z', status: 'EXPIRED' } as const
    // The payer's own clock says 2031 all the while.
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

  it('keeps trying without a connection, says so, and takes it back afterwards', async () => {
    const test = setUp()
    test.replies.open.push('LOST', 'LOST')
    void test.checkout.start()
    await settled()
    expect(test.checkout.notice.value?.id).toBe('errors.no_connection')
    await test.pass(10_000)
    expect(test.checkout.connection.value).toBe('open')
    expect(test.checkout.notice.value).toBeNull()
  })

  it('asks nothing about a link that is gone, or paid before', async () => {
    for (const start of [model({ view: 'EXPIRED' }), resultPage({ outcome: 'COMPLETED' })]) {
      const test = setUp(start)
      await test.checkout.start()
      expect(test.requests).toEqual([])
    }
  })

  it('renews a session that runs out while the payer is away, and tells them', async () => {
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

  it('does not renew for ever what has run out already', async () => {
    const test = setUp()
    const past = sessionOf(test.session, { expires: '2031-03-14T13:00:00.000Z' })
    test.replies.open.push({ json: { token: 'ckt_1', checkout: past } })
    await test.checkout.start()
    await test.pass(60 * 60_000)
    expect(test.requests).toHaveLength(1)
  })

  it('counts the time that a session has left by the clock of the server, not of the payer', async () => {
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

describe('waiting', () => {
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

  it('leaves for the merchant when a pending payment completes and no receipt is wanted', async () => {
    const test = setUp(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    await test.checkout.start()
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { result: result({ skip_receipt: true }) }) },
    })
    await test.pass(1_000)
    expect(test.navigations).toEqual(['https://shop.example/thanks'])
  })

  it('never leaves on load, however the link was paid', async () => {
    const paid = resultPage({ outcome: 'COMPLETED', skip_receipt: true })
    const test = setUp(paid, 'ckt_0')
    await test.checkout.start()
    await test.pass(60_000)
    expect(test.navigations).toEqual([])
  })

  it('returns to the form with the reason when the bank refuses in the end', async () => {
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

  it('asks slower and slower, stops after minutes, and begins again when it is told to', async () => {
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

describe('a payer who comes back', () => {
  const asking = result({
    outcome: 'ACTION',
    action: { type: 'REDIRECT', url: 'https://bank.example/confirm' },
  })

  it('finds both ways on after leaving the bank, and pays another way under a new key', async () => {
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

  it('sees what is so before anything can be pressed', async () => {
    const test = setUp()
    await test.checkout.start()
    test.replies.current.push({
      json: { checkout: sessionOf(test.session, { status: 'COMPLETED', result: result() }) },
    })
    await test.checkout.shownAgain()
    expect(test.checkout.step.value).toBe('result')
  })
})

describe('another language', () => {
  it('opens a session of its own and keeps the page where it is', async () => {
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

  it('is not changed under a payment', async () => {
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

describe('the wording', () => {
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

  it('keeps the strings of the document when the session opens, and asks for no others', async () => {
    const test = lackingOne()
    test.replies.open.push({
      json: { token: 'ckt_1', checkout: sessionOf(test.session, { strings: {} }) },
    })
    await test.checkout.start()
    expect(test.checkout.checkout.value.strings).toEqual(test.part)
    expect(test.known()).toEqual(['ALL'])
  })

  it('adds the other strings before a payment, once', async () => {
    const test = lackingOne()
    await test.checkout.start()
    test.replies.current.push(test.current())
    expect(await test.checkout.prepare()).toBe(true)
    expect(test.checkout.checkout.value.strings).toEqual({ ...base, ...rest })
    expect(await test.checkout.prepare()).toBe(true)
    await test.checkout.shownAgain()
    expect(test.known()).toEqual(['ALL', 'FORM', 'ALL'])
  })

  it('takes no other term than the payer saw along with the other strings', async () => {
    const test = lackingOne()
    await test.checkout.start()
    const { checkout } = model({}, { options_v: 2 }, { amount: '15.00' })
    test.replies.current.push(test.current({ terms: checkout.terms, options_v: 2 }))
    await test.checkout.prepare()
    const { options_v, terms } = test.checkout.checkout.value
    expect([options_v, terms.amount]).toEqual([1, test.session.terms.amount])
  })

  it('replaces a session that has ended meanwhile', async () => {
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

  it('submits nothing while the other strings cannot be fetched', async () => {
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

  it('fetches the other strings before it shows a result that opening the session brings', async () => {
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

  it('fetches the other strings with a session that replaces an earlier one', async () => {
    const test = lackingOne()
    await test.checkout.start()
    test.replies.open.push({
      json: { token: 'ckt_2', checkout: sessionOf(test.session, { strings: rest }) },
    })
    await test.pass(60 * 60_000)
    expect(test.known()).toEqual(['ALL', 'FORM'])
    expect(test.checkout.checkout.value.strings).toEqual({ ...base, ...rest })
  })

  it('of a page without a form is known whole, and is not asked for again', async () => {
    const test = setUp(resultPage({ outcome: 'PENDING' }), 'ckt_0')
    await test.checkout.start()
    const { query } = test.requests[0] ?? {}
    expect([query?.get('known_strings'), query?.get('strings_hash')]).toEqual([
      'ALL',
      '0'.repeat(64),
    ])
  })

  it('of another bundle than the document’s takes the place of it', async () => {
    const test = setUp()
    const strings = { 'methods.title': 'Frozen' }
    const frozen = sessionOf(test.session, { strings, strings_hash: other })
    test.replies.open.push({ json: { token: 'ckt_1', checkout: frozen } })
    await test.checkout.start()
    expect(test.checkout.checkout.value.strings).toEqual(strings)
  })

  it('stays whole when the language changed while the page asked how things stand', async () => {
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
