import type * as nodeCrypto from 'node:crypto'
import { argon2Sync } from 'node:crypto'
import { beforeEach, describe, expect, it, vi } from 'vitest'
// Not `./password-cost.ts`, which vite.config.ts replaces by a cheap one.
import * as shippedCost from '../auth/password-cost.ts'

type Crypto = typeof nodeCrypto

/** Counts the hashes that are made, and how many of them at once. */
const hashes = vi.hoisted(() => ({ made: 0, running: 0, most: 0 }))

vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<Crypto>()
  const argon2: Crypto['argon2'] = (algorithm, parameters, done) => {
    hashes.made += 1
    hashes.running += 1
    hashes.most = Math.max(hashes.most, hashes.running)
    crypto.argon2(algorithm, parameters, (error, tag) => {
      hashes.running -= 1
      done(error, tag)
    })
  }
  return { ...crypto, argon2 }
})

// Another file of this worker may have loaded it with the real module.
vi.resetModules()
const { PasswordQueueFull, hashPassword, isRecentlyVerified, verifyPasswordHash } =
  await import('./passwords.ts')

const NOW = 1_900_000_000_000
const MINUTE = 60_000

beforeEach(() => {
  hashes.made = 0
  hashes.most = 0
})

describe('a stored password', () => {
  it('is an argon2id hash in PHC form with its costs', async () => {
    expect(await hashPassword('correct horse battery')).toMatch(
      /^\$argon2id\$v=19\$m=8,t=1,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/,
    )
  })

  it('costs 19 MiB and two passes where no test makes it cheaper', () => {
    expect(shippedCost).toMatchObject({ MEMORY_KIB: 19_456, PASSES: 2 })
  })

  it('stays valid when new hashes cost something else', async () => {
    const { MEMORY_KIB, PASSES } = shippedCost
    const salt = Buffer.alloc(16, 1)
    const parameters = { message: 'earlier', nonce: salt, parallelism: 1, tagLength: 32 }
    const tag = argon2Sync('argon2id', { ...parameters, memory: MEMORY_KIB, passes: PASSES })
    const [encodedSalt, encodedTag] = [salt, tag].map((part) => part.toString('base64url'))
    const stored = `$argon2id$v=19$m=${MEMORY_KIB},t=${PASSES},p=1$${encodedSalt}$${encodedTag}`
    expect(await verifyPasswordHash(stored, 'earlier', NOW)).toBe(true)
    expect(await verifyPasswordHash(stored, 'later', NOW)).toBe(false)
  })

  it('has a salt of its own', async () => {
    const [one, two] = await Promise.all([hashPassword('same'), hashPassword('same')])
    expect(one).not.toBe(two)
    expect(await verifyPasswordHash(one, 'same', NOW)).toBe(true)
    expect(await verifyPasswordHash(two, 'same', NOW)).toBe(true)
  })

  it.each(['pässwörd \u{1f511}', ' spaces ', 'with:colon', 'x'.repeat(1000)])(
    'may be %s',
    async (password) => {
      const stored = await hashPassword(password)
      expect(await verifyPasswordHash(stored, password, NOW)).toBe(true)
      expect(await verifyPasswordHash(stored, password.trim().slice(0, -1), NOW)).toBe(false)
    },
  )
})

describe('a password that is tried', () => {
  it('is right or wrong', async () => {
    const stored = await hashPassword('correct horse battery')
    expect(await verifyPasswordHash(stored, 'correct horse battery', NOW)).toBe(true)
    expect(await verifyPasswordHash(stored, 'Correct horse', NOW)).toBe(false)
    expect(await verifyPasswordHash(stored, '', NOW)).toBe(false)
  })

  it('is wrong for a user that does not exist, at the same cost', async () => {
    expect(await verifyPasswordHash(undefined, 'correct horse battery', NOW)).toBe(false)
    hashes.made = 0
    expect(await verifyPasswordHash(undefined, 'correct horse battery', NOW)).toBe(false)
    const forNobody = hashes.made
    const stored = await hashPassword('correct horse battery')
    hashes.made = 0
    expect(await verifyPasswordHash(stored, 'wrong', NOW)).toBe(false)
    expect(forNobody).toBe(1)
    expect(hashes.made).toBe(forNobody)
  })
})

