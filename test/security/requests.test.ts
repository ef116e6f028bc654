import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { disableInstance } from '../../server/admin/disable-instance.ts'
import { type ApiResponse, BASE, basic, type Call, startTestApp, type TestApp } from '../app.ts'
import { addLiveProcessor } from '../payments-client.ts'
import { newLink } from '../payer-client.ts'
import { freePort } from '../program.ts'

const app = await startTestApp()
const secure = await startTestApp({ BASE_URL: 'https://pay.shop.test' })

describe('the header Host', () => {
  it('is in no address that we write', async () => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    const created = await app.merchant.api('/payment_links', {
      body: { payment_link: { options: { amount: '1.00' } } },
      headers,
    })
    expect(created.json.payment_link.url).toMatch(new RegExp(`^${BASE}/pay/pl_`))
    const page = await app.call(`/pay/${created.json.payment_link.id}`, { headers })
    const document = await app.call('/openapi.json', { headers })
    expect(page.text + document.text).not.toContain('evil.example')
  })

  it('must name this server when the setting requires it, except for probes', async () => {
    const strict = await startTestApp({
      BASE_URL: 'https://pay.shop.test',
      ALLOWED_HOSTS: 'pay.other.test, inside.test:4242',
    })
    const ask = (host: string, path = '/') => strict.call(path, { headers: { host } })
    for (const host of ['pay.shop.test', 'PAY.other.test', 'inside.test:4242']) {
      expect((await ask(host)).status, host).toBe(200)
    }
    for (const host of ['evil.example', 'inside.test', 'pay.shop.test.evil.example', '']) {
      const { status, json } = await ask(host)
      expect([status, json.error.type], host).toEqual([421, 'MISDIRECTED_REQUEST'])
    }
    expect((await ask('10.0.0.9:4242', '/livez')).status).toBe(200)
    expect((await ask('10.0.0.9:4242', '/readyz')).status).toBe(200)
  })
})

describe('the address of a caller', () => {
  const noted = async (server: TestApp, call: Call) => {
    const crm_key = randomUUID()
    await server.merchant.api('/accounts', { body: { account: { crm_key } }, ...call })
    const { json } = await server.merchant.api(`/accounts/${crm_key}?expand=created_session`)
    return json.account.created_session.ip
  }
  const forged = { headers: { 'x-forwarded-for': '1.2.3.4' }, from: '203.0.113.9' }

  it('is the one that a trusted proxy names', async () => {
    const proxied = await startTestApp({ TRUST_PROXY: '10.0.0.0/8' })
    expect(await noted(proxied, { ...forged, from: '10.0.0.1' })).toBe('1.2.3.4')
    expect(await noted(proxied, forged)).toBe('203.0.113.9')
  })

  it('is its connection’s where no proxy is trusted', async () => {
    expect(await noted(app, forged)).toBe('203.0.113.9')
  })
})

describe('a payer whose address is not known behind https', () => {
  const BASE_URL = 'https://pay.shop.test'
  const xff = (text: string) => ({ headers: { 'x-forwarded-for': text } })

  it.each<[string, string | undefined, Call, string | undefined]>([
    ['a proxy that sends no header', '1', { from: '127.0.0.1' }, 'forwarded-header-short'],
    [
      'one proxy where two are believed',
      '2',
      { from: '10.0.0.1', ...xff('203.0.113.1') },
      'forwarded-header-short',
    ],
    [
      'two proxies where one is believed',
      '1',
      { from: '10.0.0.1', ...xff('203.0.113.1, 10.0.0.2') },
      'inside-address',
    ],
    [
      'a proxy of another network',
      '10.1.0.0/16',
      { from: '10.2.0.1', ...xff('203.0.113.1') },
      'inside-address',
    ],
    ['a proxy where none was named', undefined, { from: '127.0.0.1' }, 'inside-address'],
    ['a proxy that does its work', '1', { from: '127.0.0.1', ...xff('203.0.113.1') }, undefined],
    ['no proxy', 'none', { from: '203.0.113.1' }, undefined],
  ])('is reported: %s', async (_what, trust, call, source) => {
    const server = await startTestApp({
      BASE_URL,
      ...(trust === undefined ? {} : { TRUST_PROXY: trust }),
    })
    for (let i = 0; i < 3; i += 1) await server.call('/sign-in', call)
    await server.call('/livez', call)
    const count = server.checkstand.deps.security.counts().get('client_address_unknown') ?? 0
    expect(count).toBe(source === undefined ? 0 : 3)
    // What is wrong, with the name of the setting, is said once.
    expect(server.logged().match(/"level":50[^\n]*TRUST_PROXY/g) ?? []).toHaveLength(source ? 1 : 0)
    if (source) expect(server.logged()).toContain(`"source":"${source}"`)
  })
})

