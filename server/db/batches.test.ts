import fc from 'fast-check'
import { expect, it } from 'vitest'
import { batchesOf, inPowersOfTwo } from './batches.ts'

it('splits ids into batches padded to a power of two up to 1024', () => {
  const lists = fc
    .integer({ min: 0, max: 5000 })
    .map((length) => Array.from({ length }, (_, at) => `acc_${at}_x`))
  fc.assert(
    fc.property(lists, (ids) => {
      const batches = batchesOf(ids)
      expect([...new Set(batches.flat())]).toEqual(ids)
      expect(batches).toHaveLength(Math.ceil(ids.length / 1024))
      for (const { length } of batches)
        expect([length <= 1024, Math.log2(length) % 1]).toEqual([true, 0])
    }),
    { numRuns: 30 },
  )
})

it('runs no query without ids', () => {
  expect(batchesOf([])).toEqual([])
})

it('splits rows into few parts whose lengths are powers of two up to 256', () => {
  const lengths = fc.integer({ min: 0, max: 3000 })
  fc.assert(
    fc.property(lengths, (length) => {
      const rows = Array.from({ length }, (_, at) => at)
      const parts = inPowersOfTwo(rows)
      expect(parts.flat()).toEqual(rows)
      expect(parts.length).toBeLessThanOrEqual(length / 256 + 8)
      for (const part of parts)
        expect([part.length <= 256, Math.log2(part.length) % 1]).toEqual([true, 0])
    }),
    { numRuns: 30 },
  )
})
