import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { createCheckstand } from '../index.ts'
import {
  locationOf,
  newBrowser,
  newPlatform,
  openConsole,
  signOut,
  newColleague,
  newUser,
  PASSWORD,
  signIn,
  signedInBrowser,
  type Browser,
  hiddenFields,
} from '../../test/oauth.ts'
import { afterEachRead } from '../../test/after-each-read.ts'
import { basic, startTestApp } from '../../test/app.ts'
import { changePassword, disableUser } from './change.ts'
import { createUser } from './create.ts'
import { parseReturnTo } from './return-to.ts'
import { listUsers } from './store.ts'

// Passwords are hashed slowly on purpose, and a busy machine is slower still.
vi.setConfig({ testTimeout: 30_000 })

// Idle sessions have a test of their own.
const app = await startTestApp({ CONSOLE_IDLE_MINUTES: '720' })
const { deps } = app.checkstand
// The clock decides which merchant was first.
app.pass(1)
const { email } = await newUser(app)
const platform = await newPlatform(app)
const HOUR = 3_600_000
const SESSION = 'checkstand_session'

const signedIn = () => signedInBrowser(app, email)

const greets = async (browser: Browser) => (await openConsole(browser))?.user.email === email

describe('a user', () => {
  it('signs in with e-mail in any case and password, and is greeted', async () => {
    const browser = newBrowser(app)
    expect(await signIn(browser, '/sign-in', ` ${email.toUpperCase()} `)).toBe('/console')
    expect(await greets(browser)).toBe(true)
  })

  it('goes on to the request that sent them, and does not stop there the next time', async () => {
    const browser = newBrowser(app)
    const path = locationOf(await browser.get(platform.request()))
    expect((await browser.get(path)).text).toContain('Sign in to connect Ledgerly.')
    expect(await signIn(browser, path, email)).toBe(platform.request())
    expect(locationOf(await browser.get(path))).toBe(platform.request())
  })

  it('with a wrong password shows an error and keeps the e-mail', async () => {
    const browser = newBrowser(app)
    const wrong = await browser.submit('/sign-in', { email, password: 'wrong' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('The email or the password is wrong.')
    expect(wrong.text).toContain(`value="${email}"`)
    expect(wrong.text).not.toContain('value="wrong"')
    expect(browser.cookies.has(SESSION)).toBe(false)
  })

  it('stays signed in for twelve hours, to the millisecond', async () => {
    const browser = await signedIn()
    app.pass(12 * HOUR - 1)
    expect(await greets(browser)).toBe(true)
    app.pass(1)
    expect(await greets(browser)).toBe(false)
  })

  it('signs out here and on the server, so that the cookie opens nothing any more', async () => {
    const browser = await signedIn()
    const stolen = new Map(browser.cookies)
    expect(locationOf(await signOut(browser))).toBe('/sign-in')
    expect(browser.cookies.has(SESSION)).toBe(false)
    const thief = newBrowser(app)
    for (const [name, value] of stolen) thief.cookies.set(name, value)
    expect(await greets(thief)).toBe(false)
  })

  it('returns to the authorization request after signing out and in as another user', async () => {
    const browser = await signedIn()
    const page = await browser.get(platform.request())
    const action = /action="(\/sign-out\?return=[^"]*)"/.exec(page.text)?.[1] ?? ''
    // The page's own form comes first.
    const { token = '' } = hiddenFields({ text: page.text.slice(page.text.indexOf('</form>') + 7) })
    const after = locationOf(await browser.post(action.replaceAll('&amp;', '&'), { token }))
    expect(after).toBe(`/sign-in?return=${encodeURIComponent(platform.request())}`)
  })

  it('may be signed in twice, and out of one only', async () => {
    const [one, two] = [await signedIn(), await signedIn()]
    await signOut(one)
    expect([await greets(one), await greets(two)]).toEqual([false, true])
  })
})

