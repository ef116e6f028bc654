import { expect, it, vi } from 'vitest'
import { foldKey } from '../shared/rules/fold-key.ts'
import { startTestApp } from './app.ts'
import { seedMore, seedAll } from './seed-all.ts'

const app = await startTestApp()
const { api, instance } = app.merchant
const { db } = app.checkstand.database
await seedMore(app, await seedAll(app, app.merchant), 40)

const KEY = 'shared'
await db
  .updateTable('accounts')
  .set({ crm_key: KEY })
  .where('instance_id', '=', instance.id)
  .execute()
for (const table of ['charges', 'contracts', 'payments'] as const) {
  await db
    .updateTable(table)
    .set({ alt_key: KEY, alt_key_folded: foldKey(KEY) })
    .where('instance_id', '=', instance.id)
    .execute()
}

// One record is returned. Many records of one key must not slow the request.
it.each(['accounts', 'charges', 'contracts', 'payments'])(
  'a key that many of the %s share is looked up without reading them all',
  async (path) => {
    const spy = vi.spyOn(db.getExecutor(), 'executeQuery')
    try {
      expect((await api(`/${path}/${KEY}`)).status).toBe(200)
      const results = await Promise.all(spy.mock.results.map(({ value }) => value))
      expect(results.length).toBeGreaterThan(0)
      for (const { rows } of results) expect(rows.length).toBeLessThanOrEqual(2)
    } finally {
      spy.mockRestore()
    }
  },
)
