import type { Db } from '../server/db/tables.ts'

/** The database, where something happens after each query that is part of no transaction. */
export function afterEachRead(db: Db, happens: () => Promise<void>): Db {
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      await happens()
      return result
    },
  })
  return new Proxy(db, {
    get: (plain, name) => {
      const from = name === 'transaction' ? plain : watched
      const member: unknown = Reflect.get(from, name, from)
      return typeof member === 'function' ? member.bind(from) : member
    },
  })
}
