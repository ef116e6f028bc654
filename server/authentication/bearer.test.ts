import { describe, expect, it } from 'vitest'
import { isScope, permissionFor } from '../http/scopes.ts'
import { CARDS } from '../../test/cards.ts'
import { newColleague, newPlatform, newTokens, newUser, withToken } from '../../test/oauth.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { basic, startTestApp } from '../../test/app.ts'

/** Contract section 5: a token says whose data is meant, and so leaves the instance out. */

const app = await startTestApp()
const UNAUTHORISED = { code: 'UNAUTHORIZED', message: 'Unauthorized' }
const platform = await newPlatform(app, { scopes: 'read write processors:write' })
const { merchant, email } = await newUser(app)
const { access_token: token } = await newTokens(app, email, platform)
const api = withToken(app, token)

const withScope = async (scope: string) =>
  withToken(app, (await newTokens(app, email, platform, { scope })).access_token)

const mount = app.checkstand.mounts.find(({ security }) => security === 'bearer')
const routes = (mount?.routes ?? []).flatMap((route): [string, string, string][] => {
  const permission = permissionFor(route)
  return permission === undefined || !isScope(permission)
    ? []
    : [[route.method, route.path, permission]]
})
/** A token for each permission alone. */
const lone = new Map<string, ReturnType<typeof withToken>>()
for (const [, , permission] of routes) {
  if (!lone.has(permission)) lone.set(permission, await withScope(permission))
}

describe('a token', () => {
  it('reaches what the secret key of its instance reaches', async () => {
    const link = await newLink(merchant)
    const byKey = await merchant.api(`/payment_links/${link.id}`)
    const byToken = await api(`/payment_links/${link.id}`)
    expect([byToken.status, byToken.text]).toEqual([200, byKey.text])
    const created = await api('/accounts', { body: { account: { crm_key: 'c-1' } } })
    expect((await merchant.api(`/accounts/${created.json.account.id}`)).status).toBe(200)
  })

  it.each(['bearer', 'BEARER', 'Bearer  '])('comes behind the scheme %j', async (scheme) => {
    const headers = { authorization: `${scheme} ${token}` }
    expect((await app.call('/c/api/accounts', { headers })).status).toBe(200)
  })

  it('is named in what it makes, with the user who approved it and the platform', async () => {
    const body = { account: { crm_key: 'c-2' } }
    const { account } = (await api('/accounts?', { body })).json
    const shown = await api(`/accounts/${account.id}?expand=created_session`)
    expect(shown.json.account.created_session).toMatchObject({
      type: 'OAUTH',
      client_id: platform.id,
      user: expect.stringMatching(/^usr_/),
    })
    const again = (await api('/accounts', { body: { account: { crm_key: 'c-3' } } })).json.account
    expect(again.created_session).toBe(account.created_session)
  })

  it('opens the settings of its own instance, and of no other', async () => {
    const own = await api(`/instances/${merchant.instance.key}`)
    expect(own.json.instance.key).toBe(merchant.instance.key)
    const other = await api('/instances/elsewhere')
    expect([other.status, other.json.error.message]).toEqual([404, 'Instance not found'])
    const change = { body: { instance: { name: 'Renamed' } }, method: 'PUT' }
    const changed = await api(`/instances/${merchant.instance.key}`, change)
    expect(changed.json.instance.name).toBe('Renamed')
  })
})

describe('a token opens nothing', () => {
  it('below the prefix with an instance', async () => {
    const headers = { authorization: `Bearer ${token}` }
    for (const path of ['accounts', 'instances/default', 'payment_links/pl_1_x', 'nothing', '']) {
      const { key } = merchant.instance
      const response = await app.call(`/c/api/instances/${key}/${path}`, { headers })
      expect([path, response.status, response.json]).toEqual([path, 401, UNAUTHORISED])
    }
  })

  it.each([
    ['no header', undefined],
    ['the scheme alone', 'Bearer'],
    ['another token', `Bearer at_${'x'.repeat(43)}`],
    ['a part of it', `Bearer ${token.slice(0, -1)}`],
    ['more than it', `Bearer ${token}x`],
    ['two of them', `Bearer ${token}, Bearer ${token}`],
    ['Basic with it', basic(`${token}:`)],
    ['Basic with a secret key', basic(`${merchant.secretKey}:`)],
    ['a secret key', `Bearer ${merchant.secretKey}`],
    ['another scheme', `Token ${token}`],
  ])('with %s', async (_what, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization }
    for (const path of ['/accounts', '/nothing', '/strings']) {
      const response = await app.call(`/c/api${path}`, { headers })
      expect([response.status, response.json]).toEqual([401, UNAUTHORISED])
      expect(response.headers.get('www-authenticate')).toMatch(/^Bearer /)
    }
  })

  it('from the query or a form, where logs and histories would keep it', async () => {
    expect((await app.call(`/c/api/accounts?access_token=${token}`)).status).toBe(401)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = `access_token=${token}`
    expect((await app.call('/c/api/accounts', { raw: body, headers: form })).status).toBe(401)
  })

  it('when it is the refresh token', async () => {
    const { refresh_token } = await newTokens(app, email, platform)
    expect((await withToken(app, refresh_token)('/accounts')).status).toBe(401)
  })
})

