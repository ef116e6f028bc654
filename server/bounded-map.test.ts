import { describe, expect, it } from 'vitest'
import { BoundedMap, getOrLoad, perDatabase } from './bounded-map.ts'

describe('BoundedMap', () => {
  it('drops the least recently used entry', () => {
    const map = new BoundedMap<string, number>(2)
    map.set('a', 1)
    map.set('b', 2)
    map.get('a')
    map.set('c', 3)
    expect([map.get('a'), map.get('b'), map.get('c')]).toEqual([1, undefined, 3])
  })

  it('creates a missing value once', () => {
    const map = new BoundedMap<string, number>(2)
    expect(map.getOrCreate('a', () => 1)).toBe(1)
    expect(map.getOrCreate('a', () => 2)).toBe(1)
  })
})

describe('getOrLoad', () => {
  it('shares one load between concurrent callers', async () => {
    const map = new BoundedMap<string, Promise<number>>(2)
    let loads = 0
    const load = async () => (loads += 1)
    expect(await Promise.all([getOrLoad(map, 'a', load), getOrLoad(map, 'a', load)])).toEqual([
      1, 1,
    ])
  })

  it('loads again after a failure', async () => {
    const map = new BoundedMap<string, Promise<number>>(2)
    await expect(getOrLoad(map, 'a', () => Promise.reject(new Error('down')))).rejects.toThrow(
      'down',
    )
    expect(await getOrLoad(map, 'a', async () => 1)).toBe(1)
  })
})

it('keeps one value per database', () => {
  const caches = perDatabase(() => new BoundedMap<string, number>(2))
  const [one, other] = [{}, {}]
  caches(one).set('a', 1)
  expect([caches(one).get('a'), caches(other).get('a')]).toEqual([1, undefined])
})
