import { describe, expect, it } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'
import { newLink } from '../../test/payer-client.ts'

describe('one address on the payers’ routes', () => {
  it('is limited to the setting per minute for all requests together', async () => {
    const app = await startTestApp({ PAYER_RATE: '4' })
    const link = await newLink(app.merchant)
    const from = '203.0.113.1'
    const opened = await app.call(`/pay/${link.id}/checkouts`, { body: {}, from })
    const headers = { authorization: `Bearer ${opened.json.token}` }
    const ask = [
      () => app.call(`/pay/${link.id}`, { from }),
      () => app.call('/pay/checkouts/current', { from, headers }),
      () => app.call('/csp', { from, raw: '{}' }),
    ]
    for (const call of ask) expect((await call()).status).toBeLessThan(300)
    for (const call of [
      ...ask,
      () => app.call(`/pay/${link.id}/checkouts`, { from, body: {} }),
      () => app.call('/pay/checkouts/current/submit', { from, headers, body: {} }),
    ]) {
      const { status, json, headers: answered } = await call()
      expect([status, json.error.type]).toEqual([429, 'TOO_MANY_REQUESTS'])
      expect(answered.get('retry-after')).toBe('15')
    }
    expect((await app.call(`/pay/${link.id}`, { from: '203.0.113.2' })).status).toBe(200)
    app.pass(14_999)
    expect((await app.call(`/pay/${link.id}`, { from })).headers.get('retry-after')).toBe('1')
    app.pass(1)
    expect((await app.call(`/pay/${link.id}`, { from })).status).toBe(200)
    expect((await app.call(`/pay/${link.id}`, { from })).status).toBe(429)
  })

  it.each([
    ['from this machine', '4', '127.0.0.1'],
    ['with the limit off', '0', '203.0.113.1'],
  ])('is not limited %s', async (_what, rate, from) => {
    const app = await startTestApp({ PAYER_RATE: rate })
    for (let i = 0; i < 20; i += 1) {
      expect((await app.call('/pay/pl_unknown_1', { from })).status).toBe(404)
    }
  })

  it('of IPv6 also counts for its wider networks, whose limits are higher', async () => {
    const app = await startTestApp({ PAYER_RATE: '2' })
    const { security } = app.checkstand.deps
    const ask = async (from: string) => (await app.call('/pay/pl_unknown_1', { from })).status
    for (let i = 0; i < 8; i += 1) expect(await ask(`2001:db8:1:1${i}0::1`)).toBe(404)
    for (let i = 0; i < 4; i += 1) expect(await ask(`2001:db8:1:20${i}::1`)).toBe(404)
    for (let i = 0; i < 4; i += 1) expect(await ask(`2001:db8:1:21${i}::1`)).toBe(404)
    // The /56 has had eight requests from eight networks.
    expect(await ask('2001:db8:1:2ff::1')).toBe(429)
    expect(security.counts().get('requests_limited')).toBe(1)
    for (let i = 0; i < 16; i += 1) {
      expect(await ask(`2001:db8:1:${(0x300 + 0x80 * i).toString(16)}::1`)).toBe(404)
    }
    // The /48 has had thirty-two from all of them.
    expect(await ask('2001:db8:1:ff00::1')).toBe(429)
    expect(await ask('2001:db8:2:ff00::1')).toBe(404)
  })

  it('is limited to 600 requests per minute by default', async () => {
    const app = await startTestApp()
    const from = '203.0.113.1'
    for (let i = 0; i < 600; i += 1) {
      expect((await app.call('/pay/checkouts/current', { from })).status).toBe(401)
    }
    expect((await app.call('/pay/checkouts/current', { from })).status).toBe(429)
  })
})

describe('one caller of the merchant API', () => {
  it('is limited to the setting per minute, separately from others', async () => {
    const app = await startTestApp({ API_RATE: '2' })
    const other = await app.newMerchant({
      user: { email: 'a@shop.example', password: 'correct horse battery' },
    })
    const ask = () => app.merchant.api('/payment_links')
    expect([(await ask()).status, (await ask()).status]).toEqual([200, 200])
    const nested = await ask()
    expect(nested.json.error.type).toBe('TOO_MANY_REQUESTS')
    expect([nested.status, nested.headers.get('retry-after')]).toEqual([429, '30'])
    const flat = await app.merchant.api('/strings')
    expect([flat.status, flat.json.code]).toEqual([429, 'TOO_MANY_REQUESTS'])
    expect((await other.api('/payment_links')).status).toBe(200)
    const headers = { authorization: basic('a@shop.example:correct horse battery') }
    const byUser = () => other.api('/payment_links', { headers })
    expect([(await byUser()).status, (await byUser()).status]).toEqual([200, 200])
    expect((await byUser()).status).toBe(429)
    app.pass(29_999)
    expect((await ask()).status).toBe(429)
    app.pass(1)
    expect((await ask()).status).toBe(200)
  })

  it('is not limited by default', async () => {
    const app = await startTestApp()
    for (let i = 0; i < 300; i += 1) {
      expect((await app.merchant.api('/payment_links/pl_unknown_1')).status).toBe(404)
    }
  })
})
