import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { startTestApp, type TestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { newLink, openPayerClient } from '../payer-client.ts'

const app = await startTestApp()

describe('the token of a session', () => {
  it('has 256 random bits, of which only a hash is kept', async () => {
    const { token, checkout } = await openPayerClient(app, (await newLink(app.merchant)).id)
    const secret = /^ckt_\d+_[0-9a-z]{16}_([\w-]{43})$/.exec(token)?.[1] ?? ''
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
    const hash = createHash('sha256').update(secret).digest('base64url')
    const { db } = app.checkstand.deps
    const row = await db.selectFrom('checkouts').selectAll().where('id', '=', checkout.id).execute()
    expect(row[0]?.token_hash).toBe(hash)
    expect(JSON.stringify(row)).not.toContain(secret)
  })

  it('opens its own session for an hour, and is not prolonged by use', async () => {
    const { token, current } = await openPayerClient(app, (await newLink(app.merchant)).id)
    app.pass(3_599_999)
    expect((await current()).json.checkout.status).toBe('OPEN')
    app.pass(1)
    expect((await current()).json.checkout.status).not.toBe('OPEN')
    const [, id, secret] = /^ckt_(.*)_([\w-]{43})$/.exec(token) ?? []
    const other = await openPayerClient(app, (await newLink(app.merchant)).id)
    const otherId = /^ckt_(.*)_[\w-]{43}$/.exec(other.token)?.[1]
    for (const wrong of [
      `ckt_${otherId}_${secret}`,
      `ckt_${id}_${'A'.repeat(43)}`,
      `ckt_${id}_`,
      secret,
      '',
    ]) {
      const headers = { authorization: `Bearer ${wrong}` }
      expect((await app.call('/pay/checkouts/current', { headers })).status).toBe(401)
    }
  })

  it('is in no address: a bank sends the payer back to another secret', async () => {
    const payer = await openPayerClient(app, (await newLink(app.merchant)).id)
    const { json } = await payer.payByCard(CARDS.challenge)
    const { headers } = await app.call(new URL(json.action.url).pathname, {
      raw: 'choice=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const back = headers.get('location') ?? ''
    expect(back).toMatch(/\/pay\/checkouts\/[\w-]{32}\/return$/)
    expect(back).not.toContain(payer.token.slice(-43))
    const handle = back.split('/').at(-2)
    const asToken = { authorization: `Bearer ${handle}` }
    expect((await app.call('/pay/checkouts/current', { headers: asToken })).status).toBe(401)
  })
})

describe('the id of a link', () => {
  it('cannot be guessed: more than 128 random bits', async () => {
    const { id } = await newLink(app.merchant)
    const tail = /^pl_[0-9a-z]+_([0-9A-Za-z]+)$/.exec(id)?.[1] ?? ''
    expect(tail.length * Math.log2(62)).toBeGreaterThan(128)
  })

  it('does not reach other sites, search engines or the log', async () => {
    const before = app.logged().length
    const { id } = await newLink(app.merchant)
    const page = await app.call(`/pay/${id}`)
    await app.call(`/pay/${id}/checkouts`, { body: {} })
    await app.merchant.api(`/payment_links/${id}`)
    expect(page.headers.get('referrer-policy')).toBe('strict-origin')
    expect(page.headers.get('x-robots-tag')).toBe('noindex')
    expect(app.logged().length).toBeGreaterThan(before)
    expect(app.logged().slice(before)).not.toContain(id)
  })
})

describe('what a stranger learns of a link', () => {
  it('is the same whether it never existed or has another form', async () => {
    const { id } = await newLink(app.merchant)
    const pages = await Promise.all(
      [`${id}x`, 'pl_unknown_1', 'nonsense', 'acc_1_a'].map((other) => app.call(`/pay/${other}`)),
    )
    for (const page of pages) {
      expect([page.status, page.text]).toEqual([404, pages[0]?.text])
    }
    const opened = await app.call('/pay/pl_unknown_1/checkouts', { body: {} })
    expect(opened.json).toEqual({ error: { type: 'NOT_FOUND', message: 'Payment link not found' } })
  })

  it('is nothing of what the merchant keeps with it', async () => {
    const account = { crm_key: 'vip-7', first_name: 'Ada', email: 'ada@secret.example' }
    const created = await app.merchant.api('/accounts', { body: { account } })
    const link = await newLink(
      app.merchant,
      { amount: '1.00', account: created.json.account.id },
      { state: { note: 'hush hush' } },
    )
    const seen = [
      (await app.call(`/pay/${link.id}`)).text,
      (await app.call(`/pay/${link.id}/checkouts`, { body: {} })).text,
    ].join()
    for (const secret of ['hush hush', 'vip-7', 'secret.example', created.json.account.id, 'Ada']) {
      expect(seen).not.toContain(secret)
    }
  })
})

describe('card testing', () => {
  it('is stopped by the address that a proxy names, and not for everybody behind it', async () => {
    const proxied = await startTestApp({ TRUST_PROXY: '1' })
    const ask = (address: string): TestApp => ({
      ...proxied,
      call: (path, call = {}) =>
        proxied.call(path, {
          ...call,
          from: '10.0.0.1',
          headers: { ...call.headers, 'x-forwarded-for': `198.51.100.9, ${address}` },
        }),
    })
    const pay = async (address: string, card: string) => {
      const payer = await openPayerClient(ask(address), (await newLink(proxied.merchant)).id)
      return payer.payByCard(card)
    }
    for (let i = 0; i < 10; i += 1) await pay('203.0.113.1', CARDS.decline)
    expect((await pay('203.0.113.1', CARDS.approve)).status).toBe(429)
    expect((await pay('198.51.100.9', CARDS.approve)).status).toBe(200)
  })
})
