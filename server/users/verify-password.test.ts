import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { createCheckstand } from '../index.ts'
import { countFailure } from '../rate-limits/lockout.ts'
import { newBrowser, newUser, PASSWORD } from '../../test/oauth.ts'
import { type ApiResponse, basic, startTestApp } from '../../test/app.ts'

// Passwords are hashed slowly on purpose, and a busy machine is slower still.
vi.setConfig({ testTimeout: 30_000 })

const app = await startTestApp()
const MINUTE = 60_000

const byBasic = (email: string, password: string, from?: string): Promise<ApiResponse> =>
  app.call('/c/api/instances/default/accounts', {
    headers: { authorization: basic(`${email}:${password}`) },
    ...(from === undefined ? {} : { from }),
  })

const fromAddress = async (from: string, email: string, password: string): Promise<number> =>
  (await byBasic(email, password, from)).status

async function byForm(email: string, password: string): Promise<ApiResponse> {
  const browser = newBrowser(app)
  return browser.submit('/sign-in', { email, password })
}

async function fail(email: string, times: number): Promise<void> {
  for (let i = 0; i < times; i += 1) {
    expect((await byBasic(email, `wrong ${i}`)).status).toBe(401)
  }
}

describe('a user after five wrong passwords from where they are', () => {
  it('waits two seconds even with the right one, and then is let in', async () => {
    const { email } = await newUser(app)
    await fail(email, 5)
    const refused = await byBasic(email, PASSWORD)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect(refused.json).toEqual({
      error: {
        type: 'TOO_MANY_REQUESTS',
        message: 'Too many wrong passwords; try again later',
      },
    })
    app.pass(1999)
    expect((await byBasic(email, PASSWORD)).status).toBe(429)
    app.pass(1)
    expect((await byBasic(email, PASSWORD)).status).toBe(200)
  })

  it('waits twice as long after each further one, up to fifteen minutes', async () => {
    const { email } = await newUser(app)
    await fail(email, 5)
    const waits: number[] = []
    const waitOut = async () => {
      const seconds = Number((await byBasic(email, 'wrong')).headers.get('retry-after'))
      waits.push(seconds)
      app.pass(seconds * 1000)
    }
    for (let i = 0; i < 3; i += 1) {
      await waitOut()
      await fail(email, 1)
    }
    // The rest of the way without the cost of hashing.
    const limit = { name: 'sign-in-user-and-network', freeFailures: 5, delayMaxMs: 15 * MINUTE }
    const guarded = [{ limit, key: `${app.checkstand.deps.keyedDigest(email)} unknown` }]
    for (let i = 0; i < 10; i += 1) await countFailure(app.checkstand.deps.db, guarded, app.now())
    await waitOut()
    expect(waits).toEqual([2, 4, 8, 900])
    expect((await byBasic(email, PASSWORD)).status).toBe(200)
  })

  it('begins anew after a success', async () => {
    const { email } = await newUser(app)
    await fail(email, 4)
    expect((await byBasic(email, PASSWORD)).status).toBe(200)
    await fail(email, 5)
  })

  it('cannot be distinguished from an unknown user', async () => {
    const { email } = await newUser(app)
    const nobody = `nobody-${randomUUID()}@shop.example`
    for (const way of [byBasic, byForm]) {
      const [known, unknown] = [await way(email, 'wrong'), await way(nobody, 'wrong')]
      expect([unknown.status, plain(unknown, nobody)]).toEqual([known.status, plain(known, email)])
    }
    for (let i = 0; i < 3; i += 1) {
      await byBasic(email, 'wrong')
      await byForm(nobody, 'wrong')
    }
    for (const way of [byBasic, byForm]) {
      const [known, unknown] = [await way(email, 'wrong'), await way(nobody, 'wrong')]
      expect(known.status).toBe(429)
      expect([unknown.status, plain(unknown, nobody)]).toEqual([known.status, plain(known, email)])
      expect(unknown.headers.get('retry-after')).toBe(known.headers.get('retry-after'))
    }
  })

  it('waits at the sign-in page for what was mistyped at the API', async () => {
    const { email } = await newUser(app)
    await fail(email, 5)
    const refused = await byForm(email, PASSWORD)
    expect(refused.status).toBe(429)
    expect(refused.text).toContain('Wait 2 seconds, then try again.')
  })

  it('waits after a restart too', async () => {
    const { email } = await newUser(app)
    await fail(email, 5)
    const { config, log, now } = app.checkstand.deps
    const restarted = await createCheckstand({ config, log, now })
    const response = await restarted.fetch(
      new Request('http://shop.test/c/api/instances/default/accounts', {
        headers: { authorization: basic(`${email}:${PASSWORD}`) },
      }),
    )
    await restarted.close()
    expect(response.status).toBe(429)
  })
})

