import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openEmptyDatabase } from '../../test/database.ts'
import { READ_MS } from './reads.ts'

/** What only the threads can do, that read a SQLite file. */

async function openTexts(texts: string[]) {
  const opened = await openEmptyDatabase<{ texts: { id: string; text: string } }>()
  await sql`create table texts (id text primary key, text text)`.execute(opened.db)
  for (const [n, text] of texts.entries()) {
    await opened.db
      .insertInto('texts')
      .values({ id: `text-${n}`, text })
      .execute()
  }
  return opened
}

it('closing the database aborts reads', async () => {
  const { reads, close } = await openTexts(Array.from({ length: 1000 }, () => ''))
  const began = performance.now()
  const ended = expect(
    reads.read((db) =>
      db
        .selectFrom('texts')
        .innerJoin('texts as second', (join) => join.onTrue())
        .innerJoin('texts as third', (join) => join.onTrue())
        .select('texts.id')
        .where(sql<boolean>`texts.id || second.id || third.id = ''`)
        .execute(),
    ),
  ).rejects.toThrow(/more than 2000 ms|thread has exited/)
  // Its thread has most likely begun by then.
  await reads.read((db) => db.selectFrom('texts').select('id').limit(1).execute())
  await close()
  await ended
  expect(performance.now() - began).toBeLessThan(10 * READ_MS)
})

it('no read starts on a closed database', async () => {
  const { reads, close } = await openTexts([])
  await close()
  await expect(reads.read((db) => db.selectFrom('texts').selectAll().execute())).rejects.toThrow(
    'closed',
  )
})
