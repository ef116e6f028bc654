import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { newLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { database, deps } = app.checkstand

describe('concurrent creates', () => {
  it('share a few commits', async () => {
    await newLink(app.merchant)
    const before = database.stats().commits
    await Promise.all(Array.from({ length: 64 }, () => newLink(app.merchant)))
    const commits = database.stats().commits - before
    expect(commits).toBeGreaterThan(0)
    expect(commits).toBeLessThanOrEqual(16)
  })

  it('are on disk before their response', async () => {
    const path = deps.config.databaseUrl.slice('file:'.length)
    const other = new Database(path, { readonly: true })
    const find = other.prepare('select count(*) as found from payment_links where id = ?')
    await Promise.all(
      Array.from({ length: 64 }, async () => {
        const { id } = await newLink(app.merchant)
        // Another connection sees committed rows only.
        expect(find.get(id)).toEqual({ found: 1 })
      }),
    )
    other.close()
  })
})
