import { Secret, TOTP } from 'otpauth'
import { describe, expect, it, vi } from 'vitest'
import { basic, startTestApp } from '../../../test/app.ts'
import { consoleOf, type ConsoleCall } from '../../../test/console-session.ts'
import {
  type Browser,
  locationOf,
  newBrowser,
  newUser,
  openConsole,
  PASSWORD,
  signedInBrowser,
} from '../../../test/oauth.ts'
import { openPaymentsClient } from '../../../test/payments-client.ts'
import { reencryptTotpSecrets } from './reencrypt.ts'
import { resetFactors } from './reset.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 60_000 })

const app = await startTestApp({
  CHECKSTAND_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
})
const MINUTE = 60_000
const STEP = 30_000

/** The code that an authenticator app shows, `later` milliseconds from now. */
const codeOf = (secret: string, later = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.now() + later })

interface Enrolled {
  email: string
  browser: Browser
  call: ConsoleCall
  secret: string
  recoveryCodes: string[]
}

/** A user who has added an authenticator app. */
async function enrolledUser(): Promise<Enrolled> {
  const { email } = await newUser(app)
  const browser = await signedInBrowser(app, email)
  const call = await consoleOf(app, browser)
  const { secret } = (await call('/console/factors/totp', { method: 'POST' })).json.totp
  const code = codeOf(secret)
  const answer = await call('/console/factors/totp/confirm', {
    method: 'POST',
    body: { totp: { code } },
  })
  expect(answer.status, answer.text).toBe(200)
  // The code of this moment is spent.
  app.pass(STEP)
  return { email, browser, call, secret, recoveryCodes: answer.json.recovery_codes }
}

/** Gives the password. Answers the browser and the path of the next page. */
async function givePassword(email: string, path = '/sign-in') {
  const browser = newBrowser(app)
  return { browser, next: locationOf(await browser.submit(path, { email, password: PASSWORD })) }
}

const isInside = async (browser: Browser) => (await openConsole(browser)) !== undefined

