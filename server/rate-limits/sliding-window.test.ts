import { describe, expect, it } from 'vitest'
import { afterEachRead } from '../../test/after-each-read.ts'
import { startTestApp } from '../../test/app.ts'
import { countHit, type SlidingWindowLimit, cooldownLeft } from './sliding-window.ts'
import { pruneCounters } from './counters.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const start = app.now()
const limit: SlidingWindowLimit = { name: 'test', max: 3, windowMs: 1000 }
const count = (key: string, now: number) => countHit(db, { limit: limit, key }, start + now)
const left = (key: string, now: number) => cooldownLeft(db, [{ limit: limit, key }], start + now)

describe('a sliding window', () => {
  it('allows max hits, then cools down for one window', async () => {
    expect([await count('a', 0), await count('a', 10), await left('a', 10)]).toEqual([
      false,
      false,
      0,
    ])
    expect(await count('a', 20)).toBe(true)
    expect([await left('a', 20), await left('a', 1019), await left('a', 1020)]).toEqual([
      1000, 1, 0,
    ])
  })

  it('allows max hits again after the cooldown', async () => {
    for (const now of [0, 1, 2]) await count('b', now)
    expect([await count('b', 1002), await count('b', 1003)]).toEqual([false, false])
    expect(await left('b', 1003)).toBe(0)
    expect(await count('b', 1004)).toBe(true)
  })

  it('counts any stretch of one window, wherever it begins', async () => {
    // The first hit left the window before the third.
    for (const now of [0, 900, 1000]) await count('c', now)
    expect(await left('c', 1000)).toBe(0)
    expect(await count('c', 1899)).toBe(true)
    // The cooldown lasts its full time, although two of its hits leave the window.
    expect([await left('c', 2000), await left('c', 2898), await left('c', 2899)]).toEqual([
      899, 1, 0,
    ])
  })

  it('counts several hits in the same millisecond', async () => {
    expect([await count('d', 0), await count('d', 0), await count('d', 0)]).toEqual([
      false,
      false,
      true,
    ])
    expect(await left('d', 0)).toBe(1000)
  })

  it('counts every concurrent hit', async () => {
    await Promise.all([0, 0, 1, 1, 2].map((now) => count('e', now)))
    expect(await left('e', 2)).toBeGreaterThan(0)
  })

  it('reports the limit when another hit is counted meanwhile', async () => {
    for (const now of [0, 1]) await count('i', now)
    const watched = afterEachRead(db, async () => void (await count('i', 2)))
    expect(await countHit(watched, { limit: limit, key: 'i' }, start + 2)).toBe(true)
  })

  it('counts each subject separately and returns the longest cooldown', async () => {
    for (const now of [0, 0, 0]) await count('f', now)
    for (const now of [500, 500, 500]) await count('g', now)
    const both = ['f', 'g', 'unknown'].map((key) => ({ limit, key }))
    expect(await cooldownLeft(db, both, start + 600)).toBe(900)
    expect(await cooldownLeft(db, [{ limit: { ...limit, name: 'other' }, key: 'f' }], start)).toBe(
      0,
    )
  })

  it('deletes hits once they have left the window', async () => {
    await count('h', 0)
    await pruneCounters({ db, now: () => start + 1999 })
    const rows = () =>
      db.selectFrom('limit_counters').select('key').where('key', '=', 'h').execute()
    expect(await rows()).toHaveLength(1)
    await pruneCounters({ db, now: () => start + 2000 })
    expect(await rows()).toEqual([])
  })
})
