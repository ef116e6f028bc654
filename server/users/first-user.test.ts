import { describe, expect, it, vi } from 'vitest'
import { locationOf, newBrowser, openConsole, PASSWORD, newUser } from '../../test/oauth.ts'
import { BASE, startTestApp, type TestApp } from '../../test/app.ts'
import { isDeep } from '../../test/depth.ts'
import { createFirstUserLink } from './first-user.ts'
import { createCsrfToken } from './csrf-token.ts'
import { pruneSessions } from './prune.ts'
import { listUsers } from './store.ts'

// Passwords are hashed slowly on purpose, and a busy machine is slower still.
vi.setConfig({ testTimeout: 30_000 })

const HOUR = 3_600_000
const chosen = { email: 'Ada@shop.example', password: PASSWORD }

async function newLink(app: TestApp): Promise<string> {
  const link = (await createFirstUserLink(app.checkstand.deps)) ?? ''
  expect(link).toMatch(/^http:\/\/shop\.test\/sign-in\/first\/si_[\w-]{43}$/)
  return link.slice(BASE.length)
}

// PostgreSQL decides who of several is the first.
const decidesNothing = process.env['CHECKSTAND_TEST_DATABASE'] === 'postgres' && !isDeep

describe('the link to the first user', () => {
  it('makes a user of the first merchant, signs them in, and works once', async () => {
    const app = await startTestApp()
    app.pass(1)
    await app.newMerchant()
    const link = await newLink(app)
    const browser = newBrowser(app)
    // A preview in a chat looks at it too, and takes nothing away.
    await newBrowser(app).get(link)
    const page = await browser.get(link)
    expect(page.status).toBe(200)
    const stranger = newBrowser(app)
    const theirs = await stranger.get(link)
    expect(locationOf(await browser.send(link, page, chosen))).toBe('/console/start')
    expect((await openConsole(browser))?.user.email).toBe('Ada@shop.example')
    const users = await listUsers(app.checkstand.deps.db)
    expect(users.map(({ email }) => email)).toEqual(['Ada@shop.example'])
    const merchant = await app.checkstand.deps.db
      .selectFrom('users')
      .select('merchant_id')
      .executeTakeFirstOrThrow()
    expect(merchant.merchant_id).toBe(app.merchant.instance.merchant_id)
    expect((await stranger.get(link)).status).toBe(410)
    const late = await stranger.send(link, theirs, { ...chosen, email: 'eve@shop.example' })
    expect(late.status).toBe(410)
    expect(await createFirstUserLink(app.checkstand.deps)).toBeUndefined()
  })

  it('makes one user, of however many who use links at once', async () => {
    const app = await startTestApp()
    const links = [await newLink(app), await newLink(app)]
    // All of them have the page open before the first of them sends it.
    const opened = await Promise.all(
      [...links, ...links, ...links].map(async (link) => {
        const browser = newBrowser(app)
        return { link, browser, page: await browser.get(link) }
      }),
    )
    const tries = await Promise.all(
      opened.map(({ link, browser, page }, i) =>
        browser.send(link, page, { ...chosen, email: `user-${i}@shop.example` }),
      ),
    )
    expect(tries.filter(({ status }) => status === 303)).toHaveLength(1)
    expect(tries.filter(({ status }) => status === 410)).toHaveLength(5)
    expect(await listUsers(app.checkstand.deps.db)).toHaveLength(1)
  })

  it.skipIf(decidesNothing)('is not consumed by a wrong or an older link', async () => {
    const app = await startTestApp()
    const old = await newLink(app)
    const tab = newBrowser(app)
    const oldPage = await tab.get(old)
    app.pass(24 * HOUR)
    const link = await newLink(app)
    expect((await tab.send(old, oldPage, chosen)).status).toBe(410)
    // A forged link comes with a forged visitor cookie.
    const field = createCsrfToken('mine', 'first made-up')
    const forger = newBrowser(app)
    forger.cookies.set('checkstand_visitor', 'mine')
    const forged = await forger.post('/sign-in/first/made-up', { ...chosen, token: field })
    expect(forged.status).toBe(410)
    const owner = newBrowser(app)
    expect(locationOf(await owner.submit(link, chosen))).toBe('/console/start')
  })

  it.skipIf(decidesNothing)('says what cannot be chosen, and stays good', async () => {
    const app = await startTestApp()
    const link = await newLink(app)
    const browser = newBrowser(app)
    for (const [fields, problem] of [
      [{ ...chosen, password: 'eleven chrs' }, 'At least 12 characters'],
      [{ ...chosen, password: 'password1234' }, 'too easy to guess'],
      [{ ...chosen, password: chosen.email }, 'too easy to guess'],
      [{ ...chosen, email: 'nobody' }, 'Enter an email address'],
      [{ ...chosen, email: 'a\0@shop.example' }, 'Enter an email address'],
    ] as const) {
      const response = await browser.submit(link, fields)
      expect(response.status).toBe(400)
      expect(response.text).toContain(problem)
    }
    const unbound = await newBrowser(app).post(link, chosen)
    expect(unbound.status).toBe(400)
    expect(unbound.text).toContain('Please try again.')
    expect(locationOf(await browser.submit(link, chosen))).toBe('/console/start')
  })

  it.skipIf(decidesNothing)(
    'lives a day, to the millisecond, and nothing is made up in its place',
    async () => {
      const app = await startTestApp()
      const link = await newLink(app)
      const browser = newBrowser(app)
      const page = await browser.get(link)
      app.pass(24 * HOUR - 1)
      expect((await browser.get(link)).status).toBe(200)
      app.pass(1)
      expect((await browser.get(link)).status).toBe(410)
      expect((await browser.send(link, page, chosen)).status).toBe(410)
      expect((await browser.get('/sign-in/first/si_invented')).status).toBe(410)
      await pruneSessions(app.checkstand.deps)
      const left = await app.checkstand.deps.db.selectFrom('first_sign_ins').selectAll().execute()
      expect(left).toEqual([])
    },
  )

  it.skipIf(decidesNothing)('is stored as a hash and not logged', async () => {
    const app = await startTestApp()
    const link = await newLink(app)
    const secret = link.split('si_')[1] ?? ''
    await app.call(link)
    const rows = await app.checkstand.deps.db.selectFrom('first_sign_ins').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(app.logged()).not.toContain(secret)
  })

  it.skipIf(decidesNothing)('is not made for a server that has a user', async () => {
    const app = await startTestApp()
    await newUser(app)
    expect(await createFirstUserLink(app.checkstand.deps)).toBeUndefined()
  })
})
