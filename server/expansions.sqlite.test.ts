import { expect, it } from 'vitest'
import { EXPANSIONS } from './expansions.ts'
import { startTestApp } from '../test/app.ts'
import { seedMore, seedAll } from '../test/seed-all.ts'
import { queriesDuring } from '../test/query-spy.ts'
import { ENCRYPTION_KEYS } from '../test/stripe-fake/environment.ts'
import { insertStripeConnection } from '../test/stripe-fake/store-connection.ts'
import { planOf } from '../test/statement-recorder.ts'

const app = await startTestApp()
const { api } = app.merchant
await seedMore(app, await seedAll(app, app.merchant), 40)
await seedConnection()
await api('/views', { body: { view: { name: 'Large', list: 'payments', query: '' } } })
await api('/secret_keys', { body: { secret_key: { name: 'Accounting' } } })
await api('/strings/methods.title', { method: 'PUT', body: { string: { text: 'Pay by' } } })
const right = { id: 'methods.title', stale_hash: 'x'.repeat(22) }
await api('/string_acks', { method: 'PUT', body: { string_acks: [right] } })

const paths = new Set(
  app.checkstand.mounts.flatMap(({ routes }) =>
    routes.filter(({ method }) => method === 'get').map(({ path }) => path),
  ),
)
const lists = Object.entries(EXPANSIONS)
  .map(([kind, { members }]) => ({ path: `/${kind}s`, expand: Object.keys(members).join(',') }))
  .filter(({ path, expand }) => paths.has(path) && expand !== '')

// The page itself, and its count, are read elsewhere: they may go through what the instance has.
// Milliseconds with the few rows of a test, and half a minute with those of a shop.
it.each(lists)('$path loads related records by the ids of its page', async ({ path, expand }) => {
  const queries = await queriesDuring(app, async () => {
    const { status, text } = await api(`${path}?limit=30&expand=${expand}`)
    expect(status, text).toBe(200)
  })
  // The caller's key, and at least one loader.
  expect(queries.length).toBeGreaterThan(1)
  for (const query of queries) {
    const plan = await planOf(app.checkstand.deps.db, 'sqlite', query)
    const wholeInstance = plan.filter((step) => /\(instance_id=\?\)|^SCAN/.test(step))
    expect(wholeInstance, `${query.sql}\n${plan.join('\n')}`).toEqual([])
  }
})

/** A processor that is disabled, so that the instance keeps the test processor. */
async function seedConnection(): Promise<void> {
  const { db } = app.checkstand.deps
  const { id: created_session } = await db
    .selectFrom('actor_sessions')
    .select('id')
    .executeTakeFirstOrThrow()
  const connection = { instance_id: app.merchant.instance.id, keys: ENCRYPTION_KEYS, created: 0 }
  const keys = { publishableKey: 'pk_test_none', secretKey: 'sk_test_none' }
  const id = await insertStripeConnection(db, connection, keys, {})
  await db
    .updateTable('processor_connections')
    .set({ status: 'DISABLED', created_session, updated_session: created_session })
    .where('id', '=', id)
    .execute()
}