describe('live instances', () => {
  const linkBody = { payment_link: { options: { amount: '1.00' } } }

  it.each(['http://pay.shop.test', 'http://localhost:4242'])(
    'make no links to %s',
    async (BASE_URL) => {
      const plain = await startTestApp({ BASE_URL })
      const live = await plain.newMerchant({ mode: 'LIVE' })
      const { status, json } = await live.api('/payment_links', { body: linkBody })
      expect([status, json.error]).toEqual([
        400,
        {
          type: 'INVALID_STATE',
          message: 'A live instance makes links only when the setting BASE_URL begins with https:',
        },
      ])
      expect((await plain.merchant.api('/payment_links', { body: linkBody })).status).toBe(200)
    },
  )

  it('make links to https', async () => {
    const configured = await startTestApp({
      BASE_URL: 'https://pay.shop.test',
      TRUST_PROXY: 'none',
    })
    const live = await configured.newMerchant({ mode: 'LIVE' })
    addLiveProcessor(configured)
    const { json } = await live.api('/payment_links', { body: linkBody })
    expect(json.payment_link.url).toMatch(/^https:\/\/pay\.shop\.test\/pay\/pl_/)
  })

  it('are called from anywhere when the setting excludes a proxy', async () => {
    const configured = await startTestApp({
      BASE_URL: 'https://pay.shop.test',
      TRUST_PROXY: 'none',
    })
    const live = await configured.newMerchant({ mode: 'LIVE' })
    expect((await live.api('/accounts', { from: '203.0.113.5' })).status).toBe(200)
    const plain = await startTestApp({ TRUST_PROXY: 'none' })
    const other = await plain.newMerchant({ mode: 'LIVE' })
    expect((await other.api('/accounts', { from: '203.0.113.5' })).status).toBe(403)
  })

  it('make no links where it is not said what stands before the server', async () => {
    const live = await secure.newMerchant({ mode: 'LIVE' })
    const { status, json } = await live.api('/payment_links', { body: linkBody })
    expect([status, json.error.type]).toEqual([400, 'INVALID_STATE'])
    expect(json.error.message).toMatch(/^TRUST_PROXY must be set for a live instance/)
  })

  it('keep a server without TRUST_PROXY from starting until they are disabled', async () => {
    const untold = await startTestApp({ BASE_URL: 'https://pay.shop.test', PORT: '0' })
    const live = await untold.newMerchant({ mode: 'LIVE' })
    await expect(untold.checkstand.start()).rejects.toThrow(/^TRUST_PROXY must be set/)
    const { deps } = untold.checkstand
    await disableInstance(deps, live.instance.id)
    expect(await untold.checkstand.start()).toBeGreaterThan(0)
  })

  it('reject plain http from another machine', async () => {
    const live = await secure.newMerchant({ mode: 'LIVE' })
    const ask = async (from: string, headers = {}, path = '/payment_links') => {
      const { status, json } = await live.api(path, { from, headers })
      return [status, json.error?.type ?? json.code]
    }
    expect(await ask('203.0.113.1')).toEqual([403, 'FORBIDDEN'])
    expect(await ask('203.0.113.1', {}, '/strings')).toEqual([403, 'FORBIDDEN'])
    expect(await ask('10.0.0.1', { 'x-forwarded-proto': 'https' })).toEqual([403, 'FORBIDDEN'])
    expect(await ask('127.0.0.1')).toEqual([200, undefined])
    const { api } = secure.merchant
    expect((await api('/payment_links', { from: '203.0.113.1' })).status).toBe(200)
  })

  it('answer who came by https to a proxy that is trusted', async () => {
    const proxied = await startTestApp({ BASE_URL: 'https://pay.shop.test', TRUST_PROXY: '1' })
    const live = await proxied.newMerchant({ mode: 'LIVE' })
    const ask = async (proto: string | undefined, address = '203.0.113.1', from = '127.0.0.1') => {
      const headers = {
        'x-forwarded-for': address,
        ...(proto === undefined ? {} : { 'x-forwarded-proto': proto }),
      }
      return (await live.api('/payment_links', { from, headers })).status
    }
    expect(await ask('https')).toBe(200)
    expect(await ask('http')).toBe(403)
    expect(await ask(undefined)).toBe(403)
    expect(await ask('http', '127.0.0.1')).toBe(403)
    expect((await live.api('/payment_links', { from: '127.0.0.1' })).status).toBe(200)
  })

  it('do not tell a stranger that they are live', async () => {
    const headers = { authorization: basic('sk_live_wrong0123456789:') }
    const path = '/c/api/instances/default/payment_links'
    expect((await secure.call(path, { headers, from: '203.0.113.200' })).status).toBe(401)
  })
})

