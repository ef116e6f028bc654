import { type Kysely, sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { openEmptyDatabase } from '../../test/database.ts'
import { inTransaction } from './transaction.ts'

interface Schema {
  things: {
    id: string
    name: string | null
    amount: number
    paid: number
    created: string
    data: string
  }
}

const THINGS = [
  { id: 't1', name: 'Élodie', amount: 4200, paid: 1, created: '2026-01-02T00:00:00.000Z' },
  {
    id: 't2',
    name: 'anna',
    amount: 9_007_199_254_740_991,
    paid: 0,
    created: '2026-01-01T09:30:00.250Z',
  },
  { id: 't3', name: null, amount: -5, paid: 0, created: '2026-03-01T00:00:00.000Z' },
  { id: 't4', name: 'Zoë 100%', amount: 0, paid: 1, created: '2025-12-31T23:59:59.999Z' },
].map((thing) => ({ ...thing, data: JSON.stringify({ of: thing.id, text: 'ünï' }) }))

const opened = await openEmptyDatabase<Schema>()
await sql`create table things (
  id text primary key, name text, amount bigint not null, paid integer not null,
  created text not null, data text not null
)`.execute(opened.db)
await opened.db.insertInto('things').values(THINGS).execute()

type Query = (db: Kysely<Schema>) => Promise<unknown>

const idsOf = async (rows: Promise<{ id: string }[]>) => (await rows).map(({ id }) => id)

/** Queries that must have the same result on both databases. */
const QUERIES: [does: string, query: Query, answer: unknown][] = [
  [
    'gives back rows as they were put in',
    (db) => db.selectFrom('things').selectAll().orderBy('id').execute(),
    THINGS,
  ],
  [
    'counts and sums to numbers',
    (db) =>
      db
        .selectFrom('things')
        .select((eb) => [
          eb.fn.countAll<number>().as('count'),
          eb.fn.sum<number>('amount').as('sum'),
          eb.fn.max('amount').as('max'),
        ])
        .where('amount', '<', 5000)
        .execute(),
    [{ count: 3, sum: 4195, max: 4200 }],
  ],
  [
    'sums nothing to null',
    (db) =>
      db
        .selectFrom('things')
        .select((eb) => eb.fn.sum<number>('amount').as('sum'))
        .where('id', '=', 'none')
        .execute(),
    [{ sum: null }],
  ],
  [
    'selects a condition as 0 or 1',
    (db) =>
      sql`select amount > 0 as positive from things order by id`.execute(db).then((r) => r.rows),
    [{ positive: 1 }, { positive: 1 }, { positive: 0 }, { positive: 0 }],
  ],
  [
    'sorts text by bytes and nulls as specified',
    (db) =>
      idsOf(
        db
          .selectFrom('things')
          .select('id')
          .orderBy('name', (o) => o.asc().nullsLast())
          .execute(),
      ),
    ['t4', 't2', 't1', 't3'],
  ],
  [
    'sorts nulls first in descending order if specified',
    (db) =>
      idsOf(
        db
          .selectFrom('things')
          .select('id')
          .orderBy('name', (o) => o.desc().nullsFirst())
          .execute(),
      ),
    ['t3', 't1', 't2', 't4'],
  ],
  [
    'sorts and compares times as text',
    (db) =>
      idsOf(
        db
          .selectFrom('things')
          .select('id')
          .where('created', '>=', '2026-01-01T00:00:00.000Z')
          .orderBy('created', 'desc')
          .limit(2)
          .offset(1)
          .execute(),
      ),
    ['t1', 't2'],
  ],
  [
    'returns what an update changed, and nothing when nothing matched',
    async (db) => {
      const change = (paid: number) =>
        db
          .updateTable('things')
          .set({ paid: 0 })
          .where('id', '=', 't1')
          .where('paid', '=', paid)
          .returning('id')
          .execute()
      return [await change(1), await change(1)]
    },
    [[{ id: 't1' }], []],
  ],
  [
    'counts the rows that a change returned',
    async (db) => {
      const { rows, numAffectedRows } = await sql`
        update things set paid = 1 where id in ('t1', 't2') returning paid
      `.execute(db)
      return [rows, numAffectedRows]
    },
    [[{ paid: 1 }, { paid: 1 }], 2n],
  ],
  [
    'counts the rows that a change reached',
    async (db) => {
      const many = await db.updateTable('things').set({ paid: 1 }).executeTakeFirst()
      const none = await db.deleteFrom('things').where('id', '=', 'none').executeTakeFirst()
      return [many.numUpdatedRows, none.numDeletedRows]
    },
    [4n, 0n],
  ],
  [
    'inserts once under a key and returns whether it did',
    async (db) => {
      const once = (id: string) =>
        db
          .insertInto('things')
          .values({ id, name: 'x', amount: 1, paid: 0, created: '', data: '{}' })
          .onConflict((oc) => oc.column('id').doNothing())
          .executeTakeFirst()
      const counts = [await once('t9'), await once('t9')].map((r) => r.numInsertedOrUpdatedRows)
      await db.deleteFrom('things').where('id', '=', 't9').execute()
      return counts
    },
    [1n, 0n],
  ],
  [
    'overwrites under a key and returns the row',
    (db) =>
      db
        .insertInto('things')
        .values({ id: 't3', name: 'new', amount: 7, paid: 0, created: '', data: '{}' })
        .onConflict((oc) =>
          oc.column('id').doUpdateSet((eb) => ({ name: eb.ref('excluded.name') })),
        )
        .returning(['id', 'name', 'amount'])
        .execute(),
    [{ id: 't3', name: 'new', amount: -5 }],
  ],
  [
    'divides whole numbers to whole numbers',
    (db) => sql`select 7 / 2 as q, 7 % 2 as r, -7 / 2 as n`.execute(db).then((r) => r.rows),
    [{ q: 3, r: 1, n: -3 }],
  ],
]

describe('the same query on either database', () => {
  it.for(QUERIES)('%s', async ([, query, expected]) => {
    const rolledBack = new Error('undo, so that each query meets the same rows')
    let inside: unknown
    const transaction = opened.db.transaction().execute(async (trx) => {
      inside = await query(trx)
      throw rolledBack
    })
    await expect(transaction).rejects.toBe(rolledBack)
    expect(inside).toEqual(expected)
    expect(await query(opened.db)).toEqual(expected)
    await opened.db.deleteFrom('things').execute()
    await opened.db.insertInto('things').values(THINGS).execute()
  })

  it('rolls back a change of the schema', async () => {
    const transaction = opened.db.transaction().execute(async (trx) => {
      await sql`create table fleeting (id text)`.execute(trx)
      throw new Error('undo')
    })
    await expect(transaction).rejects.toThrow('undo')
    await expect(sql`select * from fleeting`.execute(opened.db)).rejects.toThrow('fleeting')
  })

  it('reads a column that a migration added, with a statement prepared before', async () => {
    await sql`create table grown (id text)`.execute(opened.db)
    await sql`insert into grown values ('a')`.execute(opened.db)
    const all = async (db: Kysely<Schema>) => (await sql`select * from grown`.execute(db)).rows
    const inside = () => inTransaction(opened.db, all)
    expect([await all(opened.db), await inside()]).toEqual([[{ id: 'a' }], [{ id: 'a' }]])
    await sql`alter table grown add column note text default 'new'`.execute(opened.db)
    const grown = [{ id: 'a', note: 'new' }]
    expect([await inside(), await all(opened.db)]).toEqual([grown, grown])
    await sql`alter table grown drop column note`.execute(opened.db)
    expect([await all(opened.db), await inside()]).toEqual([[{ id: 'a' }], [{ id: 'a' }]])
  })

  it('rejects a value that only one of them can store', async () => {
    const insert = (paid: unknown) =>
      sql`insert into things values ('t8', null, 1, ${paid}, '', '')`.execute(opened.db)
    await expect(insert(true)).rejects.toThrow()
    await expect(insert(new Date(0))).rejects.toThrow()
  })
})
