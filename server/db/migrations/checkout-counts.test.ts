import { type Kysely, sql } from 'kysely'
import { expect, it } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import {
  countDifferences,
  readCountedRecords,
  storedCounts,
} from '../../../test/checkout-counts.ts'
import { openEightCheckouts } from '../../../test/eight-checkouts.ts'
import { closeExpiredSessions } from '../../checkouts/close-sessions.ts'
import { up } from './0040-checkout-counts.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { deps } = app.checkstand
const { db } = deps

/** Restores the state before the migration. */
async function undo(): Promise<void> {
  for (const name of ['checkout_counts', 'checkout_count_changes']) {
    await sql`drop table ${sql.table(name)}`.execute(db)
  }
  for (const name of ['checkouts_in_payment', 'payments_unresolved']) {
    await sql`drop index ${sql.ref(name)}`.execute(db)
  }
  for (const name of ['channel', 'method_type', 'processor', 'declined']) {
    await sql`alter table checkouts drop column ${sql.ref(name)}`.execute(db)
  }
  await sql`alter table attempts drop column decline_code`.execute(db)
}

it('sessions from before the counts are counted as if they had been counted at the time', async () => {
  await openEightCheckouts(app, app.merchant)
  app.pass(7_200_000)
  await closeExpiredSessions(deps)
  await openEightCheckouts(app, await app.newMerchant())
  const before = await readCountedRecords(db)
  expect(countDifferences(before)).toEqual([])
  await undo()
  await db.transaction().execute((tx) => up(tx as unknown as Kysely<unknown>))
  const after = await readCountedRecords(db)
  expect(storedCounts(after)).toEqual(storedCounts(before))
  expect(storedCounts(after).size).toBeGreaterThan(40)
  expect(countDifferences(after)).toEqual([])
  const columns = ({ checkouts }: typeof after) =>
    checkouts.map(({ id, channel, method_type, processor, declined }) =>
      [id, channel, method_type, processor, declined].join(),
    )
  expect(columns(after).toSorted()).toEqual(columns(before).toSorted())
})
