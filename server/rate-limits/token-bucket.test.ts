import { describe, expect, it } from 'vitest'
import { createTokenBuckets } from './token-bucket.ts'

const MINUTE = 60_000

describe('a token bucket', () => {
  it('allows a burst of one minute, then one token per refill interval', () => {
    const { take } = createTokenBuckets(3)
    expect([take('a', 0), take('a', 0), take('a', 0)]).toEqual([0, 0, 0])
    expect(take('a', 0)).toBe(20_000)
    expect(take('a', 19_999)).toBe(1)
    expect(take('a', 20_000)).toBe(0)
    expect(take('a', 20_000)).toBe(20_000)
  })

  it('refills up to its capacity', () => {
    const { take } = createTokenBuckets(2)
    expect([take('a', 0), take('a', 0)]).toEqual([0, 0])
    expect([take('a', 10 * MINUTE), take('a', 10 * MINUTE)]).toEqual([0, 0])
    expect(take('a', 10 * MINUTE)).toBe(30_000)
  })

  it('is not drained by refused requests', () => {
    const { take } = createTokenBuckets(1)
    expect(take('a', 0)).toBe(0)
    for (let now = 0; now < MINUTE; now += 1000) expect(take('a', now)).toBe(MINUTE - now)
    expect(take('a', MINUTE)).toBe(0)
  })

  it('does not refill when the clock goes back', () => {
    const { take } = createTokenBuckets(1)
    expect(take('a', MINUTE)).toBe(0)
    expect(take('a', 0)).toBe(MINUTE)
  })

  it('holds and refills a multiple with a factor', () => {
    const { take } = createTokenBuckets(2)
    for (let i = 0; i < 8; i += 1) expect(take('a', 0, 4)).toBe(0)
    expect(take('a', 0, 4)).toBe(7500)
    expect(take('a', 7500, 4)).toBe(0)
  })
})

it('setFullAt adds tokens that are not drained yet', () => {
  const { take, drainSpent: takeSpent, setFullAt: learn } = createTokenBuckets(3)
  expect([take('a', 0), take('a', 0)]).toEqual([0, 0])
  expect(takeSpent()).toEqual(new Map([['a', 40_000]]))
  expect(takeSpent()).toEqual(new Map())
  expect(take('a', 0)).toBe(0)
  // Another process took one at the same time: three in all, and one is not drained yet.
  learn('a', 60_000)
  expect(take('a', 0)).toBe(20_000)
  expect(take('a', 20_000)).toBe(0)
  expect(takeSpent()).toEqual(new Map([['a', 40_000]]))
})

it('forgets the least recently used key when it has too many', () => {
  const { take } = createTokenBuckets(1, 2)
  expect([take('a', 0), take('b', 0)]).toEqual([0, 0])
  expect(take('a', 1)).toBeGreaterThan(0)
  expect(take('c', 2)).toBe(0)
  expect(take('a', 3)).toBeGreaterThan(0)
  expect(take('b', 4)).toBe(0)
})
