import { describe, expect, it } from 'vitest'
import { MAX_CONCURRENT, mapConcurrently } from './bounded-concurrency.ts'

const TEN = Array.from({ length: 10 }, (_, at) => at)

describe('work with bounded concurrency', () => {
  it('runs exactly the limit concurrently while there is enough work', async () => {
    let underWay = 0
    const seen: number[] = []
    await mapConcurrently(TEN, async () => {
      underWay += 1
      seen.push(underWay)
      await new Promise(setImmediate)
      underWay -= 1
    })
    expect(seen).toHaveLength(TEN.length)
    expect(Math.max(...seen)).toBe(MAX_CONCURRENT)
  })

  it('continues with other items during a slow one', async () => {
    const others = Promise.withResolvers<void>()
    const done: number[] = []
    await mapConcurrently(TEN, async (item) => {
      if (item === 0) await others.promise
      done.push(item)
      if (done.length === TEN.length - 1) others.resolve()
    })
    expect(done.at(-1)).toBe(0)
  })

  it('returns the results in the order of the items', async () => {
    const squares = await mapConcurrently(TEN, async (item) => {
      for (let turn = item; turn < TEN.length; turn += 1) await new Promise(setImmediate)
      return item * item
    })
    expect(squares).toEqual(TEN.map((item) => item * item))
    expect(await mapConcurrently([], async () => 1)).toEqual([])
  })

  it('processes every item although some fail, and then throws the first error', async () => {
    const reached: number[] = []
    const all = mapConcurrently(TEN, async (item) => {
      reached.push(item)
      if (item === 1 || item === 5) throw new Error(`item ${item}`)
    })
    await expect(all).rejects.toThrow('item 1')
    expect(reached).toEqual(TEN)
  })
})
