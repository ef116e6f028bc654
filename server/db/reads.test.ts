import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openEmptyDatabase } from '../../test/database.ts'
import { READ_BYTES, READ_MS, ReadTooLarge, ReadTooSlow } from './reads.ts'

const kind = process.env['CHECKSTAND_TEST_DATABASE']

interface Letters {
  letters: { id: string }
}

async function openLetters(readMs?: number) {
  const opened = await openEmptyDatabase<Letters>({ readMs })
  await sql`create table letters (id text primary key)`.execute(opened.db)
  const add = (ids: string[]) =>
    opened.db
      .insertInto('letters')
      .values(ids.map((id) => ({ id })))
      .execute()
  return { ...opened, add }
}

const idsOf = async (db: Kysely<Letters>) =>
  (await db.selectFrom('letters').select('id').orderBy('id').execute()).map(({ id }) => id)

/** Looks at a thousand million combinations of a thousand rows. */
const all = (db: Kysely<Letters>) =>
  db
    .selectFrom('letters')
    .innerJoin('letters as second', (join) => join.onTrue())
    .innerJoin('letters as third', (join) => join.onTrue())
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(sql<boolean>`letters.id || second.id || third.id = ''`)
    .execute()

const many = Array.from({ length: 1000 }, (_, n) => `letter-${n}`)

describe('a long read', () => {
  it('sees a snapshot of what was committed before it', async () => {
    const { db, reads, add } = await openLetters()
    await add(['a'])
    const seen = await reads.read(async (one) => {
      const before = await idsOf(one)
      await add(['b'])
      return [before, await idsOf(one)]
    })
    expect(seen).toEqual([['a'], ['a']])
    expect(await reads.read(idsOf)).toEqual(['a', 'b'])
    expect(await idsOf(db)).toEqual(['a', 'b'])
  })

  it('times out, and the next one succeeds', async () => {
    const { reads, add } = await openLetters(300)
    await add(many)
    await expect(reads.read(all)).rejects.toThrow(ReadTooSlow)
    expect(await reads.read(idsOf)).toHaveLength(many.length)
  })

  it('has one timeout for all its queries', async () => {
    const { reads, add } = await openLetters(1000)
    await add(many)
    let answered = 0
    const work = async (db: Kysely<Letters>) => {
      for (;;) {
        await db
          .selectFrom('letters')
          .innerJoin('letters as second', (join) => join.onTrue())
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where(sql<boolean>`letters.id || second.id = ''`)
          .execute()
        answered += 1
      }
    }
    await expect(reads.read(work)).rejects.toThrow(ReadTooSlow)
    expect(answered).toBeGreaterThan(0)
  })

  it('does not delay other reads and writes', async () => {
    const { db, reads, add } = await openLetters(1000)
    await add(many)
    const over = new AbortController()
    const long = reads
      .read(all)
      .catch(() => {})
      .then(() => over.abort())
    let answered = 0
    while (!over.signal.aborted) {
      await add([`other-${answered}`])
      await idsOf(db)
      answered += 1
      expect(await reads.read(async (other) => (await idsOf(other)).length)).toBe(1000 + answered)
    }
    // Were they held up, it would be the first of them, until the long one is over.
    expect(answered).toBeGreaterThan(1)
    await long
  })

  it('fails beyond its byte limit, and the next one succeeds', async () => {
    const { reads, add } = await openLetters()
    await add(many)
    const texts = (bytes: number) =>
      reads.read(async (db) => {
        const text = sql<string>`${'x'.repeat(bytes)}`.as('text')
        return (await db.selectFrom('letters').select(text).execute()).length
      })
    const each = READ_BYTES / many.length
    await expect(texts(each + 1)).rejects.toThrow(ReadTooLarge)
    expect(await texts(each - 1)).toBe(many.length)
  })

  it('has one byte limit for all its queries', async () => {
    const { reads, add } = await openLetters()
    await add(['a', 'b'])
    const text = sql<string>`${'x'.repeat(READ_BYTES / 5)}`.as('text')
    let answered = 0
    const work = async (db: Kysely<Letters>) => {
      for (;;) {
        await db.selectFrom('letters').select(text).execute()
        answered += 1
      }
    }
    for (let n = 1; n <= 2; n += 1) {
      await expect(reads.read(work)).rejects.toThrow(ReadTooLarge)
      expect(answered).toBe(2 * n)
    }
  })

  it('keeps the database’s error of a rejected statement', async () => {
    const { reads } = await openLetters()
    await expect(
      reads.read((db) => sql`select nothing from letters`.execute(db)),
    ).rejects.toMatchObject({
      message: expect.stringContaining('nothing'),
      code: expect.any(String),
    })
    expect(await reads.read(idsOf)).toEqual([])
  })

  it('fails on a closed database', async () => {
    const { reads, close } = await openLetters()
    await close()
    await expect(reads.read(idsOf)).rejects.toThrow(kind === 'sqlite' ? 'closed' : 'pool')
  })

  it.runIf(kind === 'sqlite')('is aborted when the database closes', async () => {
    const { reads, add, close } = await openLetters()
    await add(many)
    const began = performance.now()
    const aborted = /more than 2000 ms|thread has exited/
    const ended = expect(reads.read(all)).rejects.toThrow(aborted)
    // Its thread has most likely begun by then.
    await reads.read(idsOf)
    await close()
    await ended
    expect(performance.now() - began).toBeLessThan(10 * READ_MS)
  })

  it.runIf(kind === 'postgres')('is sent no rows beyond its byte limit', async () => {
    const { db, reads } = await openLetters()
    await sql`create sequence sent`.execute(db)
    const rows = 1000
    const text = 'x'.repeat(READ_BYTES / 100)
    const everything = sql`select nextval('sent'), ${text}::text from generate_series(1, ${rows}::int)`
    await expect(reads.read((one) => everything.execute(one))).rejects.toThrow(ReadTooLarge)
    const sent = await sql<{ last: number }>`select last_value as last from sent`.execute(db)
    expect(sent.rows[0]?.last).toBeGreaterThan(99)
    expect(sent.rows[0]?.last).toBeLessThan(rows / 4)
  })

  it.runIf(kind === 'postgres')('fails alone when its connection is lost', async () => {
    const { reads } = await openLetters()
    const lost = reads.read((db) => sql`select pg_terminate_backend(pg_backend_pid())`.execute(db))
    await expect(lost).rejects.toThrow()
    expect(await reads.read(idsOf)).toEqual([])
  })
})
