import { describe, expect, it } from 'vitest'
import { startTestApp } from './app.ts'
import { seedAll } from './seed-all.ts'

/** What every list of the interface has in common, asked of every list that there is. */

const app = await startTestApp()
const { api } = app.merchant
await seedAll(app, app.merchant)
app.pass(1000)
await seedAll(app, app.merchant)

const paths = new Set(
  app.checkstand.mounts
    .filter(({ prefix }) => prefix.startsWith('/c/api/'))
    .flatMap(({ routes }) => routes)
    .filter(({ method, query }) => method === 'get' && Object.hasOwn(query?.shape ?? {}, 'order'))
    // It begins with the oldest, and has a test of its own.
    .filter(({ path }) => path !== '/checkout_monitor/stuck')
    // A list below a record needs that record, and is tested beside it.
    .filter(({ path }) => !path.includes(':'))
    .map(({ path }) => path),
)

it('is asked of every list', () => {
  const listPaths = ['/accounts', '/checkouts', '/payment_links', '/payment_methods']
  expect([...paths]).toEqual(expect.arrayContaining(listPaths))
})

describe.each([...paths])('%s', (path) => {
  const name = path.slice(1)
  const ask = (query: Record<string, string>) =>
    api(`${path}?${new URLSearchParams(query).toString()}`)
  const list = async (query: Record<string, string> = {}) => {
    const { status, json, text } = await ask({ limit: '1000', ...query })
    expect(status, text).toBe(200)
    expect(Object.keys(json).toSorted()).toEqual(['meta', name].toSorted())
    const records = json[name] as { id: string; created: string }[]
    return { records, ids: records.map(({ id }) => id), meta: json.meta }
  }

  it('answers its records under its own name, and what it was asked in meta', async () => {
    const { ids, meta } = await list()
    expect(meta).toEqual({ limit: 1000, offset: 0, total: ids.length })
    expect(ids.length).toBeGreaterThan(1)
    const { json } = await ask({})
    expect(json).toMatchObject({ meta: { limit: 20, offset: 0, total: ids.length } })
    expect(json[name]).toHaveLength(Math.min(20, ids.length))
  })

  it('begins with the newest, and orders by a field up or down', async () => {
    const { records, ids } = await list()
    const times = records.map(({ created }) => created)
    expect(times).toEqual(times.toSorted().toReversed())
    for (const order of ['created:desc', '']) expect((await list({ order })).ids).toEqual(ids)
    const byId = (await list({ order: 'id' })).ids
    expect(byId).toEqual(ids.toSorted())
    expect((await list({ order: 'id:asc' })).ids).toEqual(byId)
    expect((await list({ order: 'id:desc' })).ids).toEqual(byId.toReversed())
  })

  it('cuts into pages that neither overlap nor leave a record out', async () => {
    const { ids, meta } = await list()
    const pages: string[] = []
    for (let offset = 0; offset < meta.total; offset += 1) {
      const page = await list({ limit: '1', offset: String(offset) })
      expect(page.meta.total).toBe(ids.length)
      pages.push(...page.ids)
    }
    expect(pages).toEqual(ids)
    const beyond = await list({ limit: '1000', offset: '4000' })
    expect(beyond).toMatchObject({
      ids: [],
      meta: { limit: 1000, offset: 4000, total: ids.length },
    })
  })

  it('lists those that meet all criteria, and counts them', async () => {
    const { ids, meta } = await list()
    const [first = '', second = ''] = ids
    expect(await list({ criteria: `id=${first}` })).toMatchObject({
      ids: [first],
      meta: { total: 1 },
    })
    expect((await list({ criteria: `id=${first};${second}` })).ids).toEqual([first, second])
    const page = await list({ criteria: `id=${first};${second}`, limit: '1' })
    expect(page).toMatchObject({ ids: [first], meta: { total: 2 } })
    expect((await list({ criteria: `id!=${first}` })).meta.total).toBe(meta.total - 1)
    expect((await list({ criteria: `id=${first},id=${second}` })).meta.total).toBe(0)
    expect((await list({ criteria: `id=${first.toUpperCase()}` })).ids).toEqual([])
    expect((await list({ criteria: 'created>2999-01-01' })).meta.total).toBe(0)
    expect((await list({ criteria: 'created!!' })).meta.total).toBe(meta.total)
  })

  it.each([
    [{ limit: '0' }, 'limit must be a whole number from 1 to 1000'],
    [{ limit: '1001' }, 'limit must be a whole number from 1 to 1000'],
    [{ limit: 'all' }, 'limit must be a whole number from 1 to 1000'],
    [{ offset: '-1' }, 'offset must be a whole number from 0'],
    [{ offset: '4981' }, 'offset plus limit must be at most 5000'],
    [{ offset: '4001', limit: '1000' }, 'offset plus limit must be at most 5000'],
    [{ criteria: 'nobody=1' }, 'Unknown criteria field nobody'],
    [{ criteria: 'constructor!!' }, 'Unknown criteria field constructor'],
    [{ criteria: 'v>1' }, 'Unknown criteria field v'],
    [{ criteria: 'id=' }, 'criteria id has an empty value'],
    [{ criteria: 'id!!,' }, 'criteria has an empty condition'],
    [{ criteria: 'created=yesterday' }, 'criteria created must be a date'],
    [{ criteria: 'id=\0' }, 'criteria must not contain the character NUL'],
    [{ order: 'nobody' }, 'Unknown order field nobody'],
    [{ order: 'id:up' }, 'order must be id, id:asc or id:desc'],
    [{ expand: 'nobody' }, 'Cannot expand nobody'],
    [{ expand: 'constructor' }, 'Cannot expand constructor'],
  ])('refuses %j', async (query, message) => {
    const { status, json } = await ask(query)
    expect([status, json.error.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toContain(message)
  })

  it('refuses a parameter that is given twice', async () => {
    const { status, json } = await api(`${path}?limit=1&limit=2`)
    expect([status, json.error.message]).toEqual([400, 'limit must not be repeated'])
  })
})