describe('what a request may be', async () => {
  const port = await freePort()
  const served = await startTestApp({ PORT: String(port) })
  await served.checkstand.start()

  /** Sends raw text. Returns the first line of the response. */
  function send(text: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(text))
      let heard = ''
      socket.on('data', (bytes) => (heard += String(bytes)))
      socket.on('close', () => resolve(heard.split('\r\n')[0] ?? ''))
      socket.on('error', reject)
    })
  }
  const request = (line: string, headers = '') =>
    send(`${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n`)

  it.each([
    ['GET /livez', '', 200],
    ['TRACE /livez', '', 404],
    ['TRACE /pay/pl_a_b', '', 405],
    ['TRACE /c/api/instances/default/payment_links', '', 401],
    ['GET /livez', `X-Long: ${'x'.repeat(66_000)}\r\n`, 431],
    ['GET /livez', 'Content-Length: 1\r\nTransfer-Encoding: chunked\r\n', 400],
    ['NONSENSE /livez', '', 400],
  ])('%s answers as it must (%#)', async (line, headers, status) => {
    expect(await request(line, headers)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it('is at most 64 000 bytes from a payer and 1 000 000 from a merchant, in pieces too', async () => {
    const link = await newLink(app.merchant)
    const open = (bytes: number, inPieces: boolean) => {
      const text = `{"branding":"${'x'.repeat(bytes - 15)}"}`
      const raw = inPieces ? new Blob([text]).stream() : text
      const headers = { 'content-type': 'application/json' }
      return app.call(`/pay/${link.id}/checkouts`, { raw, headers })
    }
    for (const inPieces of [false, true]) {
      const { json } = await open(64_000, inPieces)
      expect(json.error.message).toBe('branding must be at most 64 characters')
      const tooLarge = await open(64_001, inPieces)
      expect(tooLarge.json.error.message).toBe('body must be at most 64000 bytes')
    }
    const body = { payment_link: { state: 'x'.repeat(1_000_000) } }
    const { json } = await app.merchant.api('/payment_links', { body })
    expect(json.error.message).toBe('body must be at most 1000000 bytes')
  })

  it('is nested at most 32 levels deep, with at most 10 000 members', async () => {
    const send = (state: string) =>
      app.merchant.api('/payment_links', {
        raw: `{"payment_link":{"state":${state}}}`,
        headers: { 'content-type': 'application/json' },
      })
    expect((await send(`${'['.repeat(30)}${']'.repeat(30)}`)).status).toBe(200)
    const deep = await send(`${'['.repeat(31)}${']'.repeat(31)}`)
    expect(deep.json.error.message).toBe('body must be nested at most 32 levels deep')
    const wide = await send(`[${'1,'.repeat(10_000)}1]`)
    expect(wide.json.error.message).toBe('body must have at most 10000 members')
    expect((await send('['.repeat(100_000))).status).toBe(400)
  })
})

describe('JSON', () => {
  const send = (raw: string, type = 'application/json') =>
    app.merchant.api('/payment_links', { raw, headers: { 'content-type': type } })

  it.each(['', '{', 'undefined', '{"a":1,}', '\u0000', '{"payment_link":{}} x'])(
    'that is none is a mistake of the caller: %j',
    async (raw) => {
      expect((await send(raw)).status).toBe(400)
    },
  )

  it('has a content type of its own', async () => {
    expect((await send('{"payment_link":{}}', 'text/plain')).status).toBe(400)
    expect((await send('{"payment_link":{}}', 'application/json; charset=utf-8')).status).toBe(200)
  })

  it.each(['1145678901234567891', '1e400', '0.1000000000000000055'])(
    'has no number that would come back as another one: %s',
    async (number) => {
      const response = await send(`{"payment_link":{"state":{"order":${number}}}}`)
      expect([response.status, response.json.error.message]).toEqual([
        400,
        'payment_link.state.order exceeds the precision of a JSON number; send it as a string',
      ])
      const kept = await send(`{"payment_link":{"state":{"order":"${number}","total":12.5e3}}}`)
      expect(kept.json.payment_link.state).toEqual({ order: number, total: 12_500 })
    },
  )

  it.each(['__proto__', 'constructor', 'prototype'])(
    'has no member %s among options, and keeps it as data in the state',
    async (name) => {
      const option = await send(`{"payment_link":{"options":{"${name}":{"amount":"1.00"}}}}`)
      expect(option.json.error.message).toBe(`Unknown field payment_link.options.${name}`)
      const created = await send(`{"payment_link":{"state":{"${name}":{"polluted":1}}}}`)
      const { id } = created.json.payment_link
      const changed = await app.merchant.api(`/payment_links/${id}`, {
        method: 'PUT',
        raw: `{"mode":"PATCH","payment_link":{"state":{"${name}":{"more":2}}}}`,
        headers: { 'content-type': 'application/json' },
      })
      expect(changed.status, changed.text).toBe(200)
      const { text } = await app.merchant.api(`/payment_links/${id}`)
      expect(text).toContain(`"state":{"${name}":{"polluted":1,"more":2}}`)
      expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    },
  )
})

describe('a defect', async () => {
  const broken = await startTestApp()
  const { db } = broken.checkstand.deps
  for (const table of ['accounts', 'strings', 'payment_links', 'oauth_clients', 'user_sessions']) {
    await sql`alter table ${sql.table(table)} rename to ${sql.table(`gone_${table}`)}`.execute(db)
  }
  const nested = { error: { type: 'INTERNAL', message: 'Internal server error' } }
  const flat = { code: 'INTERNAL', message: 'Internal server error' }
  const oauth = { error: 'server_error', error_description: 'internal server error' }
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  const client = { raw: 'client_id=oc_1_x&client_secret=x&grant_type=refresh_token', headers: form }

  it.each<[string, unknown, () => Promise<ApiResponse>]>([
    ['the API', nested, () => broken.merchant.api('/accounts')],
    ['wording', flat, () => broken.merchant.api('/strings')],
    ['a token', oauth, () => broken.call('/oauth/token', client)],
    ['an approval', 'html', () => broken.call('/oauth/authorize?client_id=oc_1_x')],
  ])('is written to the log alone: %s', async (_what, expected, ask) => {
    const before = broken.logged().length
    const response = await ask()
    expect(response.status).toBe(500)
    if (expected === 'html') expect(response.text).toContain('<!doctype html>')
    else expect(response.json).toEqual(expected)
    const heard = `${response.text} ${[...response.headers].join(' ')}`
    expect(heard).not.toMatch(
      /accounts|payment_links|oauth_clients|no such|does not exist|\.ts|node_/,
    )
    const lines = broken.logged().slice(before)
    expect(lines).toMatch(/"level":50.*(no such table|does not exist)/)
    expect(lines).toContain(`"request":"${response.headers.get('x-request-id')}"`)
  })
})
