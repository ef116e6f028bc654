import fc from 'fast-check'
import { expect, it } from 'vitest'
import { deliveryRetryDelay } from './retry-schedule.ts'

const SECONDS = [5, 60, 300, 1800, 7200, 18_000, 36_000, 86_400, 172_800, 259_200]

it.each(SECONDS.map((seconds, at) => [at + 1, seconds]))(
  'after failure %i waits %i seconds, and at most a tenth more',
  (attempts, seconds) => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (chance) => {
        const delay = deliveryRetryDelay(attempts, chance) as number
        expect(delay).toBeGreaterThanOrEqual(seconds * 1000)
        expect(delay).toBeLessThanOrEqual(seconds * 1100)
      }),
    )
    expect(deliveryRetryDelay(attempts, 0)).toBe(seconds * 1000)
    expect(deliveryRetryDelay(attempts, 1)).toBe(seconds * 1100)
  },
)

it('gives up after the eleventh failure', () => {
  expect(deliveryRetryDelay(11)).toBeUndefined()
})
