import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openTestDatabase } from '../testing/database.ts'
import { openDatabase } from './open.ts'
import { ReadTooSlow } from './reads.ts'

interface Letters {
  letters: { id: string }
}

async function openLetters() {
  const home = await openTestDatabase()
  const opened = await openDatabase<Letters>(home.url)
  await sql`create table letters (id text primary key)`.execute(opened.db)
  const add = (ids: string[]) =>
    opened.db
      .insertInto('letters')
      .values(ids.map((id) => ({ id })))
      .execute()
  const close = async () => {
    await opened.close()
    await home.drop()
  }
  return { ...opened, add, close }
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

describe('a read that may take long', () => {
  it('sees what was written before it, and nothing that is written meanwhile', async () => {
    const { db, reads, add, close } = await openLetters()
    await add(['a'])
    const seen = await reads.read(async (one) => {
      const before = await idsOf(one)
      await add(['b'])
      return [before, await idsOf(one)]
    })
    expect(seen).toEqual([['a'], ['a']])
    expect(await reads.read(idsOf)).toEqual(['a', 'b'])
    expect(await idsOf(db)).toEqual(['a', 'b'])
    await close()
  })

  it('is ended when the database needs too long, and the next one is answered', async () => {
    const { reads, add, close } = await openLetters()
    await add(many)
    await expect(reads.read(all)).rejects.toThrow(ReadTooSlow)
    expect(await reads.read(idsOf)).toHaveLength(many.length)
    await close()
  })

  it('shares its time among all that it asks', async () => {
    const { reads, add, close } = await openLetters()
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
    await close()
  })

  it('holds up nobody who reads or writes meanwhile', async () => {
    const { db, reads, add, close } = await openLetters()
    await add(many)
    let over = false
    const long = reads
      .read(all)
      .catch(() => {})
      .then(() => (over = true))
    for (let n = 0; n < 10; n += 1) {
      await add([`other-${n}`])
      await idsOf(db)
      expect(await reads.read(async (other) => (await idsOf(other)).length)).toBe(1001 + n)
    }
    expect(over).toBe(false)
    await long
    await close()
  })

  it('tells what the database said of a statement that it refuses', async () => {
    const { reads, close } = await openLetters()
    await expect(
      reads.read((db) => sql`select nothing from letters`.execute(db)),
    ).rejects.toMatchObject({
      message: expect.stringContaining('nothing'),
      code: expect.any(String),
    })
    expect(await reads.read(idsOf)).toEqual([])
    await close()
  })
})
