import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { countFailure, delayAfter, findWait, clearFailures, type Lockout } from './lockout.ts'
import { incrementCounter, findCounters, pruneCounters } from './counters.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const MINUTE = 60_000
const lockOut: Lockout = { name: 'test', free: 5, delayMaxMs: 15 * MINUTE }

describe('the delay after failures', () => {
  it.each([
    [0, 0],
    [4, 0],
    [5, 2000],
    [6, 4000],
    [7, 8000],
    [13, 512_000],
    [14, 15 * MINUTE],
    [1_000, 15 * MINUTE],
  ])('is after %i of them %i ms', (failures, delay) => {
    expect(delayAfter(failures, lockOut)).toBe(delay)
  })

  it('never shrinks with one failure more, and never exceeds fifteen minutes', () => {
    fc.assert(
      fc.property(fc.nat(10_000), (failures) => {
        const [now, next] = [failures, failures + 1].map((each) => delayAfter(each, lockOut))
        expect(next).toBeGreaterThanOrEqual(now as number)
        expect(now).toBeLessThanOrEqual(15 * MINUTE)
      }),
    )
  })
})

describe('failures that are counted', () => {
  const fail = async (key: string, times: number, now: number) => {
    for (let i = 0; i < times; i += 1) await countFailure(db, [{ lockOut, key }], now)
  }
  const waitOf = async (keys: string[], now: number, of = lockOut) =>
    (
      await findWait(
        db,
        keys.map((key) => ({ lockOut: of, key })),
        now,
      )
    )?.waitMs ?? 0
  const wait = (key: string, now: number) => waitOf([key], now)

  it('cost a wait that runs down to the millisecond', async () => {
    const now = app.now()
    await fail('one', 5, now)
    expect(await wait('one', now)).toBe(2000)
    expect(await wait('one', now + 1999)).toBe(1)
    expect(await wait('one', now + 2000)).toBe(0)
  })

  it('are those of the subject who waits longest', async () => {
    const now = app.now()
    await fail('short', 5, now)
    await fail('long', 6, now)
    expect(await waitOf(['short', 'long', 'nobody'], now)).toBe(4000)
    expect(await waitOf([], now)).toBe(0)
  })

  it('are nobody else’s, and of nothing else', async () => {
    await fail('mine', 9, app.now())
    expect(await wait('yours', app.now())).toBe(0)
    expect(await waitOf(['mine'], app.now(), { ...lockOut, name: 'other' })).toBe(0)
  })

  it('are forgotten after a success, and an hour after the last of them', async () => {
    const now = app.now()
    await fail('forgiven', 9, now)
    await clearFailures(db, { lockOut, key: 'forgiven' })
    expect(await wait('forgiven', now)).toBe(0)
    await fail('old', 4, now)
    await fail('old', 1, now + 60 * MINUTE)
    expect(await wait('old', now + 60 * MINUTE)).toBe(0)
  })

  it('are all counted when they come at once', async () => {
    const at = { window: '', now: app.now(), expires: app.now() + MINUTE }
    const subject = { name: 'test', key: 'burst' }
    const counts = await Promise.all(
      Array.from({ length: 20 }, () => incrementCounter(db, subject, at)),
    )
    expect(counts.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, i) => i + 1))
  })
})

it('counters that have run out are removed, and living ones stay', async () => {
  const now = app.now()
  const subjects = ['gone', 'kept'].map((key) => ({ name: 'prune', key }))
  for (const [i, subject] of subjects.entries()) {
    await incrementCounter(db, subject, { window: '', now, expires: now + i })
  }
  await pruneCounters({ db, now: () => now })
  const left = await findCounters(db, subjects, { window: '', now: now - 1 })
  expect(left.map(({ key }) => key)).toEqual(['kept'])
})
