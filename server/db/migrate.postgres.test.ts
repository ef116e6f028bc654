import { sql } from 'kysely'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openTestDatabase } from '../../test/database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDatabase } from './open.ts'

vi.setConfig({ testTimeout: 30_000 })

it('a migration may exceed the statement timeout of requests', async () => {
  const database = await openTestDatabase()
  const first = await openDatabase(database.url)
  await migrate(first.db)
  await first.close()
  const opened = await openDatabase(database.url, { answerMs: 3000 })
  onTestFinished(() => opened.close())
  const limits: string[] = []
  const steps = {
    ...migrations,
    '9999-slow': {
      async up(db: typeof opened.db) {
        const { rows } = await sql<{ statement_timeout: string }>`show statement_timeout`.execute(
          db,
        )
        limits.push(...rows.map((row) => row.statement_timeout))
        await sql`select pg_sleep(4)`.execute(db)
      },
    },
  }
  expect(await migrate(opened.db, steps)).toEqual(['9999-slow'])
  expect(limits).toEqual(['0'])
})