describe('scopes', () => {
  it('let write everything but the account that the money goes to', async () => {
    const writing = await withScope('read write')
    const body = { processor: { secret_key: 'sk_test_51Another0Key' } }
    const paths: [string, string, object | undefined][] = [
      ['POST', '/processors', body],
      ['PUT', '/processors/pr_1893456000000_0000000000000000', body],
      ['DELETE', '/processors/pr_1893456000000_0000000000000000', undefined],
      ['POST', '/processors/pr_1893456000000_0000000000000000/rotate_webhook_secret', {}],
    ]
    for (const [method, path, sent] of paths) {
      const { status, json } = await writing(path, { method, body: sent })
      expect([status, json.error?.message]).toEqual([
        403,
        'This token lacks the scope processors:write',
      ])
    }
    expect((await writing('/processors')).status).toBe(200)
    expect((await writing('/accounts', { body: { account: { crm_key: 'c-9' } } })).status).toBe(200)
    const named = await withScope('write processors:write')
    expect((await named('/processors', { body })).status).toBe(400)
  })

  it('name the one that a refused request lacks', async () => {
    const reader = await withScope('accounts:read')
    expect((await reader('/accounts')).status).toBe(200)
    const writing = await reader('/accounts', { body: { account: { crm_key: 'no' } } })
    expect([writing.status, writing.json]).toEqual([
      403,
      { error: { type: 'FORBIDDEN', message: 'This token lacks the scope accounts:write' } },
    ])
    expect(writing.headers.get('www-authenticate')).toContain('error="insufficient_scope"')
  })

  it('open no record of another area behind one of their own', async () => {
    const { account } = (
      await merchant.api('/accounts', { body: { account: { crm_key: 'x', email: 'x@y.example' } } })
    ).json
    const link = await newLink(merchant, { amount: '1.00', account: account.id })
    await (await openPayerClient(app, link.id)).payByCard(CARDS.approve)
    const payer = await withScope('payment_links:read')
    const both = await withScope('payment_links:read accounts:read')
    expect((await payer(`/payment_links/${link.id}`)).status).toBe(200)
    for (const [expand, needed] of [
      ['account', 'accounts'],
      ['payment', 'payments'],
      ['payment.account', 'payments'],
      ['payment_method', 'accounts'],
      ['charge,contract', 'charges'],
      ['nothing, account', 'accounts'],
      ['&expand=account', 'accounts'],
    ]) {
      for (const path of [`/payment_links/${link.id}`, '/payment_links', '/payment_links/pl_1_x']) {
        const { status, json } = await payer(`${path}?expand=${expand}`)
        expect([path, expand, status, json.error.message]).toEqual([
          path,
          expand,
          403,
          `This token lacks the scope ${needed}:read`,
        ])
      }
    }
    const whole = await both(`/payment_links/${link.id}?expand=account`)
    expect(whole.json.payment_link.account.email).toBe('x@y.example')
    expect((await payer('/payment_links?expand=nothing')).status).toBe(400)
    const accounts = await withScope('accounts:read')
    expect((await accounts('/accounts?expand=created_session')).status).toBe(200)
  })

  it('are refused in the flat shape where errors are flat', async () => {
    const response = await (await withScope('accounts:read'))('/strings')
    expect([response.status, response.json]).toEqual([
      403,
      { code: 'FORBIDDEN', message: 'This token lacks the scope strings:read' },
    ])
  })

  it('are judged before the body, and after the path is known', async () => {
    const reader = await withScope('accounts:read')
    expect((await reader('/accounts', { raw: '{', method: 'POST' })).status).toBe(403)
    expect((await reader('/nothing')).status).toBe(404)
    expect((await reader('/accounts', { method: 'DELETE' })).status).toBe(405)
  })

  it.each(routes)('%s %s needs %s, and nothing else will do', async (method, path, permission) => {
    const hasBody = method === 'post' || method === 'put'
    const call = { method: method.toUpperCase(), ...(hasBody ? { body: {} } : {}) }
    for (const [held, ask] of lone) {
      const { status } = await ask(path.replace(/:\w+/g, 'x'), call)
      expect([held, status === 403]).toEqual([held, held !== permission])
    }
  })
})

// Last, because the clock that it moves is everybody's.
it('a token lives 3600 seconds, to the millisecond', async () => {
  const fresh = withToken(app, (await newTokens(app, email, platform)).access_token)
  app.pass(3_599_999)
  expect((await fresh('/accounts')).status).toBe(200)
  app.pass(1)
  const late = await fresh('/accounts')
  expect([late.status, late.json]).toEqual([401, UNAUTHORISED])
  expect(late.headers.get('www-authenticate')).toContain('error="invalid_token"')
})

describe('the token of a platform', () => {
  it('permits no more than the role of the user who approved it', async () => {
    const { merchant } = await newUser(app)
    const developer = await newColleague(app, merchant, { role: 'DEVELOPER' })
    const { access_token } = await newTokens(app, developer.email, platform)
    const body = { payment: {} }
    const call = withToken(app, access_token)
    expect((await call('/payments', { body })).status).toBe(400)
    await app.checkstand.deps.db
      .updateTable('instances')
      .set({ mode: 'LIVE' })
      .where('id', '=', merchant.instance.id)
      .execute()
    const { status, text } = await call('/payments', { body })
    expect([status, text]).toEqual([403, expect.stringContaining('payments:write')])
    expect((await call('/payments')).status).toBe(200)
  })
})