describe('a session', () => {
  /** Signs in with a browser to which someone else gave this session cookie. */
  async function signedInWithCookie(value: string): Promise<Browser> {
    const browser = newBrowser(app)
    const form = await browser.get('/sign-in')
    browser.cookies.set(SESSION, value)
    await browser.send('/sign-in', form, { email, password: PASSWORD })
    return browser
  }

  it('is a new secret at each sign-in, and what the browser brought ends', async () => {
    const browser = await signedIn()
    const before = browser.cookies.get(SESSION) ?? ''
    const planted = await signedInWithCookie(before)
    expect(planted.cookies.get(SESSION)).not.toBe(before)
    expect([await greets(planted), await greets(browser)]).toEqual([true, false])
  })

  it('never uses a secret that was set before the sign-in', async () => {
    const chosen = 'us_chosen_by_an_attacker'
    const [victim, attacker] = [await signedInWithCookie(chosen), newBrowser(app)]
    attacker.cookies.set(SESSION, chosen)
    expect([await greets(victim), await greets(attacker)]).toEqual([true, false])
  })

  it('is stored as a hash', async () => {
    const browser = await signedIn()
    const rows = await deps.db.selectFrom('user_sessions').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get(SESSION)?.slice(3))
  })

  it('ends when the password changes, and with the user', async () => {
    const user = await newUser(app)
    const browser = newBrowser(app)
    const inside = async () => (await openConsole(browser))?.user.email === user.email
    await signIn(browser, '/sign-in', user.email)
    expect(await inside()).toBe(true)
    await changePassword(deps, user.email, 'a new password')
    expect(await inside()).toBe(false)
    const fields = { email: user.email, password: 'a new password' }
    locationOf(await browser.submit('/sign-in', fields))
    expect(await inside()).toBe(true)
    await newColleague(app, user.merchant)
    await disableUser(deps, user.email)
    expect(await inside()).toBe(false)
    const refused = await browser.submit('/sign-in', fields)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('The email or the password is wrong.')
    const headers = { authorization: basic(`${user.email}:a new password`) }
    expect((await app.call('/c/api/instances/default/accounts', { headers })).status).toBe(401)
  })
})

it('a sign-in with the old password is none, whenever the password changed', async () => {
  const user = await newUser(app)
  const plain = deps.db
  let reads = 1
  for (let moment = 1; moment <= reads; moment += 1) {
    await changePassword(deps, user.email, PASSWORD)
    const browser = newBrowser(app)
    const page = await browser.get('/sign-in')
    reads = 0
    deps.db = afterEachRead(plain, async () => {
      reads += 1
      if (reads === moment)
        await changePassword({ ...deps, db: plain }, user.email, 'a new password')
    })
    const response = await browser.send('/sign-in', page, { email: user.email, password: PASSWORD })
    deps.db = plain
    expect(response.status, `after read ${moment}`).toBe(400)
    expect(await openConsole(browser)).toBeUndefined()
  }
  expect(reads).toBeGreaterThan(1)
})

it('a session that a user began in the moment of being disabled is none', async () => {
  const user = await newUser(app)
  const browser = newBrowser(app)
  await signIn(browser, '/sign-in', user.email)
  await deps.db
    .updateTable('users')
    .set({ disabled: '2030-01-01T00:00:00.000Z' })
    .where('email', '=', user.email)
    .execute()
  expect(await openConsole(browser)).toBeUndefined()
})