/** What an answer says, without the e-mail that the form keeps and the field that is new each time. */
function plain(answer: ApiResponse, email: string): string {
  return answer.text.replaceAll(email, '').replaceAll(/name="token" value="[^"]*"/g, '')
}

it('a burst of guesses is judged five at most', async () => {
  const { email } = await newUser(app)
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) => byBasic(email, `guess ${i}`)),
  )
  const judged = answers.filter(({ status }) => status === 401)
  const refused = answers.filter(({ status }) => status === 429)
  expect([judged.length, refused.length]).toEqual([5, 15])
})

it('a recently verified password keeps working while an attacker guesses', async () => {
  const { email } = await newUser(app)
  expect((await byBasic(email, PASSWORD)).status).toBe(200)
  await fail(email, 5)
  expect((await byBasic(email, 'wrong')).status).toBe(429)
  expect((await byBasic(email, PASSWORD)).status).toBe(200)
  // The attack and the integration both continue for more than a minute.
  for (let i = 0; i < 20; i += 1) {
    await byBasic(email, 'wrong')
    app.pass(MINUTE / 2)
    expect((await byBasic(email, PASSWORD)).status).toBe(200)
  }
})

it('a guess is answered alike, right or wrong, where a user is locked out, and only there', async () => {
  const { email } = await newUser(app)
  const [shop, thief, elsewhere] = ['198.51.100.1', '198.51.100.2', '198.51.100.3']
  expect(await fromAddress(shop, email, PASSWORD)).toBe(200)
  for (let i = 0; i < 5; i += 1) expect(await fromAddress(thief, email, `wrong ${i}`)).toBe(401)
  expect(await fromAddress(thief, email, 'wrong')).toBe(429)
  expect(await fromAddress(thief, email, PASSWORD)).toBe(429)
  expect(await fromAddress(shop, email, PASSWORD)).toBe(200)
  expect(await fromAddress(elsewhere, email, PASSWORD)).toBe(200)
})

describe('a user who is guessed at from everywhere', () => {
  const { db, security } = app.checkstand.deps
  /** As if there had been so many wrong passwords for a user, from as many networks. */
  const pretend = async (email: string, failures: number) => {
    const limit = { name: 'sign-in-user', freeFailures: 50, delayMaxMs: MINUTE }
    const guarded = [{ limit, key: app.checkstand.deps.keyedDigest(email) }]
    for (let i = 0; i < failures; i += 1) await countFailure(db, guarded, app.now())
  }

  it('waits a minute at most where a wrong password came from, and nowhere else', async () => {
    const { email } = await newUser(app)
    const [home, newPlace] = ['198.51.101.1', '198.51.101.2']
    expect(await fromAddress(home, email, PASSWORD)).toBe(200)
    app.pass(29 * 24 * 60 * MINUTE)
    await pretend(email, 80)
    expect(await fromAddress(home, email, PASSWORD)).toBe(200)
    expect(await fromAddress('198.51.101.5', email, PASSWORD)).toBe(200)
    const before = security.counts().get('password_delayed') ?? 0
    expect(await fromAddress(newPlace, email, 'wrong')).toBe(401)
    expect(await fromAddress(newPlace, email, PASSWORD)).toBe(429)
    expect(security.counts().get('password_delayed')).toBe(before + 1)
    app.pass(MINUTE - 1)
    expect(await fromAddress(newPlace, email, PASSWORD)).toBe(429)
    app.pass(1)
    expect(await fromAddress(newPlace, email, PASSWORD)).toBe(200)
  })

  it('waits after fifty wrong passwords, and is a stranger again after thirty days', async () => {
    const { email } = await newUser(app)
    const home = '198.51.101.3'
    expect(await fromAddress(home, email, PASSWORD)).toBe(200)
    app.pass(30 * 24 * 60 * MINUTE)
    await pretend(email, 49)
    expect(await fromAddress(home, email, 'wrong')).toBe(401)
    expect(await fromAddress(home, email, PASSWORD)).toBe(429)
  })

  it('signs in from a new place at once while the attack goes on', async () => {
    const { email } = await newUser(app)
    await pretend(email, 80)
    for (let place = 1; place <= 5; place += 1) {
      expect(await fromAddress(`198.51.102.${place}`, email, 'wrong')).toBe(401)
      expect(await fromAddress(`198.51.103.${place}`, email, PASSWORD)).toBe(200)
    }
  })

  it('cannot be guessed at without end from a network that knows them', async () => {
    const { email } = await newUser(app)
    const home = '198.51.101.4'
    expect(await fromAddress(home, email, PASSWORD)).toBe(200)
    app.pass(MINUTE)
    for (let i = 0; i < 5; i += 1) expect(await fromAddress(home, email, 'wrong')).toBe(401)
    expect(await fromAddress(home, email, PASSWORD)).toBe(429)
  })
})

