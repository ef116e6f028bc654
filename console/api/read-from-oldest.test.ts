import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFromOldest } from './read-from-oldest.ts'

const LIMIT = 5

it('reads each record once, also those of one millisecond', async () => {
  const times = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 }).filter((all) => {
    const counts = Map.groupBy(all, (time) => time).values()
    return [...counts].every((same) => same.length < LIMIT)
  })
  await fc.assert(
    fc.asyncProperty(times, async (all) => {
      const list = all
        .toSorted((one, two) => one - two)
        .map((time, at) => ({ id: `pay_${at}`, created: String(time).padStart(3, '0') }))
      const read = (since: string) =>
        Promise.resolve(list.filter(({ created }) => created >= since).slice(0, LIMIT))
      expect(await readFromOldest(LIMIT, read)).toEqual(list)
    }),
  )
})
