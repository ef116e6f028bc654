import { expect, it } from 'vitest'
import { EXPANSIONS } from './expansions.ts'
import { startTestApp } from '../test/app.ts'
import { seedMore, seedAll } from '../test/seed-all.ts'
import { queriesDuring } from '../test/query-spy.ts'
import { planOf } from '../test/statement-recorder.ts'

const app = await startTestApp()
const { api } = app.merchant
await seedMore(app, await seedAll(app, app.merchant), 40)

const paths = new Set(
  app.checkstand.mounts.flatMap(({ routes }) =>
    routes.filter(({ method }) => method === 'get').map(({ path }) => path),
  ),
)
const lists = Object.entries(EXPANSIONS)
  .map(([kind, { members }]) => ({ path: `/${kind}s`, expand: Object.keys(members).join(',') }))
  .filter(({ path }) => paths.has(path))

// The page itself, and its count, are read elsewhere: they may go through what the instance has.
// Milliseconds with the few rows of a test, and half a minute with those of a shop.
it.each(lists)('$path loads related records by the ids of its page', async ({ path, expand }) => {
  const queries = await queriesDuring(app, async () => {
    const { status, text } = await api(`${path}?limit=30&expand=${expand}`)
    expect(status, text).toBe(200)
  })
  expect(queries.length).toBeGreaterThan(2)
  for (const query of queries) {
    const plan = await planOf(app.checkstand.deps.db, 'sqlite', query)
    const wholeInstance = plan.filter((step) => /\(instance_id=\?\)|^SCAN/.test(step))
    expect(wholeInstance, `${query.sql}\n${plan.join('\n')}`).toEqual([])
  }
})
