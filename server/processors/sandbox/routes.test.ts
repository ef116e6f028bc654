import { Hono } from 'hono'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sandboxRoutes } from './routes.ts'
import { openTestSandbox, type TestSandbox } from '../../../test/sandbox-processor.ts'

let test: TestSandbox
let app: Hono
let isOpen: boolean
let refusedReal: number
beforeEach(async () => {
  test = await openTestSandbox()
  isOpen = true
  refusedReal = 0
  const surroundings = {
    isOpen: () => Promise.resolve(isOpen),
    refusedReal: () => void (refusedReal += 1),
    onClockOf: <R>(_operation: string, work: () => Promise<R>) => work(),
  }
  app = new Hono().route('/sandbox', sandboxRoutes(test.sandbox.gateway, surroundings))
})
afterEach(() => test.close())

const CARD = { number: '4242 4242 4242 4242', exp_month: 12, exp_year: 2034, csc: '918' }
const ACCOUNT = { iban: 'gb35 SAND 0000 0000 0000 77', holder: 'Ada Example' }

function post(body: unknown, contentType = 'application/json') {
  return app.request('/sandbox/tokens', {
    method: 'POST',
    headers: { 'Content-Type': contentType },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

describe('POST /tokens', () => {
  it('returns a token that can be charged', async () => {
    for (const [type, body] of [
      ['CARD', { card: CARD }],
      ['DIRECT_DEBIT', { bank_account: ACCOUNT }],
    ] as const) {
      const response = await post(body)
      expect(response.status).toBe(200)
      const { token } = (await response.json()) as { token: string }
      expect(token).toMatch(/^tok_/)
      const order = await test.cardOrder(CARD.number.replaceAll(' ', ''), {
        method: { kind: 'NEW', type, token },
      })
      expect((await test.sandbox.pay(order)).status).toMatch(/APPROVED|PENDING/)
    }
  })

  it('stores neither number, security code nor holder', async () => {
    await post({ card: CARD })
    await post({ bank_account: ACCOUNT })
    const rows = await test.db.selectFrom('sandbox_tokens').selectAll().execute()
    expect(rows).toHaveLength(2)
    const values = rows.flatMap((row) => Object.values(row).map(String))
    for (const secret of ['4242424242424242', 'SAND', 'Ada']) {
      expect(values.join(' ')).not.toContain(secret)
    }
    expect(values).not.toContain('918')
  })

  it.for([
    [
      { card: { ...CARD, number: '4111111111111111' } },
      'card.number must be one of the test numbers in docs/testing.md; real cards must not be typed into the sandbox',
    ],
    [
      { bank_account: { ...ACCOUNT, iban: 'DE89 3704 0044 0532 0130 00' } },
      'bank_account.iban must be one of the test accounts in docs/testing.md; real ones must not be typed into the sandbox',
    ],
  ] as const)(
    'refuses a real card or account, keeps nothing of it and reports it',
    async ([body, message]) => {
      const response = await post(body)
      expect(response.status).toBe(400)
      expect(await response.json()).toEqual({ error: { type: 'INVALID_REQUEST', message } })
      expect(refusedReal).toBe(1)
      expect(await test.db.selectFrom('sandbox_tokens').selectAll().execute()).toEqual([])
    },
  )

  it('returns 404 where no test instance exists', async () => {
    isOpen = false
    expect((await post({ card: CARD })).status).toBe(404)
    expect((await app.request('/sandbox/challenges/bank_x')).status).toBe(404)
    expect(await test.db.selectFrom('sandbox_tokens').selectAll().execute()).toEqual([])
  })

  it.for([
    [{ card: { ...CARD, number: '4242424242424241' } }, 'card.number is not a valid card number'],
    [
      { card: { ...CARD, number: '4242-4242-4242-4242' } },
      'card.number is not a valid card number',
    ],
    [{ card: { ...CARD, number: 4242424242424242 } }, 'card.number must be text'],
    [{ card: { ...CARD, number: undefined } }, 'card.number is required'],
    [{ card: { ...CARD, exp_month: 13 } }, 'card.exp_month must be a month from 1 to 12'],
    [{ card: { ...CARD, exp_month: '12' } }, 'card.exp_month must be a month from 1 to 12'],
    [{ card: { ...CARD, exp_year: 34 } }, 'card.exp_year must be a year of four digits'],
    [{ card: { ...CARD, exp_year: 2029 } }, 'card.exp_year and exp_month are in the past'],
    [{ card: { ...CARD, csc: '12' } }, 'card.csc must be three or four digits'],
    [{ card: { ...CARD, pin: '1' } }, 'Unknown field card.pin'],
    [{ card: CARD, save: true }, 'Unknown field save'],
    [{ card: CARD, '4242424242424242': true }, 'Unknown field'],
    [{ card: null }, 'card must be an object'],
    [
      { bank_account: { ...ACCOUNT, iban: 'GB36SAND00000000000077' } },
      'bank_account.iban is not a valid IBAN',
    ],
    [{ bank_account: { ...ACCOUNT, holder: ' ' } }, 'bank_account.holder must not be empty'],
    [{}, 'body must have either card or bank_account'],
    [{ card: CARD, bank_account: ACCOUNT }, 'body must have either card or bank_account'],
    [[], 'body must be an object'],
    ['null', 'body must be an object'],
    ['{"card":', 'body must be JSON'],
    ['', 'body must be JSON'],
  ] as const)('refuses %j and says why', async ([body, message]) => {
    const response = await post(body)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ error: { type: 'INVALID_REQUEST', message } })
  })

  it('accepts a card in its last month', async () => {
    expect((await post({ card: { ...CARD, exp_month: 1, exp_year: 2030 } })).status).toBe(200)
    expect((await post({ card: { ...CARD, exp_month: 12, exp_year: 2029 } })).status).toBe(400)
  })

  it('accepts only JSON', async () => {
    expect((await post({ card: CARD }, 'application/json; charset=utf-8')).status).toBe(200)
    expect((await post({ card: CARD }, 'text/plain')).status).toBe(400)
    expect((await post({ card: CARD }, 'application/jsonp')).status).toBe(400)
  })

  it('limits the body to 64 KB', async () => {
    const fits = `{"card":${JSON.stringify(CARD)}${' '.repeat(65_000)}}`
    expect((await post(fits)).status).toBe(200)
    expect((await post(`${fits}${' '.repeat(1000)}`)).status).toBe(413)
  })
})

describe('the bank page', () => {
  async function challenge(given = {}) {
    const order = await test.cardOrder('4000000000003220', given)
    const reply = await test.sandbox.pay(order)
    const path = reply.status === 'ACTION' ? reply.url.replace('http://127.0.0.1:4242', '') : ''
    const choose = async (choice: string) =>
      app.request(path, { method: 'POST', body: new URLSearchParams({ choice }) })
    return { order, path, choose }
  }

  it('has two buttons and no script', async () => {
    const { path } = await challenge()
    const response = await app.request(path)
    expect(response.status).toBe(200)
    const text = await response.text()
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('10.50 GBP')
    expect(text).toMatch(/<button name="choice" value="approve">Approve<\/button>/)
    expect(text).toMatch(/<button name="choice" value="decline">Decline<\/button>/)
    expect(text).not.toMatch(/<script|style=/)
  })

  it.for([
    [{ amount: 500, currency: 'JPY' }, '500 JPY'],
    [{ amount: 5, currency: 'KWD' }, '0.005 KWD'],
    [{ amount: 7, currency: 'EUR' }, '0.07 EUR'],
  ] as const)(
    'writes the amount of %j with the decimals of its currency',
    async ([given, text]) => {
      const { path } = await challenge(given)
      expect(await (await app.request(path)).text()).toContain(`>${text}<`)
    },
  )

  it('permits its own style and nothing else, and no form-action', async () => {
    const { path } = await challenge()
    const response = await app.request(path)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; style-src 'sha256-[\w+/=]+'; base-uri 'none'$/)
    const style = /<style>([^]*?)<\/style>/.exec(await response.text())?.[1] ?? ''
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    expect(policy).toContain(Buffer.from(hash).toString('base64'))
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('redirects the payer and keeps the first choice', async () => {
    const { order, path, choose } = await challenge()
    for (const choice of ['approve', 'decline', 'approve']) {
      const response = await choose(choice)
      expect(response.status).toBe(303)
      expect(response.headers.get('location')).toBe(order.return_url)
    }
    expect(await test.sandbox.query(order.operation)).toMatchObject({ status: 'APPROVED' })
    expect(await test.taken()).toBe(1050)
    expect(await (await app.request(path)).text()).toContain('Already answered')
  })

  it('charges once when both buttons are pressed concurrently', async () => {
    const { order, choose } = await challenge()
    await Promise.all(['approve', 'approve', 'decline'].map(choose))
    const reply = await test.sandbox.query(order.operation)
    expect(await test.taken()).toBe(reply.status === 'APPROVED' ? 1050 : 0)
  })

  it('requires a choice', async () => {
    const { order, choose } = await challenge()
    expect((await choose('perhaps')).status).toBe(400)
    expect(await test.sandbox.query(order.operation)).toMatchObject({ status: 'ACTION' })
  })

  it('returns 404 for an unknown id', async () => {
    for (const method of ['GET', 'POST']) {
      const body = method === 'POST' ? new URLSearchParams({ choice: 'approve' }) : null
      const response = await app.request('/sandbox/challenges/bank_x', { method, body })
      expect(response.status).toBe(404)
      expect(response.headers.get('content-security-policy')).toContain("default-src 'none'")
    }
  })

  it('escapes text of others', async () => {
    const return_url = 'http://127.0.0.1/?a="><b>'
    const { path, choose } = await challenge({ return_url })
    await choose('approve')
    expect(await (await app.request(path)).text()).not.toContain('"><b>')
  })
})
