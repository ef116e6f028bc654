import { describe, expect, it, vi } from 'vitest'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { basic, startTestApp, type Call } from '../../test/app.ts'
import { newPlatform, newTokens, newUser, PASSWORD, withToken } from '../../test/oauth.ts'
import { insertSecretKey } from './store.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 30_000 })

const DAY = 86_400_000
const app = await startTestApp()
const { deps } = app.checkstand
const { merchant, email } = await newUser(app)
const { api } = merchant
const inDays = (days: number) => formatInstant(app.now() + days * DAY)

async function makeKey(secret_key: object, call: Call = {}) {
  const { status, json, text } = await api('/secret_keys', { body: { secret_key }, ...call })
  expect(status, text).toBe(200)
  return json.secret_key
}
/** Calls the API with another secret key of the merchant's instance. */
const withKey =
  (secret: string) =>
  (path: string, call: Call = {}) =>
    app.call(`/c/api/instances/${merchant.instance.key}${path}`, {
      ...call,
      headers: { authorization: basic(`${secret}:`), ...call.headers },
    })
const keyOf = async (id: string) => (await api(`/secret_keys/${id}`)).json.secret_key

describe('a secret key', () => {
  it('is shown once, and stored as a hash', async () => {
    const made = await makeKey({ name: 'Shop' })
    expect(made).toMatchObject({ name: 'Shop', scopes: null, expires: null, revoked: null })
    expect(made.id).toMatch(/^key_[0-9]+_[0-9a-z]{16}$/)
    expect(made.secret).toMatch(/^sk_test_/)
    expect(made.secret.startsWith(made.prefix) && made.secret.endsWith(made.last4)).toBe(true)
    const { secret: _, ...record } = made
    expect(await keyOf(made.id)).toEqual(record)
    expect((await withKey(made.secret)('/accounts')).status).toBe(200)
    expect((await keyOf(made.id)).last_used).toBe(formatInstant(app.now()))
    const rows = await deps.db.selectFrom('secret_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(made.secret)
  })

  it('is made once under an Idempotency-Key, whose stored response has no secret', async () => {
    const headers = { 'idempotency-key': 'make-one' }
    const first = await makeKey({ name: 'Once' }, { headers })
    const again = await api('/secret_keys', { body: { secret_key: { name: 'Once' } }, headers })
    const { secret, ...record } = first
    expect([again.status, again.json.secret_key]).toEqual([200, record])
    const kept = await deps.db.selectFrom('idempotency_keys').select('body').execute()
    expect(JSON.stringify(kept)).not.toContain(secret)
  })

  it('names itself and its permissions in whoami', async () => {
    const { id, secret } = await makeKey({ name: 'Books', scopes: ['payments:read'] })
    const { whoami } = (await withKey(secret)('/whoami')).json
    expect(whoami).toMatchObject({
      type: 'API_KEY',
      key: { id, name: 'Books' },
      permissions: ['payments:read'],
    })
  })

  it.each([
    [{ scopes: [] }, /^secret_key\.scopes /],
    [{ scopes: ['keys:read'] }, /^secret_key\.scopes\.0 /],
    [{ scopes: ['payments'] }, /^secret_key\.scopes\.0 /],
    [{ name: '' }, /^secret_key\.name /],
    [{ name: '4242 4242 4242 4242' }, /^secret_key\.name must not contain a card number/],
    [{ expires: '2000-01-01T00:00:00Z' }, /^secret_key\.expires must be in the future$/],
    [{ expires: 'tomorrow' }, /^secret_key\.expires must be an RFC 3339 date-time/],
  ])('refuses %j', async (secret_key, message) => {
    const { status, json } = await api('/secret_keys', { body: { secret_key } })
    expect([status, json.error.message]).toEqual([400, expect.stringMatching(message)])
  })

  it('is one of at most a hundred that work', async () => {
    const crowded = await app.newMerchant()
    const { id } = crowded.instance
    const now = formatInstant(app.now())
    for (let n = 1; n < 100; n += 1) {
      const secret = newSecret('sk_test_x')
      await insertSecretKey(deps.db, {
        hash: hashSecret(secret),
        instance_id: id,
        secret,
        created: now,
      })
    }
    const more = () => crowded.api('/secret_keys', { body: { secret_key: {} } })
    expect((await more()).json.error).toMatchObject({ type: 'INVALID_STATE' })
    const [oldest] = (await crowded.api('/secret_keys?criteria=last_used!&limit=1')).json
      .secret_keys
    await crowded.api(`/secret_keys/${oldest.id}`, { method: 'DELETE' })
    expect((await more()).status).toBe(200)
  })
})

describe('a key with scopes', () => {
  it('does what they permit, and nothing else', async () => {
    const { secret } = await makeKey({ scopes: ['payment_links:read', 'payment_links:write'] })
    const call = withKey(secret)
    const made = await call('/payment_links', { body: { payment_link: {} } })
    expect(made.status).toBe(200)
    const { status, json } = await call('/payments')
    expect([status, json.error.message]).toEqual([
      403,
      'This secret key lacks the scope payments:read',
    ])
    const { id } = made.json.payment_link
    expect((await call(`/payment_links/${id}?expand=payment`)).status).toBe(403)
    expect((await call('/strings')).json.code).toBe('FORBIDDEN')
  })

  it('manages no keys, whatever its scopes', async () => {
    const { id, secret } = await makeKey({ scopes: ['read', 'write', 'processors:write'] })
    for (const [path, call] of [
      ['/secret_keys', {}],
      [`/secret_keys/${id}`, {}],
      ['/secret_keys', { body: { secret_key: {} } }],
      [`/secret_keys/${id}`, { method: 'PUT', body: { secret_key: { expires: null } } }],
      [`/secret_keys/${id}`, { method: 'DELETE' }],
    ] as const) {
      const { status, json } = await withKey(secret)(path, call)
      expect([path, status, json.error.message]).toEqual([
        path,
        403,
        expect.stringMatching(/^Secret keys with scopes cannot have the permission keys:/),
      ])
    }
  })
})

describe('an end of a key', () => {
  it('is its expiry', async () => {
    const { id, secret } = await makeKey({ expires: inDays(1) })
    app.pass(DAY - 1)
    expect((await withKey(secret)('/accounts')).status).toBe(200)
    app.pass(1)
    expect((await withKey(secret)('/accounts')).status).toBe(401)
    const later = { method: 'PUT', body: { secret_key: { expires: inDays(1) } } }
    const { status, json } = await api(`/secret_keys/${id}`, later)
    expect([status, json.error.message]).toEqual([400, 'The secret key has expired'])
  })

  it('is its revocation, which is kept in the list', async () => {
    const { id, secret } = await makeKey({})
    const revoke = () => api(`/secret_keys/${id}`, { method: 'DELETE' })
    expect((await revoke()).status).toBe(204)
    const revoked = formatInstant(app.now())
    expect((await withKey(secret)('/accounts')).status).toBe(401)
    app.pass(1000)
    expect((await revoke()).status).toBe(204)
    const { secret_keys } = (await api(`/secret_keys?criteria=revoked!!,id=${id}`)).json
    expect(secret_keys).toMatchObject([{ id, revoked }])
    const change = { method: 'PUT', body: { secret_key: { name: 'Again' } } }
    expect((await api(`/secret_keys/${id}`, change)).json.error.message).toBe(
      'The secret key is revoked',
    )
  })

  it('can be moved, and what is not named stays', async () => {
    const { id } = await makeKey({ name: 'Till', expires: inDays(1), scopes: ['read'] })
    const put = async (secret_key: object) =>
      (await api(`/secret_keys/${id}`, { method: 'PUT', body: { secret_key } })).json.secret_key
    expect(await put({ expires: null })).toMatchObject({ name: 'Till', expires: null })
    const end = inDays(3)
    expect(await put({ expires: end })).toMatchObject({ expires: end, scopes: ['read'] })
    expect(await put({ name: null })).toMatchObject({ name: null, expires: end })
  })
})

describe('a rotation', () => {
  it('makes a key alike, and the former one works for 24 more hours', async () => {
    const former = await makeKey({ name: 'Till', scopes: ['accounts:read'] })
    const next = await makeKey({ replaces: former.id })
    expect(next).toMatchObject({ name: 'Till', scopes: ['accounts:read'], expires: null })
    expect((await keyOf(former.id)).expires).toBe(inDays(1))
    app.pass(DAY - 1)
    for (const { secret } of [former, next]) {
      expect((await withKey(secret)('/accounts')).status).toBe(200)
    }
    app.pass(1)
    expect((await withKey(former.secret)('/accounts')).status).toBe(401)
    expect((await withKey(next.secret)('/accounts')).status).toBe(200)
  })

  it('prolongs no key, and starts from none that has ended', async () => {
    const soon = formatInstant(app.now() + 1000)
    const former = await makeKey({ expires: soon })
    await makeKey({ replaces: former.id })
    expect((await keyOf(former.id)).expires).toBe(soon)
    app.pass(1000)
    const { total } = (await api('/secret_keys')).json.meta
    const late = await api('/secret_keys', { body: { secret_key: { replaces: former.id } } })
    expect([late.status, late.json.error.message]).toEqual([400, 'The secret key has expired'])
    expect((await api('/secret_keys')).json.meta.total).toBe(total)
  })

  it('knows no key of another instance', async () => {
    const other = await app.newMerchant()
    const { json } = await other.api('/secret_keys', { body: { secret_key: {} } })
    const replaces = json.secret_key.id as string
    const { status } = await api('/secret_keys', { body: { secret_key: { replaces } } })
    expect(status).toBe(404)
  })
})

describe('who manages keys', () => {
  const as = async (role: string) => {
    const person = await newUser(app)
    await deps.db
      .updateTable('users')
      .set({ role: role as 'OWNER' })
      .where('email', '=', person.email)
      .execute()
    const headers = { authorization: basic(`${person.email}:${PASSWORD}`) }
    return (path: string, call: Call = {}) =>
      app.call(`/c/api/instances/${person.merchant.instance.key}${path}`, { ...call, headers })
  }

  it.each(['SUPPORT', 'EDITOR', 'VIEWER'])('no %s', async (role) => {
    const { status, json } = await (await as(role))('/secret_keys')
    expect([status, json.error.message]).toEqual([
      403,
      'The role of this user lacks the permission keys:read',
    ])
  })

  it('owners, without a limit', async () => {
    const made = await (await as('OWNER'))('/secret_keys', { body: { secret_key: {} } })
    expect(made.status).toBe(200)
  })

  it('developers, who permit no more than they may do', async () => {
    const developer = await as('DEVELOPER')
    const make = (secret_key: object) => developer('/secret_keys', { body: { secret_key } })
    expect((await make({ scopes: ['read', 'write'] })).status).toBe(200)
    for (const [secret_key, lacking] of [
      [{}, 'processors:write'],
      [{ scopes: ['processors:write'] }, 'processors:write'],
    ] as const) {
      const { status, json } = await make(secret_key)
      expect([status, json.error.message]).toEqual([
        403,
        `secret_key.scopes must not permit ${lacking}, which you may not do yourself`,
      ])
    }
    const [whole] = (await developer('/secret_keys?criteria=last_used!')).json.secret_keys.filter(
      ({ scopes }: { scopes: unknown }) => scopes === null,
    )
    expect((await make({ replaces: whole.id })).status).toBe(403)
    expect((await developer(`/secret_keys/${whole.id}`)).json.secret_key.expires).toBeNull()
  })

  it('no platform', async () => {
    const platform = await newPlatform(app, { scopes: 'read write processors:write' })
    const scope = 'read write processors:write'
    const { access_token } = await newTokens(app, email, platform, { scope })
    const { status, json, headers } = await withToken(app, access_token)('/secret_keys')
    expect([status, json.error.message]).toEqual([
      403,
      'Tokens cannot have the permission keys:read',
    ])
    expect(headers.has('www-authenticate')).toBe(false)
  })
})

describe('a key that is bound to addresses', () => {
  it('works from them alone, is named in the refusal, and follows a change at once', async () => {
    const allowed_addresses = ['203.0.113.7/24', '2001:db8::/32']
    const made = await makeKey({ name: 'Bound', allowed_addresses })
    expect(made.allowed_addresses).toEqual(['203.0.113.0/24', '2001:db8::/32'])
    const bound = withKey(made.secret)
    for (const from of ['203.0.113.99', '2001:db8::5']) {
      expect((await bound('/accounts', { from })).status).toBe(200)
    }
    for (const from of ['198.51.100.4', '198.51.100.4', '2001:db9::5', undefined]) {
      const { status, json } = await bound('/accounts', from === undefined ? {} : { from })
      expect(status, from).toBe(403)
      expect(json.error.message).toContain('is not among the allowed_addresses of this secret key')
      if (from !== undefined) expect(json.error.message).toContain(from)
    }
    const audit = await api(`/audit?criteria=about=${made.id},action=secret_key.refused`)
    const refused = audit.json.audit as { ip: string | null }[]
    expect(refused.map(({ ip }) => ip)).toEqual(
      expect.arrayContaining(['198.51.100.4', '2001:db9::5', null]),
    )
    expect(refused).toHaveLength(3)
    const rotated = await makeKey({ replaces: made.id })
    expect(rotated.allowed_addresses).toEqual(made.allowed_addresses)
    const change = { method: 'PUT', body: { secret_key: { allowed_addresses: null } } }
    expect((await api(`/secret_keys/${made.id}`, change)).status).toBe(200)
    expect((await bound('/accounts', { from: '198.51.100.4' })).status).toBe(200)
  })

  it('is refused with an address that is none', async () => {
    const secret_key = { allowed_addresses: ['203.0.113.0/24', 'office'] }
    const { status, json } = await api('/secret_keys', { body: { secret_key } })
    expect([status, json.error.message]).toEqual([
      400,
      expect.stringContaining('secret_key.allowed_addresses.1 must be an address or a network'),
    ])
  })
})
