import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openEmptyDatabase } from '../../test/database.ts'
import { planOf } from '../../test/statement-recorder.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import type { Db, Tables } from './tables.ts'

/** Found by its session; without estimates it is found by reading all attempts of the instance. */
const query = (db: Db) =>
  db
    .selectFrom('attempts')
    .innerJoin('payments', 'payments.id', 'attempts.payment_id')
    .select('payments.status')
    .where('attempts.checkout_id', 'in', ['ck_1'])
    .where('attempts.instance_id', '=', 'ins_1')
    .orderBy('attempts.created')
    .compile()

async function plans(db: Db): Promise<string[]> {
  // Only a statement that is run notices that the schema has changed; one that is explained does not.
  await db.executeQuery(query(db))
  const asReader = await planOf(db, 'sqlite', query(db))
  const asWriter = await db.transaction().execute(async (tx) => planOf(tx, 'sqlite', query(db)))
  return [...asReader, ...asWriter].filter((step) => step.startsWith('SEARCH attempts'))
}

const GOOD = 'SEARCH attempts USING INDEX sqlite_autoindex_attempts_3 (checkout_id=?)'

it('apply to both connections of a new or migrated database', async () => {
  const { db } = await openEmptyDatabase<Tables>()
  await migrate(db)
  expect(await plans(db)).toEqual([GOOD, GOOD])

  await sql`delete from sqlite_stat1`.execute(db)
  const later = { up: async (at: Db) => void (await sql`create table later (id text)`.execute(at)) }
  await migrate(db, { ...migrations, later })
  expect(await plans(db)).toEqual([GOOD, GOOD])
})
