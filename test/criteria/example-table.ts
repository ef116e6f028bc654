import { type Insertable, sql } from 'kysely'
import { foldKey } from '../../shared/rules/fold-key.ts'
import { parseListQuery } from '../../server/http/list-query.ts'
import { openEmptyDatabase } from '../database.ts'
import type { Fields } from '../../server/criteria/fields.ts'
import { foldedText } from '../../server/db/fold-text.ts'

/** For the tests: a resource with a field of every type, and a database that holds it. */

export interface Thing {
  id: string
  name: string | null
  contract: string | null
  status: string | null
  /** Ten-thousandths. */
  owed: number | null
  due: string | null
  recurring: number | null
  created: string
}

export const STATUSES = ['ACTIVE', 'PAID', 'WRITTENOFF'] as const

export const FIELDS: Fields = {
  id: { type: 'id', column: 'things.id', notNull: true },
  created: { type: 'date', column: 'things.created', notNull: true },
  name: { type: 'text', column: 'things.name', lower: 'things.name_lower' },
  // The same text once more, found by an index.
  key: {
    type: 'text',
    column: 'things.name',
    lower: 'things.name_lower',
    folded: 'things.name_folded',
  },
  contract: { type: 'id', column: 'contract' },
  status: { type: 'enum', column: 'status', values: STATUSES },
  outstanding_amount: { type: 'amount', column: sql.ref('things.owed'), decimals: 4 },
  due: { type: 'date', column: 'due' },
  recurring: { type: 'flag', column: 'recurring' },
}

export interface Example {
  /** Ids of the things that a list shows, in its order. */
  list(query: { criteria?: string; order?: string; limit?: string }): Promise<string[]>
  fill(things: readonly Insertable<Thing>[]): Promise<void>
}

function foldedColumns({ name }: Insertable<Thing>) {
  return {
    name_folded: name == null || name === '' ? null : foldKey(name),
    name_lower: foldedText(name),
  }
}

export async function openExample(): Promise<Example> {
  type Row = Thing & { name_folded: string | null; name_lower: string | null }
  const { db } = await openEmptyDatabase<{ things: Row }>()
  await sql`create table things (
    id text primary key, name text, name_folded text, name_lower text, contract text, status text, owed bigint, due text,
    recurring integer, created text not null
  )`.execute(db)
  return {
    async list(query) {
      const { where, orderBy, limit } = parseListQuery({ limit: '1000', ...query }, FIELDS)
      const things = db.selectFrom('things').select('id').where(where)
      return (await things.orderBy(orderBy).limit(limit).execute()).map(({ id }) => id)
    },
    fill: (things) =>
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('things').execute()
        if (things.length > 0)
          await trx
            .insertInto('things')
            .values(things.map((thing) => ({ ...thing, ...foldedColumns(thing) })))
            .execute()
      }),
  }
}
