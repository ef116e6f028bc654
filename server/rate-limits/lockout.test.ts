import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { countFailure, delayAfter, findDelay, clearFailures, type Lockout } from './lockout.ts'
import { incrementCounter, findCounters, pruneCounters } from './counters.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const MINUTE = 60_000
const limit: Lockout = { name: 'test', freeFailures: 5, delayMaxMs: 15 * MINUTE }

describe('delayAfter', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 2000],
    [6, 4000],
    [7, 8000],
    [13, 512_000],
    [14, 15 * MINUTE],
    [1_000, 15 * MINUTE],
  ])('after %i failures is %i ms', (failures, delay) => {
    expect(delayAfter(failures, limit)).toBe(delay)
  })

  it('never decreases with another failure and never exceeds the maximum', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => {
        const [now, next] = [failures, failures + 1].map((each) => delayAfter(each, limit))
        expect(next).toBeGreaterThanOrEqual(now as number)
        expect(now).toBeLessThanOrEqual(15 * MINUTE)
      }),
    )
  })
})

describe('a lockout', () => {
  const fail = async (key: string, times: number, now: number) => {
    for (let i = 0; i < times; i += 1) await countFailure(db, [{ limit, key }], now)
  }
  const waitOf = async (keys: string[], now: number, of = limit) =>
    (
      await findDelay(
        db,
        keys.map((key) => ({ limit: of, key })),
        now,
      )
    )?.waitMs ?? 0
  const wait = (key: string, now: number) => waitOf([key], now)

  it('delays the next try by the remaining milliseconds', async () => {
    const now = app.now()
    await fail('one', 5, now)
    expect(await wait('one', now)).toBe(2000)
    expect(await wait('one', now + 1999)).toBe(1)
    expect(await wait('one', now + 2000)).toBe(0)
  })

  it('returns the longest delay of several subjects', async () => {
    const now = app.now()
    await fail('short', 5, now)
    await fail('long', 6, now)
    expect(await waitOf(['short', 'long', 'unknown'], now)).toBe(4000)
    expect(await waitOf([], now)).toBe(0)
  })

  it('counts each key and each limit separately', async () => {
    await fail('mine', 9, app.now())
    expect(await wait('yours', app.now())).toBe(0)
    expect(await waitOf(['mine'], app.now(), { ...limit, name: 'other' })).toBe(0)
  })

  it('forgets failures after a success, and an hour after the last failure', async () => {
    const now = app.now()
    await fail('forgiven', 9, now)
    await clearFailures(db, { limit, key: 'forgiven' })
    expect(await wait('forgiven', now)).toBe(0)
    await fail('old', 4, now)
    await fail('old', 1, now + 60 * MINUTE)
    expect(await wait('old', now + 60 * MINUTE)).toBe(0)
  })

  it('counts every concurrent failure', async () => {
    const at = { window: '', now: app.now(), expires: app.now() + MINUTE }
    const subject = { name: 'test', key: 'burst' }
    const counts = await Promise.all(
      Array.from({ length: 20 }, () => incrementCounter(db, subject, at)),
    )
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  })
})

it('pruneCounters deletes expired counters only', async () => {
  const now = app.now()
  const subjects = ['gone', 'kept'].map((key) => ({ name: 'prune', key }))
  for (const [i, subject] of subjects.entries()) {
    await incrementCounter(db, subject, { window: '', now, expires: now + i })
  }
  await pruneCounters({ db, now: () => now })
  const left = await findCounters(db, subjects, { window: '', now: now - 1 })
  expect(left.map(({ key }) => key)).toEqual(['kept'])
})
