import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { createTokenBuckets } from './token-bucket.ts'
import { type RequestRateLimits, pruneBuckets, syncTokenBuckets } from './token-bucket-sync.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const { kind } = app.checkstand.database

/** A process with a rate of three a minute for payers and for callers. */
function newProcess() {
  const rateLimits: RequestRateLimits = {
    payers: createTokenBuckets(3),
    callers: createTokenBuckets(3),
  }
  return {
    ...rateLimits,
    sync: () => syncTokenBuckets({ db, now: app.now, rateLimits }),
  }
}

it.runIf(kind === 'postgres')(
  'tokens that one process handed out count in the others',
  async () => {
    const [one, other, third] = [newProcess(), newProcess(), newProcess()]
    const now = app.now()
    for (let n = 0; n < 2; n += 1) expect(one.payers.take('a', now)).toBe(0)
    for (let n = 0; n < 2; n += 1) expect(other.payers.take('a', now)).toBe(0)
    expect(other.callers.take('a', now)).toBe(0)
    await Promise.all([one.sync(), other.sync()])
    // Four of three are taken: the wait is that of an empty bucket, not longer.
    expect(third.payers.take('a', now)).toBe(0)
    await third.sync()
    expect(third.payers.take('a', now)).toBe(20_000)
    // Callers and other networks have buckets of their own.
    expect([third.callers.take('a', now), third.payers.take('b', now)]).toEqual([0, 0])

    const rows = () => db.selectFrom('buckets').select(['name', 'key']).execute()
    expect(await rows()).toHaveLength(2)
    app.pass(60_000)
    await pruneBuckets({ db, now: app.now })
    expect(await rows()).toEqual([])
  },
)

it.runIf(kind === 'sqlite')('SQLite has one server, so a sync writes nothing', async () => {
  const { payers, sync } = newProcess()
  payers.take('a', app.now())
  await sync()
  expect(await db.selectFrom('buckets').selectAll().execute()).toEqual([])
  expect(payers.drainSpent()).toEqual(new Map())
})