describe('a user with an authenticator app', () => {
  it('signs in with password and code, and goes where they were going', async () => {
    const { email, secret } = await enrolledUser()
    const wanted = '/console/default/links'
    const { browser, next } = await givePassword(
      email,
      `/sign-in?return=${encodeURIComponent(wanted)}`,
    )
    expect(next).toBe(`/sign-in/code?return=${encodeURIComponent(wanted)}`)
    expect(await isInside(browser)).toBe(false)
    expect(locationOf(await browser.submit(next, { code: ` ${codeOf(secret)} ` }))).toBe(wanted)
    expect(await isInside(browser)).toBe(true)
    expect(browser.cookies.has('checkstand_code')).toBe(false)
  })

  it('cannot use a code twice, nor a wrong or old one', async () => {
    const { email, secret } = await enrolledUser()
    const code = codeOf(secret)
    const one = await givePassword(email)
    locationOf(await one.browser.submit(one.next, { code }))
    const two = await givePassword(email)
    for (const typed of [code, codeOf(secret, -2 * STEP), '000000', 'abcdef', '']) {
      const answer = await two.browser.submit(two.next, { code: typed })
      expect([answer.status, answer.text.includes('This code is wrong')], typed).toEqual([
        400,
        true,
      ])
    }
    expect(await isInside(two.browser)).toBe(false)
  })

  it('signs in with each recovery code once', async () => {
    const { email, recoveryCodes, call } = await enrolledUser()
    expect(recoveryCodes).toHaveLength(10)
    expect(
      new Set(recoveryCodes.map((code) => /^([a-z2-9]{4}-){3}[a-z2-9]{4}$/.test(code))),
    ).toEqual(new Set([true]))
    const typed = (recoveryCodes[3] ?? '').toUpperCase().replaceAll('-', ' ')
    const one = await givePassword(email)
    expect(locationOf(await one.browser.submit(one.next, { code: typed }))).toBe('/console')
    const two = await givePassword(email)
    expect((await two.browser.submit(two.next, { code: typed })).status).toBe(400)
    expect((await call('/console/factors')).json.factors.recovery_codes_left).toBe(9)
  })

  it('is refused on Basic, where a password would be alone', async () => {
    const { email } = await newUser(app)
    const ask = () =>
      app.call('/c/api/instances/default/accounts', {
        headers: { authorization: basic(`${email}:${PASSWORD}`) },
      })
    expect((await ask()).status).toBe(200)
    const call = await consoleOf(app, await signedInBrowser(app, email))
    const { secret } = (await call('/console/factors/totp', { method: 'POST' })).json.totp
    expect((await ask()).status).toBe(200)
    const body = { totp: { code: codeOf(secret) } }
    await call('/console/factors/totp/confirm', { method: 'POST', body })
    expect((await ask()).status).toBe(401)
    expect(app.checkstand.deps.security.counts().get('second_factor_missing')).toBe(1)
  })

  it('waits after five wrong codes, while a right one is not even checked', async () => {
    const { email, secret } = await enrolledUser()
    const { browser, next } = await givePassword(email)
    for (let guess = 0; guess < 5; guess += 1) await browser.submit(next, { code: '000000' })
    const refused = await browser.submit(next, { code: codeOf(secret) })
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '2'])
    expect(refused.text).toContain('too many wrong codes')
    expect(app.checkstand.deps.security.counts().get('code_delayed')).toBe(1)
    app.pass(2000)
    locationOf(await browser.submit(next, { code: codeOf(secret) }))
  })

  it('loses other sessions when they enroll, and cannot finish a sign-in that was begun before', async () => {
    const { email } = await newUser(app)
    const [other, own] = [await signedInBrowser(app, email), await signedInBrowser(app, email)]
    const call = await consoleOf(app, own)
    const { secret } = (await call('/console/factors/totp', { method: 'POST' })).json.totp
    const body = { totp: { code: codeOf(secret) } }
    await call('/console/factors/totp/confirm', { method: 'POST', body })
    expect([await isInside(own), await isInside(other)]).toEqual([true, false])
    const begun = await givePassword(email)
    const changed = { password: { new: 'another long sentence' } }
    expect((await call('/console/password', { method: 'PUT', body: changed })).status).toBe(200)
    app.pass(STEP)
    expect(locationOf(await begun.browser.post(begun.next, { code: codeOf(secret) }))).toBe(
      '/sign-in',
    )
    expect(await isInside(own)).toBe(true)
  })

  it('has ten minutes between password and code', async () => {
    const { email } = await enrolledUser()
    const { browser, next } = await givePassword(email)
    app.pass(10 * MINUTE - 1)
    expect((await browser.get(next)).status).toBe(200)
    app.pass(1)
    expect(locationOf(await browser.get(next))).toBe('/sign-in')
  })

  it('keeps a secret that is encrypted, and codes that are hashed', async () => {
    const { secret, recoveryCodes } = await enrolledUser()
    const { db } = app.checkstand.deps
    const stored = JSON.stringify([
      await db.selectFrom('user_factors').selectAll().execute(),
      await db.selectFrom('recovery_codes').selectAll().execute(),
    ])
    expect(stored).not.toContain(secret)
    for (const code of recoveryCodes) expect(stored).not.toContain(code.replaceAll('-', ''))
    expect(stored).toContain('$argon2id$')
  })
})

