import { expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { compiledQuery } from './compiled-query.ts'
import type { Db } from './tables.ts'

const { db } = (await startTestApp()).checkstand.deps

const counter = (key: string, count: number) => ({
  name: 'prepared',
  key,
  count,
  window_start: '',
  updated: '2026-01-01',
  expires: '2026-01-01',
})
let built = 0
const insert = compiledQuery((at: Db, row: ReturnType<typeof counter>) => {
  built += 1
  return at.insertInto('limit_counters').values(row)
})
const find = compiledQuery(
  (at: Db, { keys, least }: { keys: string[]; least?: number | undefined }) => {
    const query = at.selectFrom('limit_counters').select(['key', 'count']).where('key', 'in', keys)
    return (least === undefined ? query : query.where('count', '>=', least)).orderBy('key')
  },
)

it('is compiled once and runs with the values of each call', async () => {
  for (const [index, key] of ['a', 'b', 'c'].entries()) await insert(db, counter(key, index))
  expect(built).toBe(1)
  expect((await find(db, { keys: ['a', 'c'] })).rows).toEqual([
    { key: 'a', count: 0 },
    { key: 'c', count: 2 },
  ])
})

it('has one statement per list length and set of members', async () => {
  const keys = async (...args: Parameters<typeof find>) =>
    (await find(...args)).rows.map(({ key }) => key)
  expect(await keys(db, { keys: ['a', 'b', 'c'] })).toEqual(['a', 'b', 'c'])
  expect(await keys(db, { keys: ['b'] })).toEqual(['b'])
  expect(await keys(db, { keys: ['a', 'b', 'c'], least: 1 })).toEqual(['b', 'c'])
  expect(await keys(db, { keys: ['a', 'b', 'c'], least: undefined })).toEqual(['a', 'b', 'c'])
})

it('runs in the given transaction', async () => {
  const undone = db.transaction().execute(async (tx) => {
    await insert(tx, counter('undone', 1))
    expect((await find(tx, { keys: ['undone'] })).rows).toHaveLength(1)
    throw new Error('changed my mind')
  })
  await expect(undone).rejects.toThrow('changed my mind')
  expect((await find(db, { keys: ['undone'] })).rows).toEqual([])
})

it('passes through plugins', async () => {
  const seen: string[] = []
  const watched = db.withPlugin({
    transformQuery({ node }) {
      seen.push(node.kind)
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await find(watched, { keys: ['a'] })
  await find(watched, { keys: ['a'] })
  expect(seen).toEqual(['SelectQueryNode', 'SelectQueryNode'])
})
