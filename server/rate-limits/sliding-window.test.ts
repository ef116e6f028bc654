import { describe, expect, it } from 'vitest'
import { afterEachRead } from '../../test/after-each-read.ts'
import { startTestApp } from '../../test/app.ts'
import { countOne, type SlidingWindowLimit, pauseLeft } from './sliding-window.ts'
import { pruneCounters } from './counters.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const start = app.now()
const limit: SlidingWindowLimit = { name: 'test', max: 3, withinMs: 1000 }
const count = (key: string, now: number) => countOne(db, { limit, key }, start + now)
const left = (key: string, now: number) => pauseLeft(db, [{ limit, key }], start + now)

describe('so many within a time', () => {
  it('are taken, and then there is a pause as long as that time', async () => {
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

  it('may come again after the pause', async () => {
    for (const now of [0, 1, 2]) await count('b', now)
    expect([await count('b', 1002), await count('b', 1003)]).toEqual([false, false])
    expect(await left('b', 1003)).toBe(0)
    expect(await count('b', 1004)).toBe(true)
  })

  it('are those of any such time, wherever it begins', async () => {
    // The first went by before the third came.
    for (const now of [0, 900, 1000]) await count('c', now)
    expect(await left('c', 1000)).toBe(0)
    expect(await count('c', 1899)).toBe(true)
    // The pause lasts whole, though two of its reasons are nearly gone.
    expect([await left('c', 2000), await left('c', 2898), await left('c', 2899)]).toEqual([
      899, 1, 0,
    ])
  })

  it('count one by one, even in the same millisecond', async () => {
    expect([await count('d', 0), await count('d', 0), await count('d', 0)]).toEqual([
      false,
      false,
      true,
    ])
    expect(await left('d', 0)).toBe(1000)
  })

  it('counted at once are all counted', async () => {
    await Promise.all([0, 0, 1, 1, 2].map((now) => count('e', now)))
    expect(await left('e', 2)).toBeGreaterThan(0)
  })

  it('are found to be too many also when others are counted meanwhile', async () => {
    for (const now of [0, 1]) await count('i', now)
    const watched = afterEachRead(db, async () => void (await count('i', 2)))
    expect(await countOne(watched, { limit, key: 'i' }, start + 2)).toBe(true)
  })

  it('belong to one subject, and the longest pause of several counts', async () => {
    for (const now of [0, 0, 0]) await count('f', now)
    for (const now of [500, 500, 500]) await count('g', now)
    const both = ['f', 'g', 'nobody'].map((key) => ({ limit, key }))
    expect(await pauseLeft(db, both, start + 600)).toBe(900)
    expect(await pauseLeft(db, [{ limit: { ...limit, name: 'other' }, key: 'f' }], start)).toBe(0)
  })

  it('are forgotten for good once they no longer count', async () => {
    await count('h', 0)
    await pruneCounters({ db, now: () => start + 1999 })
    const rows = () =>
      db.selectFrom('limit_counters').select('key').where('key', '=', 'h').execute()
    expect(await rows()).toHaveLength(1)
    await pruneCounters({ db, now: () => start + 2000 })
    expect(await rows()).toEqual([])
  })
})
