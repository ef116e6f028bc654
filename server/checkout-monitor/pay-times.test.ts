import fc from 'fast-check'
import { expect, it } from 'vitest'
import { BOUNDS, medianSeconds, payTimeBucket } from './pay-times.ts'

it('the median is exact up to ten seconds and within a tenth above', () => {
  const seconds = fc.oneof(
    fc.integer({ min: 0, max: 12 }),
    fc.integer({ min: 0, max: 900 }),
    fc.integer({ min: 0, max: 100_000 }),
  )
  fc.assert(
    fc.property(fc.array(seconds, { minLength: 1, maxLength: 40 }), (values) => {
      const histogram = new Map<number, number>()
      for (const value of values) {
        const bucket = payTimeBucket(value * 1000 + 999)
        histogram.set(bucket, (histogram.get(bucket) ?? 0) + 1)
      }
      const sorted = values.toSorted((a, b) => a - b)
      const median = sorted[Math.ceil(values.length / 2) - 1] as number
      const found = medianSeconds(histogram) as number
      expect(Math.abs(found - median)).toBeLessThanOrEqual(median <= 10 ? 0 : median / 10 + 1)
    }),
  )
  expect(medianSeconds(new Map())).toBeNull()
})

it('the buckets are those of the stored counts', () => {
  expect(BOUNDS.slice(0, 16)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 19, 22])
  expect([BOUNDS.length, BOUNDS.at(-1)]).toEqual([87, 8_409_009])
  expect(payTimeBucket(-5)).toBe(0)
})
