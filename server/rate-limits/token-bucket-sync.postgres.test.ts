import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { createTokenBuckets } from './token-bucket.ts'
import { type RequestRateLimits, pruneBuckets, syncTokenBuckets } from './token-bucket-sync.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps

/** A process that lets three a minute through, of payers and of callers alike. */
function newProcess() {
  const rateLimits: RequestRateLimits = {
    payers: createTokenBuckets(3),
    callers: createTokenBuckets(3),
  }
  return {
    ...rateLimits,
    share: () => syncTokenBuckets({ db, now: app.now, rateLimits }),
  }
}

it('what one process let through counts in the others', async () => {
  const [one, other, third] = [newProcess(), newProcess(), newProcess()]
  const now = app.now()
  for (let n = 0; n < 2; n += 1) expect(one.payers.take('a', now)).toBe(0)
  for (let n = 0; n < 2; n += 1) expect(other.payers.take('a', now)).toBe(0)
  expect(other.callers.take('a', now)).toBe(0)
  await Promise.all([one.share(), other.share()])
  // Four of three: whoever comes next waits for as long as an empty bucket takes, and no longer.
  expect(third.payers.take('a', now)).toBe(0)
  await third.share()
  expect(third.payers.take('a', now)).toBe(20_000)
  // Callers have buckets of their own, and so has every address.
  expect([third.callers.take('a', now), third.payers.take('b', now)]).toEqual([0, 0])

  const rows = () => db.selectFrom('buckets').select(['name', 'key']).execute()
  expect(await rows()).toHaveLength(2)
  app.pass(60_000)
  await pruneBuckets({ db, now: app.now })
  expect(await rows()).toEqual([])
})