describe('what is dangerous', () => {
  it('needs a proof of the last ten minutes, and goes on after the password', async () => {
    const { email } = await newUser(app)
    const call = await consoleOf(app, await signedInBrowser(app, email))
    const make = () =>
      call('/c/api/instances/default/secret_keys', { method: 'POST', body: { secret_key: {} } })
    app.pass(10 * MINUTE - 1)
    expect((await make()).status).toBe(200)
    app.pass(1)
    const refused = await make()
    expect([refused.status, refused.json.error.type]).toEqual([403, 'STEP_UP_REQUIRED'])
    const prove = (step_up: object) =>
      call('/console/step_up', { method: 'POST', body: { step_up } })
    const wrong = await prove({ password: 'wrong' })
    expect(wrong.json.error.message).toBe('step_up.password is wrong')
    expect((await prove({ password: PASSWORD })).status).toBe(200)
    expect((await make()).status).toBe(200)
  })

  it('needs the code as well from a user who has one', async () => {
    const { call, secret, recoveryCodes } = await enrolledUser()
    app.pass(10 * MINUTE)
    const renew = () => call('/console/factors/recovery_codes', { method: 'POST' })
    expect((await renew()).json.error.type).toBe('STEP_UP_REQUIRED')
    const options = (await call('/console/step_up/options', { method: 'POST' })).json.step_up
    expect(options).toEqual({ code: true, passkey: null })
    const prove = (step_up: object) =>
      call('/console/step_up', { method: 'POST', body: { step_up } })
    expect((await prove({ password: PASSWORD })).json.error.message).toMatch(
      /^step_up\.code is wrong/,
    )
    expect((await prove({ password: PASSWORD, code: codeOf(secret) })).status).toBe(200)
    const renewed = await renew()
    expect(renewed.json.recovery_codes).toHaveLength(10)
    expect(renewed.json.recovery_codes).not.toContain(recoveryCodes[0])
    expect((await prove({ password: PASSWORD, code: recoveryCodes[0] })).status).toBe(400)
  })

  it('is lifting the limit of refunds, and a live refund above it', async () => {
    const { merchant, email } = await newUser(app, { key: `live-${app.now()}` })
    const api = `/c/api/instances/${merchant.instance.key}`
    const call = await consoleOf(app, await signedInBrowser(app, email))
    const limit = (step_up_refund: string | null) =>
      call(`${api}/instances/${merchant.instance.key}`, {
        method: 'PUT',
        body: { instance: { step_up_refund } },
      })
    expect((await limit('10.001')).json.error.message).toContain('decimal places for EUR')
    expect((await limit('10.00')).json.instance.step_up_refund).toBe('10.00')
    const client = openPaymentsClient(app, merchant)
    const { id } = await client.pay(undefined, { amount: '24.00' })
    // The sandbox has no live instances.
    await app.checkstand.deps.db
      .updateTable('instances')
      .set({ mode: 'LIVE' })
      .where('id', '=', merchant.instance.id)
      .execute()
    const refund = (amount: string) =>
      call(`${api}/payments/${id}/refund`, {
        method: 'POST',
        body: { refund: { amount, offline: true } },
        headers: { 'idempotency-key': `refund-${amount}` },
      })
    app.pass(10 * MINUTE)
    expect((await limit(null)).json.error.type).toBe('STEP_UP_REQUIRED')
    expect((await refund('10.00')).status).toBe(200)
    expect((await refund('10.01')).json.error.type).toBe('STEP_UP_REQUIRED')
    await call('/console/step_up', { method: 'POST', body: { step_up: { password: PASSWORD } } })
    // The refused request left its key unused.
    const done = await refund('10.01')
    expect([done.status, done.headers.get('idempotent-replayed')]).toEqual([200, null])
  })

  it('is open to secret keys at any time', async () => {
    const { merchant } = await newUser(app)
    app.pass(60 * MINUTE)
    expect((await merchant.api('/secret_keys', { body: { secret_key: {} } })).status).toBe(200)
  })

  it('is refused without the session of the console', async () => {
    const { email, merchant } = await newUser(app)
    const byPassword = { authorization: basic(`${email}:${PASSWORD}`) }
    const byKey = { authorization: basic(`${merchant.secretKey}:`) }
    for (const headers of [byPassword, byKey, {}]) {
      expect((await app.call('/console/factors', { headers })).status).toBe(401)
    }
  })
})

