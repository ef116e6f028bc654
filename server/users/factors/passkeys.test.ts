import { describe, expect, it, vi } from 'vitest'
import { BASE, startTestApp } from '../../../test/app.ts'
import { type Broken, newAuthenticator } from '../../../test/authenticator.ts'
import { consoleOf } from '../../../test/console-session.ts'
import {
  type Browser,
  hiddenFields,
  locationOf,
  newBrowser,
  newUser,
  openConsole,
  PASSWORD,
  signedInBrowser,
} from '../../../test/oauth.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 60_000 })

const app = await startTestApp()
const MINUTE = 60_000

/** A user with a passkey. */
async function passkeyUser() {
  const { email } = await newUser(app)
  const browser = await signedInBrowser(app, email)
  const call = await consoleOf(app, browser)
  const authenticator = newAuthenticator(BASE)
  const add = async (more: Broken = {}) => {
    const { options } = (await call('/console/factors/passkeys/options', { method: 'POST' })).json
    const passkey = { name: 'Laptop', response: authenticator.create(options, more) }
    return call('/console/factors/passkeys', { method: 'POST', body: { passkey } })
  }
  return { email, browser, call, authenticator, add }
}

async function enrolledUser() {
  const user = await passkeyUser()
  const added = await user.add()
  expect(added.status, added.text).toBe(200)
  return { ...user, recoveryCodes: added.json.recovery_codes as string[] }
}

/** Opens the sign-in page and asks for the options of a passkey. */
async function ask() {
  const browser = newBrowser(app)
  const { token = '' } = hiddenFields(await browser.get('/sign-in'))
  const { json: options } = await browser.post('/sign-in/passkey/options', { token })
  const send = (response: object, from: Browser = browser) =>
    from.post('/sign-in/passkey', { token, passkey: JSON.stringify(response) })
  return { browser, token, options, send }
}

const isInside = async (browser: Browser) => (await openConsole(browser))?.user.email

describe('a passkey', () => {
  it('is discoverable, verifies its user, attests nothing, and comes with recovery codes', async () => {
    const { call, add } = await passkeyUser()
    const { options } = (await call('/console/factors/passkeys/options', { method: 'POST' })).json
    expect(options).toMatchObject({
      rp: { id: 'shop.test', name: 'Checkstand' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    })
    const { recovery_codes, factors } = (await add()).json
    expect(recovery_codes).toHaveLength(10)
    expect(factors.passkeys).toMatchObject([{ name: 'Laptop', last_used: null }])
  })

  it('signs in without a password, and counts as both factors', async () => {
    const { email, authenticator } = await enrolledUser()
    const { browser, options, send } = await ask()
    expect(options).toMatchObject({ rpId: 'shop.test', userVerification: 'required' })
    expect(locationOf(await send(authenticator.get(options)))).toBe('/console')
    expect(await isInside(browser)).toBe(email)
    const [session] = await app.checkstand.deps.db
      .selectFrom('user_sessions')
      .select('factors')
      .orderBy('created', 'desc')
      .where('factors', '=', 'PASSKEY')
      .execute()
    expect(session).toBeDefined()
  })

  it('makes the password alone not enough, which leads to recovery codes', async () => {
    const { email, recoveryCodes } = await enrolledUser()
    const browser = newBrowser(app)
    const next = locationOf(await browser.submit('/sign-in', { email, password: PASSWORD }))
    expect(next).toBe('/sign-in/code')
    expect((await browser.get(next)).text).toContain('Use a passkey')
    locationOf(await browser.submit(next, { code: recoveryCodes[0] ?? '' }))
    expect(await isInside(browser)).toBe(email)
  })

  it.each<[string, Broken]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another site', { relyingParty: 'evil.example' }],
    ['without a verified user', { verified: false }],
    ['with a counter that went back', { counter: 1 }],
    ['of another signature', { signed: 'something else' }],
  ])('is refused %s', async (_what, more) => {
    const { authenticator } = await enrolledUser()
    const { browser, options, send } = await ask()
    const refused = await send(authenticator.get(options, more))
    expect([refused.status, await isInside(browser)]).toEqual([400, undefined])
    expect(refused.text).toContain('The passkey was not accepted.')
  })

  it.each<[string, Broken]>([
    ['of another origin', { origin: 'https://evil.example' }],
    ['for another site', { relyingParty: 'evil.example' }],
    ['without a verified user', { verified: false }],
  ])('is not added %s', async (_what, more) => {
    const { add, call } = await passkeyUser()
    expect((await add(more)).json.error.message).toBe('passkey.response was not accepted')
    expect((await call('/console/factors')).json.factors.passkeys).toEqual([])
  })

  it('answers a challenge once, within five minutes, in the browser that asked', async () => {
    const { authenticator } = await enrolledUser()
    const once = await ask()
    const answer = authenticator.get(once.options)
    locationOf(await once.send(answer))
    const again = await ask()
    expect((await again.send(answer)).status).toBe(400)
    const late = await ask()
    const lateAnswer = authenticator.get(late.options)
    app.pass(5 * MINUTE)
    expect((await late.send(lateAnswer)).status).toBe(400)
    const [mine, theirs] = [await ask(), await ask()]
    expect((await theirs.send(authenticator.get(mine.options))).status).toBe(400)
    expect((await mine.send(authenticator.get(mine.options))).status).toBe(303)
  })

  it('does not sign in a user who is disabled, nor answer for another purpose', async () => {
    const { email, authenticator, call } = await enrolledUser()
    app.pass(10 * MINUTE)
    const { passkey } = (await call('/console/step_up/options', { method: 'POST' })).json.step_up
    const signIn = await ask()
    expect((await signIn.send(authenticator.get(passkey))).status).toBe(400)
    const proof = { step_up: { passkey: authenticator.get(signIn.options) } }
    expect((await call('/console/step_up', { method: 'POST', body: proof })).status).toBe(400)
    const right = { step_up: { passkey: authenticator.get(passkey) } }
    expect((await call('/console/step_up', { method: 'POST', body: right })).status).toBe(200)
    const { db } = app.checkstand.deps
    await db.updateTable('users').set({ disabled: '2030' }).where('email', '=', email).execute()
    const { options, send } = await ask()
    expect((await send(authenticator.get(options))).status).toBe(400)
  })

  it('of another user proves nothing', async () => {
    const [one, two] = [await enrolledUser(), await enrolledUser()]
    const { passkey } = (await one.call('/console/step_up/options', { method: 'POST' })).json
      .step_up
    const body = { step_up: { passkey: two.authenticator.get(passkey) } }
    const refused = await one.call('/console/step_up', { method: 'POST', body })
    expect(refused.json.error.message).toBe('step_up.passkey was not accepted')
  })

  it('is asked for by our own form alone', async () => {
    const browser = newBrowser(app)
    await browser.get('/sign-in')
    expect((await browser.post('/sign-in/passkey/options', { token: 'x' })).status).toBe(403)
    expect((await browser.post('/sign-in/passkey', { token: 'x', passkey: '{}' })).status).toBe(403)
    const { send } = await ask()
    for (const sent of [{}, { id: 'x' }, { id: 'x', response: {} }]) {
      expect((await send(sent)).status).toBe(400)
    }
  })
})
