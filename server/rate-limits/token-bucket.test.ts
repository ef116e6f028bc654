import { describe, expect, it } from 'vitest'
import { createTokenBuckets } from './token-bucket.ts'

const MINUTE = 60_000

describe('a bucket', () => {
  it('gives what a minute allows at once, and then one whenever its share of time has passed', () => {
    const { take } = createTokenBuckets(3)
    expect([take('a', 0), take('a', 0), take('a', 0)]).toEqual([0, 0, 0])
    expect(take('a', 0)).toBe(20_000)
    expect(take('a', 19_999)).toBe(1)
    expect(take('a', 20_000)).toBe(0)
    expect(take('a', 20_000)).toBe(20_000)
  })

  it('fills up again, and never beyond its brim', () => {
    const { take } = createTokenBuckets(2)
    expect([take('a', 0), take('a', 0)]).toEqual([0, 0])
    expect([take('a', 10 * MINUTE), take('a', 10 * MINUTE)]).toEqual([0, 0])
    expect(take('a', 10 * MINUTE)).toBe(30_000)
  })

  it('is not emptied further by whoever asks too early', () => {
    const { take } = createTokenBuckets(1)
    expect(take('a', 0)).toBe(0)
    for (let now = 0; now < MINUTE; now += 1000) expect(take('a', now)).toBe(MINUTE - now)
    expect(take('a', MINUTE)).toBe(0)
  })

  it('stays as it is when a clock goes back', () => {
    const { take } = createTokenBuckets(1)
    expect(take('a', MINUTE)).toBe(0)
    expect(take('a', 0)).toBe(MINUTE)
  })

  it('of a larger share holds so many times as much, and fills up as much faster', () => {
    const { take } = createTokenBuckets(2)
    for (let i = 0; i < 8; i += 1) expect(take('a', 0, 4)).toBe(0)
    expect(take('a', 0, 4)).toBe(7500)
    expect(take('a', 7500, 4)).toBe(0)
  })

  it('belongs to one key', () => {
    const { take } = createTokenBuckets(1)
    expect([take('a', 0), take('b', 0)]).toEqual([0, 0])
    expect(take('a', 0)).toBe(MINUTE)
  })
})

it('what others took counts, and what they do not know of yet counts too', () => {
  const { take, takeSpent, learn } = createTokenBuckets(3)
  expect([take('a', 0), take('a', 0)]).toEqual([0, 0])
  expect(takeSpent()).toEqual(new Map([['a', 40_000]]))
  expect(takeSpent()).toEqual(new Map())
  expect(take('a', 0)).toBe(0)
  // Somebody else took one at the same time: all of three, and the one that nobody was told of.
  learn('a', 60_000)
  expect(take('a', 0)).toBe(20_000)
  expect(take('a', 20_000)).toBe(0)
  expect(takeSpent()).toEqual(new Map([['a', 40_000]]))
})

it('no rate is no limit', () => {
  const { take } = createTokenBuckets(0)
  for (let i = 0; i < 1000; i += 1) expect(take('a', 0)).toBe(0)
})

it('more keys than there is room for push out the one that has not asked for longest', () => {
  const { take } = createTokenBuckets(1, 2)
  expect([take('a', 0), take('b', 0)]).toEqual([0, 0])
  expect(take('a', 1)).toBeGreaterThan(0)
  expect(take('c', 2)).toBe(0)
  expect(take('a', 3)).toBeGreaterThan(0)
  expect(take('b', 4)).toBe(0)
})
