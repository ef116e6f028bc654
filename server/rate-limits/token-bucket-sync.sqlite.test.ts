import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { createBuckets } from './token-bucket.ts'
import { shareBuckets } from './token-bucket-sync.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps

it('a SQLite database has one server, and nothing is written', async () => {
  const floods = { payers: createBuckets(3), callers: createBuckets(3) }
  floods.payers.take('a', app.now())
  await shareBuckets({ db, now: app.now, floods })
  expect(await db.selectFrom('buckets').selectAll().execute()).toEqual([])
  expect(floods.payers.takeSpent()).toEqual(new Map())
})
