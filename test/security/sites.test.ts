import { describe, expect, it } from 'vitest'
import { BASE, startTestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { newLink, openPayerClient } from '../payer-client.ts'
import { builtScripts } from './payer-page.ts'

const app = await startTestApp()

describe('frames and their messages', () => {
  it('no script posts a message to every origin', async () => {
    for (const { name, source } of await builtScripts()) {
      expect(source, name).not.toMatch(/postMessage\([^;]{0,400}?["'`]\*["'`]\s*\)/)
    }
  })
})

describe('cookies', () => {
  it('are not set for payers, and change nothing for them', async () => {
    const link = await newLink(app.merchant)
    const answers = [
      await app.call(`/pay/${link.id}`),
      await app.call(`/pay/${link.id}/checkouts`, { body: {} }),
    ]
    const headers = { cookie: `checkout=${answers[1]?.json.token}` }
    answers.push(await app.call('/pay/checkouts/current', { headers }))
    expect(answers[2]?.status).toBe(401)
    for (const response of answers) expect(response.headers.getSetCookie()).toEqual([])
  })
})

describe('a page of another site', async () => {
  const link = await newLink(app.merchant)
  const payer = await openPayerClient(app, link.id)
  const open = (headers: Record<string, string>) =>
    app.call(`/pay/${link.id}/checkouts`, { body: {}, headers })
  const submit = (headers: Record<string, string>) =>
    app.call('/pay/checkouts/current/submit', {
      body: {},
      headers: { authorization: `Bearer ${payer.token}`, ...headers },
    })

  it.each([
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'http://evil.shop.test', 'sec-fetch-site': 'same-site' },
    { origin: 'https://shop.test', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://shop.test:8080', 'sec-fetch-site': 'same-origin' },
    { origin: 'null' },
  ] as Record<string, string>[])('neither opens nor submits: %j', async (headers) => {
    for (const response of [await open(headers), await submit(headers)]) {
      expect([response.status, response.json.error.type]).toEqual([403, 'FORBIDDEN'])
    }
  })

  it.each([
    {},
    { origin: BASE },
    { origin: BASE, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
  ] as Record<string, string>[])('is not what our own page is taken for: %j', async (headers) => {
    expect((await open(headers)).status).toBe(200)
    expect((await submit(headers)).json.error.type).toBe('INVALID_REQUEST')
  })

  /** Where a payer changes something; only a bank's page may send payers back from elsewhere. */
  const changing = app.checkstand.mounts
    .filter(({ security }) => security === 'none')
    .flatMap(({ prefix, routes }) =>
      routes.map(({ method, path }): [string, string] => [method.toUpperCase(), prefix + path]),
    )
    .filter(([method, path]) => method !== 'GET' && !path.endsWith('/:handle/return'))

  it('is kept from every address where something can be changed', () => {
    expect(changing.map((each) => each.join(' '))).toEqual(
      expect.arrayContaining([
        'POST /pay/:id/checkouts',
        'POST /pay/checkouts/current/submit',
        'DELETE /pay/checkouts/current/payment_methods/:id',
      ]),
    )
  })

  it.each(changing)('changes nothing with the payer’s own token: %s %s', async (method, path) => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      { origin: 'null', 'sec-fetch-site': 'same-origin' },
    ] as Record<string, string>[]) {
      const { status, json } = await app.call(path.replace(':id', link.id), {
        method,
        ...(method === 'DELETE' ? {} : { body: {} }),
        headers: { authorization: `Bearer ${payer.token}`, ...headers },
      })
      expect([headers, status, json?.error?.type]).toEqual([headers, 403, 'FORBIDDEN'])
    }
  })

  it('tries out no cards at the sandbox', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' }
    for (const path of ['/sandbox/tokens', '/sandbox/challenges/x']) {
      expect((await app.call(path, { body: {}, headers })).status).toBe(403)
    }
  })

  it('gets no answer to the question whether it may, and no simple form is taken', async () => {
    const preflight = await app.call(`/pay/${link.id}/checkouts`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).toBe(405)
    const names = [...preflight.headers.keys()]
    expect(names.filter((name) => name.startsWith('access-control'))).toEqual([])
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const call = { raw: '{}', headers: { 'content-type': type } }
      expect((await app.call(`/pay/${link.id}/checkouts`, call)).status, type).toBe(400)
    }
  })

  it('of a bank may send the payer back', async () => {
    const response = await payer.payByCard(CARDS.challenge)
    const { headers } = await app.call(new URL(response.json.action.url).pathname, {
      raw: 'choice=decline',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    const back = new URL(headers.get('location') as string).pathname
    const crossing = { origin: 'https://bank.example', 'sec-fetch-site': 'cross-site' }
    expect((await app.call(back, { raw: '', headers: crossing })).status).toBe(303)
  })
})