describe('factors', () => {
  it('can be removed, and with the last one the recovery codes go', async () => {
    const { call, email } = await enrolledUser()
    const left = (await call('/console/factors/totp', { method: 'DELETE' })).json.factors
    expect(left).toMatchObject({ totp: null, passkeys: [], recovery_codes_left: null })
    const { browser, next } = await givePassword(email)
    expect([next, await isInside(browser)]).toEqual(['/console', true])
  })

  it('belong to one user: another can neither rename nor remove a passkey', async () => {
    const { db } = app.checkstand.deps
    const [owner, other] = [await enrolledUser(), await enrolledUser()]
    const { id: user_id } = await db
      .selectFrom('users')
      .select('id')
      .where('email', '=', owner.email)
      .executeTakeFirstOrThrow()
    const [id, created] = [`uf_${app.now()}_a`, new Date(app.now()).toISOString()]
    const passkey = { id, user_id, kind: 'PASSKEY', name: 'Laptop', credential_id: id } as const
    await db
      .insertInto('user_factors')
      .values({ ...passkey, counter: 0, created, confirmed: created })
      .execute()
    const path = `/console/factors/passkeys/${id}`
    const body = { passkey: { name: 'Mine' } }
    expect((await other.call(path, { method: 'PUT', body })).status).toBe(404)
    expect((await other.call(path, { method: 'DELETE' })).status).toBe(404)
    expect((await other.call('/console/factors')).json.factors.passkeys).toEqual([])
    expect((await owner.call(path, { method: 'PUT', body })).json.factors.passkeys).toMatchObject([
      { id, name: 'Mine', last_used: null },
    ])
    expect((await owner.call(path, { method: 'DELETE' })).json.factors.passkeys).toEqual([])
  })

  it('are removed by the operator, who ends the sessions of the user, too', async () => {
    const { browser, email } = await enrolledUser()
    expect(await resetFactors(app.checkstand.deps, email)).toBe(1)
    expect(await isInside(browser)).toBe(false)
    expect((await givePassword(email)).next).toBe('/console')
    await expect(resetFactors(app.checkstand.deps, 'none@shop.example')).rejects.toThrow('exist')
  })

  it('are encrypted again with a new key, and an app whose key is missing leaves recovery codes', async () => {
    const { email, secret, recoveryCodes } = await enrolledUser()
    const { db, config } = app.checkstand.deps
    const [old, fresh] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)]
    const again = (...encryptionKeys: [Buffer, ...Buffer[]]) =>
      reencryptTotpSecrets({ db, config: { ...config, encryptionKeys } })
    expect(await again(fresh, old)).toBeGreaterThan(0)
    expect(await again(fresh)).toBe(0)
    const { browser, next } = await givePassword(email)
    const refused = await browser.submit(next, { code: codeOf(secret) })
    expect([refused.status, refused.text.includes('This code is wrong')]).toEqual([400, true])
    expect(app.logged()).toContain('the secret of an authenticator app is unreadable')
    locationOf(await browser.submit(next, { code: recoveryCodes[0] ?? '' }))
    await again(old, fresh)
  })

  it('do not count before a first code, and an app that counts works until then', async () => {
    const { call, email, secret } = await enrolledUser()
    await call('/console/factors/totp', { method: 'POST' })
    const wrong = { totp: { code: '000000' } }
    const refused = await call('/console/factors/totp/confirm', { method: 'POST', body: wrong })
    expect(refused.json.error.message).toBe('totp.code is wrong or too old')
    const { browser, next } = await givePassword(email)
    locationOf(await browser.submit(next, { code: codeOf(secret) }))
  })
})

it('a session ends when it was idle for two hours', async () => {
  const { email } = await newUser(app)
  const browser = await signedInBrowser(app, email)
  app.pass(119 * MINUTE)
  expect(await isInside(browser)).toBe(true)
  app.pass(120 * MINUTE - 1)
  expect(await isInside(browser)).toBe(true)
  app.pass(120 * MINUTE)
  expect(await isInside(browser)).toBe(false)
})
