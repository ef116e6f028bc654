import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { createTokenBuckets } from './token-bucket.ts'
import { syncTokenBuckets } from './token-bucket-sync.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps

it('a SQLite database has one server, and nothing is written', async () => {
  const rateLimits = { payers: createTokenBuckets(3), callers: createTokenBuckets(3) }
  rateLimits.payers.take('a', app.now())
  await syncTokenBuckets({ db, now: app.now, rateLimits })
  expect(await db.selectFrom('buckets').selectAll().execute()).toEqual([])
  expect(rateLimits.payers.takeSpent()).toEqual(new Map())
})
