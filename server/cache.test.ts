import { describe, expect, it } from 'vitest'
import { createCache, getOrLoad, perDatabase } from './cache.ts'

it('forgets the least recently used entry beyond its bound', () => {
  const cache = createCache<number>(2)
  cache.set('a', 1).set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  expect(cache.size).toBe(2)
})

describe('getOrLoad', () => {
  it('shares one load between concurrent callers', async () => {
    const map = createCache<Promise<number>>(2)
    let loads = 0
    const load = async () => (loads += 1)
    expect(await Promise.all([getOrLoad(map, 'a', load), getOrLoad(map, 'a', load)])).toEqual([
      1, 1,
    ])
  })

  it('loads again after a failure', async () => {
    const map = createCache<Promise<number>>(2)
    await expect(getOrLoad(map, 'a', () => Promise.reject(new Error('down')))).rejects.toThrow(
      'down',
    )
    expect(await getOrLoad(map, 'a', async () => 1)).toBe(1)
  })
})

it('keeps one value per database', () => {
  const caches = perDatabase(() => createCache<number>(2))
  const [one, other] = [{}, {}]
  caches(one).set('a', 1)
  expect([caches(one).get('a'), caches(other).get('a')]).toEqual([1, undefined])
})
