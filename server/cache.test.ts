import { LRUCache } from 'lru-cache'
import { describe, expect, it } from 'vitest'
import { getOrLoad, perDatabase } from './cache.ts'

describe('getOrLoad', () => {
  it('shares one load between concurrent callers', async () => {
    const map = new LRUCache<string, Promise<number>>({ max: 2 })
    let loads = 0
    const load = async () => (loads += 1)
    expect(await Promise.all([getOrLoad(map, 'a', load), getOrLoad(map, 'a', load)])).toEqual([
      1, 1,
    ])
  })

  it('loads again after a failure', async () => {
    const map = new LRUCache<string, Promise<number>>({ max: 2 })
    await expect(getOrLoad(map, 'a', () => Promise.reject(new Error('down')))).rejects.toThrow(
      'down',
    )
    expect(await getOrLoad(map, 'a', async () => 1)).toBe(1)
  })
})

it('keeps one value per database', () => {
  const caches = perDatabase(() => new LRUCache<string, number>({ max: 2 }))
  const [one, other] = [{}, {}]
  caches(one).set('a', 1)
  expect([caches(one).get('a'), caches(other).get('a')]).toEqual([1, undefined])
})
