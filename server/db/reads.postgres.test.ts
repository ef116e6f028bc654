import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openEmptyDatabase } from '../../test/database.ts'
import { READ_BYTES, ReadTooLarge } from './reads.ts'

it('PostgreSQL stops sending rows beyond the byte limit', async () => {
  const { db, reads } = await openEmptyDatabase<object>()
  await sql`create sequence sent`.execute(db)
  const rows = 1000
  const text = 'x'.repeat(READ_BYTES / 100)
  const everything = sql`select nextval('sent'), ${text}::text from generate_series(1, ${rows}::int)`
  await expect(reads.read((one) => everything.execute(one))).rejects.toThrow(ReadTooLarge)
  const { rows: sent } = await sql<{ last: number }>`select last_value as last from sent`.execute(
    db,
  )
  expect(sent[0]?.last).toBeGreaterThan(99)
  expect(sent[0]?.last).toBeLessThan(rows / 4)
})

it('a connection that is lost during a read fails only that read', async () => {
  const { reads } = await openEmptyDatabase<object>()
  const lost = reads.read((db) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db))
  await expect(lost).rejects.toThrow()
  const { rows } = await reads.read((db) => sql`select 1 as one`.execute(db))
  expect(rows).toEqual([{ one: 1 }])
})