describe('a right password', () => {
  it('is remembered for a minute and not a millisecond longer', async () => {
    const stored = await hashPassword('remembered')
    hashes.made = 0
    expect(await verifyPasswordHash(stored, 'remembered', NOW)).toBe(true)
    expect(hashes.made).toBe(1)
    const last = NOW + MINUTE - 1
    expect(await verifyPasswordHash(stored, 'remembered', last)).toBe(true)
    expect(hashes.made).toBe(1)
    expect(await verifyPasswordHash(stored, 'remembered', last + MINUTE)).toBe(true)
    expect(hashes.made).toBe(2)
  })

  it('is remembered for as long as it is used at least once a minute', async () => {
    const stored = await hashPassword('used often')
    await verifyPasswordHash(stored, 'used often', NOW)
    hashes.made = 0
    for (let half = 1; half < 10; half += 1) {
      expect(isRecentlyVerified(stored, 'used often', NOW + (half * MINUTE) / 2)).toBe(true)
    }
    expect(isRecentlyVerified(stored, 'used often', NOW + 6 * MINUTE)).toBe(false)
    expect(hashes.made).toBe(0)
  })

  it('opens nothing beside its own hash while it is remembered', async () => {
    const [mine, other] = await Promise.all([hashPassword('mine'), hashPassword('other')])
    expect(await verifyPasswordHash(mine, 'mine', NOW)).toBe(true)
    expect(await verifyPasswordHash(other, 'mine', NOW)).toBe(false)
    expect(await verifyPasswordHash(mine, 'other', NOW)).toBe(false)
    expect(await verifyPasswordHash(undefined, 'mine', NOW)).toBe(false)
  })
})

describe('a wrong password', () => {
  it('is hashed each time, so that guessing stays slow', async () => {
    const stored = await hashPassword('right')
    hashes.made = 0
    for (let i = 0; i < 3; i += 1) {
      expect(await verifyPasswordHash(stored, 'wrong', NOW)).toBe(false)
    }
    expect(hashes.made).toBe(3)
  })
})

describe('a flood of passwords', () => {
  it('is hashed two at a time, and every one is answered', async () => {
    const stored = await hashPassword('right')
    hashes.most = 0
    const tried = Array.from({ length: 9 }, (_, i) => (i === 4 ? 'right' : `wrong ${i}`))
    const answers = await Promise.all(tried.map((one) => verifyPasswordHash(stored, one, NOW)))
    expect(answers).toEqual(tried.map((one) => one === 'right'))
    expect(hashes.most).toBe(2)
  })

  it('is refused beyond a hundred that wait, at once and with a time to come again', async () => {
    const stored = await hashPassword('right')
    hashes.made = 0
    const tried = Array.from({ length: 105 }, (_, i) =>
      verifyPasswordHash(stored, `flood ${i}`, NOW),
    )
    const [answers, full] = [await Promise.allSettled(tried), new PasswordQueueFull()]
    const refused = answers.filter(({ status }) => status === 'rejected')
    const rejection = { status: 'rejected', reason: full }
    expect(refused).toEqual([rejection, rejection, rejection])
    expect([full.status, full.headers]).toEqual([503, { 'Retry-After': '2' }])
    expect(hashes.made).toBe(102)
    expect(await verifyPasswordHash(stored, 'right', NOW)).toBe(true)
  })

  it('leaves room for two afterwards', async () => {
    const stored = await hashPassword('right')
    hashes.most = 0
    await Promise.all(['a', 'b', 'c'].map((one) => verifyPasswordHash(stored, one, NOW)))
    expect(hashes.most).toBe(2)
    expect(hashes.running).toBe(0)
  })

  it('goes on after a hash that failed', async () => {
    const broken = '$argon2id$v=19$m=19456,t=2,p=1$AA$AA'
    for (let i = 0; i < 3; i += 1)
      await expect(verifyPasswordHash(broken, 'x', NOW)).rejects.toThrow()
    const stored = await hashPassword('right')
    expect(await verifyPasswordHash(stored, 'right', NOW)).toBe(true)
  })
})
