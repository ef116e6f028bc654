import { CompiledQuery } from 'kysely'
import { expect, it } from 'vitest'
import { EXPANSIONS } from './expansions.ts'
import { startTestApp } from './testing/app.ts'
import { copyEverything, makeEverything } from './testing/everything.ts'
import { queriesOf } from './testing/queries.ts'

const app = await startTestApp()
const { api } = app.merchant
await copyEverything(app, await makeEverything(app, app.merchant), 40)

const listPaths = new Set(
  app.checkstand.mounts.flatMap(({ routes }) =>
    routes.filter(({ method }) => method === 'get').map(({ path }) => path),
  ),
)
const lists = Object.entries(EXPANSIONS)
  .map(([kind, { members }]) => ({ path: `/${kind}s`, expand: Object.keys(members).join(',') }))
  .filter(({ path }) => listPaths.has(path))

// Milliseconds on a test's database, and half a minute on a shop's: nothing else would tell.
it.each(lists)('$path looks up by ids what belongs to its page', async ({ path, expand }) => {
  const queries = await queriesOf(app, async () => {
    const { status, text } = await api(`${path}?limit=30&expand=${expand}`)
    expect(status, text).toBe(200)
  })
  for (const { sql, parameters } of queries) {
    const explain = CompiledQuery.raw(`explain query plan ${sql}`, [...parameters])
    const { rows } = await app.checkstand.deps.db.executeQuery<{ detail: string }>(explain)
    const plan = rows.map(({ detail }) => detail)
    const wholeShop = plan.filter(
      (step) => step.endsWith('(instance_id=?)') || step.startsWith('SCAN'),
    )
    const isPage = sql.includes(' limit ?') || sql.includes('count(*) as "total"')
    expect(wholeShop.length, `${sql}\n${plan.join('\n')}`).toBe(isPage ? 1 : 0)
  }
})
