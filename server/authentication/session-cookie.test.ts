import { describe, expect, it, vi } from 'vitest'
import type { Role } from '../../shared/rules/roles.ts'
import { basic, BASE, startTestApp } from '../../test/app.ts'
import type { ConsoleBoot } from '../../shared/console-boot.ts'
import { happen } from '../../test/webhook-receiver.ts'
import { NAVIGATION, newUser, openConsole, PASSWORD, signedInBrowser } from '../../test/oauth.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 30_000 })

const app = await startTestApp()
const { merchant, email } = await newUser(app)
const browser = await signedInBrowser(app, email)
const token = (await openConsole(browser))?.token ?? ''
const LINKS = '/c/api/instances/default/payment_links'

/** Headers of a request that the console makes; undefined leaves one out. */
const headers = (change: Record<string, string | undefined> = {}): Record<string, string> => {
  const all: Record<string, string | undefined> = {
    cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    'checkstand-console': token,
    'sec-fetch-site': 'same-origin',
    origin: BASE,
    ...change,
  }
  return Object.fromEntries(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
}
const body = { payment_link: { options: { amount: '24.00', currency: 'EUR' } } }
const read = (change?: Record<string, string | undefined>) =>
  app.call(LINKS, { headers: headers(change) })
const write = (change?: Record<string, string | undefined>) =>
  app.call(LINKS, { method: 'POST', headers: headers(change), body })

describe('the console', () => {
  it('reads and writes with the cookie of its user', async () => {
    expect((await read()).status).toBe(200)
    expect((await write()).status).toBe(200)
    const packed = await app.checkstand.fetch(
      new Request(`${BASE}/c/api/instances/default/strings?limit=50`, {
        headers: headers({ 'accept-encoding': 'gzip' }),
      }),
    )
    expect(packed.headers.get('content-encoding')).toBe('gzip')
    const made = await app.call('/c/api/instances/default/accounts', {
      method: 'POST',
      headers: headers(),
      body: { account: { crm_key: 'customer-1' } },
    })
    const { created_session: id } = made.json.account
    const actor = await app.checkstand.deps.db
      .selectFrom('actor_sessions')
      .select(['type', 'user_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    expect(actor.type).toBe('USER')
    expect(actor.user_id).toMatch(/^usr_/)
  })

  it.each([
    ['the cookie', { cookie: undefined }],
    [
      'another cookie',
      { cookie: 'checkstand_session=us_0000000000000000000000000000000000000000000' },
    ],
    ['the token', { 'checkstand-console': undefined }],
    ['a true token', { 'checkstand-console': 'A'.repeat(43) }],
    ['the same site', { 'sec-fetch-site': 'cross-site' }],
    ['the same origin', { 'sec-fetch-site': 'same-site' }],
  ])('is refused without %s', async (_what, change) => {
    expect((await read(change)).status).toBe(401)
    expect((await write(change)).status).toBe(401)
  })

  it('is refused to write for a page of another origin, or of none', async () => {
    for (const origin of ['https://evil.example', 'null', undefined]) {
      expect((await write({ origin })).status).toBe(401)
    }
  })

  it('uses other credentials where a request has them', async () => {
    expect((await read({ authorization: basic('sk_test_wrong:') })).status).toBe(401)
  })

  it('finds no instance of another merchant', async () => {
    const { merchant: other } = await newUser(app, { key: 'other' })
    const path = `/c/api/instances/${other.instance.key}/payment_links`
    expect((await app.call(path, { headers: headers() })).status).toBe(404)
  })

  it('gets what its first screen asks with the page, unless another site opened it', async () => {
    const open = async (path: string, site?: string) => {
      const sent = headers({
        ...NAVIGATION,
        'checkstand-console': undefined,
        'sec-fetch-site': site,
      })
      return (await app.checkstand.fetch(new Request(`${BASE}${path}`, { headers: sent }))).text()
    }
    const answersOf = (text: string) => {
      const json = /id="boot">([^<]*)</.exec(text)?.[1] ?? '{}'
      return (JSON.parse(json) as ConsoleBoot).first
    }
    const first = answersOf(await open('/console/default/links', 'none'))
    const paths = Object.keys(first?.answers ?? {})
    expect(paths.map((path) => path.split('?')[0])).toEqual([
      '/c/api/instances/default/attention',
      LINKS,
    ])
    for (const path of paths) {
      const { json } = await app.call(path, { headers: headers() })
      expect(first?.answers[path]).toEqual(json)
    }
    expect(first?.instance).toBe('default')
    const streamed = async () =>
      (
        await app.call('/c/api/instances/default/events/stream?follow=false', {
          headers: { ...headers(), 'last-event-id': first?.lastEventId ?? '' },
        })
      ).text.match(/evt_\w+$/gm)
    expect(await streamed()).toBeNull()
    const id = await happen(app, merchant)
    await expect.poll(streamed, { timeout: 30_000 }).toEqual([id])
    const searched = answersOf(await open('/console/default/links?q=rent', 'same-origin'))
    expect(Object.keys(searched?.answers ?? {})).toEqual(['/c/api/instances/default/attention'])
    for (const site of ['cross-site', 'same-site', undefined]) {
      expect(answersOf(await open('/console/default/links', site))).toBeNull()
    }
  })

  it('has no token for scripts: its page opens by navigation only', async () => {
    for (const [mode, dest] of [
      ['cors', 'empty'],
      ['navigate', 'iframe'],
      ['no-cors', 'script'],
    ] as const) {
      const response = await browser.get('/console', {
        'sec-fetch-mode': mode,
        'sec-fetch-dest': dest,
      })
      expect(response.status).toBe(403)
      expect(response.text).not.toContain(token)
    }
    expect((await browser.get('/console')).status).toBe(403)
  })
})

describe('a user', () => {
  const setRole = (role: Role, instances: string[] | null = null) =>
    app.checkstand.deps.db
      .updateTable('users')
      .set({ role, instances: instances && JSON.stringify(instances) })
      .where('email', '=', email)
      .execute()

  it('may do what their role permits, by cookie and by password', async () => {
    await setRole('VIEWER')
    const byPassword = { authorization: basic(`${email}:${PASSWORD}`) }
    for (const calls of [headers(), byPassword]) {
      expect((await app.call(LINKS, { headers: calls })).status).toBe(200)
      const refused = await app.call(LINKS, { method: 'POST', headers: calls, body })
      expect(refused.status).toBe(403)
      expect(refused.json.error.message).toBe(
        'The role of this user lacks the permission payment_links:write',
      )
    }
    await setRole('SUPPORT')
    expect((await write()).status).toBe(200)
  })

  it('sees their own instances only', async () => {
    await setRole('OWNER', [])
    expect((await read()).status).toBe(404)
    expect((await openConsole(browser))?.instances).toEqual([])
    await setRole('OWNER', [merchant.instance.id])
    expect((await read()).status).toBe(200)
    await setRole('OWNER')
  })

  it('learns who they are and what they may do', async () => {
    const { json } = await app.call('/c/api/instances/default/whoami', { headers: headers() })
    expect(json.whoami).toMatchObject({
      type: 'USER',
      user: { email, role: 'OWNER' },
      client: null,
      instance: { key: 'default', mode: 'TEST' },
    })
    expect(json.whoami.permissions).toContain('users:write')
    const byKey = (await merchant.api('/whoami')).json.whoami
    expect(byKey).toMatchObject({ type: 'API_KEY', user: null, instances: [{ key: 'default' }] })
  })
})