it('an IPv6 customer guesses no more often for having many networks', async () => {
  const { email } = await newUser(app)
  const one = (i: number) => `2001:db8:9:${(0x100 + (i % 256)).toString(16)}::1`
  for (let i = 0; i < 20; i += 1) expect(await fromAddress(one(i), email, 'wrong')).toBe(401)
  // The /56 has used up what it may do with this user, and every /64 in it waits.
  expect(await fromAddress(one(200), email, PASSWORD)).toBe(429)
  expect(await fromAddress('2001:db8:9:200::1', email, PASSWORD)).toBe(200)
})

it('a queue of passwords that is full is said with 503, at the API and at the page', async () => {
  const { email } = await newUser(app)
  const from = '198.51.102.1'
  const before = app.checkstand.deps.security.counts().get('password_queue_full') ?? 0
  const statuses = await Promise.all(
    Array.from({ length: 110 }, (_, i) => fromAddress(from, email, `guess ${i}`)),
  )
  const full = statuses.filter((status) => status === 503).length
  expect(full).toBeGreaterThan(0)
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(app.checkstand.deps.security.counts().get('password_queue_full')).toBe(before + full)
})

it('twenty calls at once with the right password all succeed', async () => {
  const { email } = await newUser(app)
  const answers = await Promise.all(Array.from({ length: 20 }, () => byBasic(email, PASSWORD)))
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
})

describe('an address', () => {
  it('waits after twenty wrong passwords for any users', async () => {
    for (let i = 0; i < 20; i += 1) {
      expect(await fromAddress('203.0.113.9', `user-${i}@shop.example`, 'wrong')).toBe(401)
    }
    const { email } = await newUser(app)
    expect(await fromAddress('203.0.113.9', email, PASSWORD)).toBe(429)
    expect(await fromAddress('203.0.113.10', email, PASSWORD)).toBe(200)
  })

  it('is judged twenty times at most in a burst over many e-mails', async () => {
    const statuses = await Promise.all(
      Array.from({ length: 35 }, (_, i) =>
        fromAddress('203.0.113.77', `burst-${i}@shop.example`, 'wrong'),
      ),
    )
    expect(statuses.filter((status) => status === 401)).toHaveLength(20)
    expect(statuses.filter((status) => status === 429)).toHaveLength(15)
  })

  it('lets in the users who signed in there before, whatever others there have tried', async () => {
    const { email } = await newUser(app)
    const office = '203.0.113.78'
    expect(await fromAddress(office, email, PASSWORD)).toBe(200)
    app.pass(MINUTE)
    for (let i = 0; i < 21; i += 1)
      await fromAddress(office, `colleague-${i}@shop.example`, 'wrong')
    expect(await fromAddress(office, 'colleague@shop.example', 'wrong')).toBe(429)
    expect(await fromAddress(office, email, PASSWORD)).toBe(200)
  })

  it('of this machine belongs to a proxy and has no lockout of its own', async () => {
    for (let i = 0; i < 6; i += 1) {
      expect(await fromAddress('127.0.0.1', `other-${i}@shop.example`, 'wrong')).toBe(401)
    }
  })
})

it('rejects an email or a password that no user can have as wrong credentials', async () => {
  const { email } = await newUser(app)
  for (const [name, password] of [
    [`${'a'.repeat(400)}@shop.example`, 'x'],
    [`ada\0@shop.example`, 'x'],
    [email, 'x'.repeat(2000)],
    [email, `${PASSWORD}${'\0'.repeat(3)}`],
  ] as const) {
    expect((await byForm(name, password)).status).toBe(400)
  }
})