describe('the cookies', () => {
  const setBy = async (baseUrl: string) => {
    const { config, log, now } = deps
    const checkstand = await createCheckstand({
      config: { ...config, baseUrl, consoleUrl: baseUrl },
      log,
      now,
    })
    const page = await checkstand.fetch(new Request(`${baseUrl}/sign-in`))
    const visitor = page.headers.getSetCookie()
    const response = await checkstand.fetch(
      new Request(`${baseUrl}/sign-in`, {
        method: 'POST',
        headers: { cookie: visitor[0]?.split(';')[0] ?? '' },
        body: new URLSearchParams({
          ...hiddenFields({ text: await page.text() }),
          email,
          password: PASSWORD,
        }),
      }),
    )
    await checkstand.close()
    return { cookies: [...visitor, ...response.headers.getSetCookie()], answer: response }
  }

  it('over https belong to this host alone, and to no script', async () => {
    const { cookies, answer } = await setBy('https://pay.shop.example')
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-checkstand_visitor=vis_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-checkstand_session=us_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      '__Host-checkstand_visitor=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    ])
    expect(answer.headers.get('strict-transport-security')).toContain('max-age=')
    expect(answer.headers.get('location')).toBe('https://pay.shop.example/console')
  })

  it('on localhost go without what a browser would refuse there', async () => {
    const { cookies } = await setBy('http://localhost:4242')
    expect(cookies[1]).toMatch(
      /^checkstand_session=us_[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  it('are set on no other page', async () => {
    for (const path of ['/pay/pl_1_x', '/openapi.json', '/oauth/authorize', '/livez']) {
      expect((await app.call(path)).headers.getSetCookie()).toEqual([])
    }
  })
})

describe('a form', () => {
  it('without a valid CSRF token does not sign in', async () => {
    const browser = newBrowser(app)
    const fields = { email, password: PASSWORD }
    const page = await browser.get('/sign-in')
    const other = await newBrowser(app).get('/sign-in')
    for (const more of [{}, { token: '' }, { token: 'x' }, hiddenFields(other)]) {
      const response = await browser.post('/sign-in', { ...fields, ...more })
      expect(response.status).toBe(403)
      expect(response.text).toContain('Please try again.')
      expect(browser.cookies.has(SESSION)).toBe(false)
    }
    const withoutCookies = newBrowser(app)
    const refused = await withoutCookies.send('/sign-in', page, fields)
    expect(refused.status).toBe(403)
    locationOf(await browser.send('/sign-in', page, fields))
  })

  it('for one way on is no form for another', async () => {
    const browser = newBrowser(app)
    const page = await browser.get('/sign-in')
    const elsewhere = `/sign-in?return=${encodeURIComponent(platform.request())}`
    const response = await browser.send(elsewhere, page, { email, password: PASSWORD })
    expect(response.status).toBe(403)
  })

  it('from another site, of another kind or too long is refused', async () => {
    const browser = newBrowser(app)
    const page = await browser.get('/sign-in')
    const fields = { email, password: PASSWORD }
    const cross = await browser.post('/sign-in', fields, {
      headers: { 'sec-fetch-site': 'cross-site' },
    })
    expect(cross.status).toBe(403)
    const json = { 'content-type': 'application/json' }
    expect((await browser.post('/sign-in', fields, { headers: json })).status).toBe(400)
    expect((await browser.send('/sign-in', page, { email: 'x'.repeat(70_000) })).status).toBe(400)
    expect((await app.call('/sign-in', { method: 'PUT' })).status).toBe(405)
    expect((await app.call('/sign-out')).status).toBe(405)
  })

  it('for signing out is needed to sign out', async () => {
    const browser = await signedIn()
    expect((await browser.post('/sign-out', { token: 'x' })).status).toBe(403)
    expect(await greets(browser)).toBe(true)
  })
})

describe('the way back', () => {
  it.each([
    ['another site', 'https://evil.example'],
    ['another host', '//evil.example'],
    ['another host by a backslash', '/\\evil.example'],
    ['another page of ours', '/sign-out'],
    ['a request without a question', '/oauth/authorize'],
    ['a longer path', '/oauth/authorize.evil.example'],
    ['a longer path of the console', '/console.evil.example'],
    ['a host behind the console', '/console//evil.example'],
    ['a backslash in the console', '/console/x?\\evil'],
    ['a host behind a user', '/oauth/authorize@evil.example?'],
    ['a path that climbs', '/oauth/../pay?x'],
    ['a second header', '/oauth/authorize?\nLocation: https://evil.example'],
    ['what is not ASCII', '/oauth/authorize?é'],
    ['a script', 'javascript:alert(1)'],
    ['a blank before it', ' /oauth/authorize?x'],
    ['what no browser would keep', `/oauth/authorize?${'x'.repeat(9000)}`],
    ['nothing', ''],
  ])('is never %s', async (_what, path) => {
    expect(parseReturnTo(path)).toBeUndefined()
    const browser = newBrowser(app)
    const to = `/sign-in?return=${encodeURIComponent(path)}`
    expect(await signIn(browser, to, email)).toBe('/console')
    expect(locationOf(await browser.get(to))).toBe('/console')
  })

  it('is an authorization request to this server', () => {
    fc.assert(
      fc.property(fc.string(), (query) => {
        const path = `/oauth/authorize?${query}`
        const safe = parseReturnTo(path)
        if (safe === undefined) return
        const url = new URL(`http://shop.test${safe}`)
        expect([url.host, url.pathname]).toEqual(['shop.test', '/oauth/authorize'])
      }),
    )
  })

  it('is an address of the console', () => {
    const path = '/console/default/links/pl_1?tab=paid'
    expect(parseReturnTo(path)).toBe(path)
    fc.assert(
      fc.property(fc.string(), (rest) => {
        const safe = parseReturnTo(`/console${rest}`)
        if (safe === undefined) return
        const url = new URL(`http://shop.test${safe}`)
        expect(url.host).toBe('shop.test')
        expect(url.pathname).toMatch(/^\/console(\/|$)/)
      }),
    )
  })
})

it('the page cannot be framed or cached, and sends no referrer', async () => {
  const { headers, text } = await app.call('/sign-in')
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(headers.get('content-security-policy')).toContain("form-action 'self'; ")
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('referrer-policy')).toBe('no-referrer')
  expect(headers.get('content-security-policy')).toContain("script-src 'self'; ")
  expect(text).not.toMatch(/<script(?! type="module" src="\/assets\/[\w-]+\.js"><\/script>)/)
  expect(text).not.toMatch(/style=|\son\w+=/)
  expect(text).toContain('autocomplete="current-password"')
})

it('passwords and cookies never reach the log', async () => {
  const browser = await signedIn()
  await browser.get(platform.request())
  for (const secret of [PASSWORD, browser.cookies.get(SESSION) ?? '']) {
    expect(app.logged()).not.toContain(secret)
  }
})

describe('a user who is made by hand', () => {
  const merchantOf = async (address: string) =>
    (await listUsers(deps.db)).find((user) => user.email === address)?.merchant

  it('signs in, of the merchant that is named or the first one', async () => {
    await createUser(deps, { merchant: undefined, email: 'made@shop.example', password: PASSWORD })
    const first = await deps.db
      .selectFrom('merchants')
      .select('name')
      .where('id', '=', app.merchant.instance.merchant_id)
      .executeTakeFirstOrThrow()
    expect(await merchantOf('made@shop.example')).toBe(first.name)
    const merchant = await merchantOf(email)
    await createUser(deps, { merchant, email: 'colleague@shop.example', password: PASSWORD })
    expect(await merchantOf('colleague@shop.example')).toBe(merchant)
    expect(merchant).not.toBe(first.name)
    expect(await signIn(newBrowser(app), '/sign-in', 'Made@shop.example')).toBe('/console')
  })

  it.each([
    ['made@shop.example', PASSWORD, undefined, 'exists already'],
    ['MADE@shop.example', PASSWORD, undefined, 'exists already'],
    ['new@shop.example', 'short', undefined, 'at least 12'],
    ['new@shop.example', 'x'.repeat(1001), undefined, 'at most 1000'],
    ['no address', PASSWORD, undefined, 'email'],
    ['new@shop.example', PASSWORD, 'Nobody & Co', 'Merchant not found'],
  ])('is rejected with invalid credentials or an unknown merchant: %#', async (...wanted) => {
    const [address, password, merchant, problem] = wanted
    await expect(createUser(deps, { merchant, email: address, password })).rejects.toThrow(problem)
  })

  it('must exist to change a password or be disabled', async () => {
    const unknownEmail = 'x@shop.example'
    await expect(changePassword(deps, unknownEmail, PASSWORD)).rejects.toThrow('does not exist')
    await expect(disableUser(deps, unknownEmail)).rejects.toThrow('does not exist')
    await expect(changePassword(deps, 'x@shop.example', 'short')).rejects.toThrow('at least 12')
  })
})
