import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openDatabase } from '../server/db/open.ts'
import { openTestDatabase } from './database.ts'

interface Schema {
  t: { id: string }
}

it('creates independent databases, and prepares their template once', async () => {
  let prepared = 0
  const template = {
    name: 'with_a_table',
    async prepare(url: string) {
      prepared += 1
      const opened = await openDatabase(url)
      await sql`create table t (id text)`.execute(opened.db)
      await opened.close()
    },
  }
  const homes = await Promise.all([openTestDatabase(template), openTestDatabase(template)])
  const contents = []
  for (const home of homes) {
    const opened = await openDatabase<Schema>(home.url)
    await opened.db.insertInto('t').values({ id: home.url }).execute()
    contents.push(await opened.db.selectFrom('t').select('id').execute())
    await opened.close()
    await home.drop()
  }
  expect(prepared).toBe(1)
  expect(contents).toEqual(homes.map((home) => [{ id: home.url }]))
})

it('uses the database of the project', async () => {
  const home = await openTestDatabase()
  const opened = await openDatabase(home.url)
  expect(opened.kind).toBe(process.env['CHECKSTAND_TEST_DATABASE'])
  await opened.ping()
  await opened.close()
  await home.drop()
})
