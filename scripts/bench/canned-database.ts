import {
  type CompiledQuery,
  DummyDriver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Instance } from '../../server/db/tables/instances.ts'
import type { Db, Tables } from '../../server/db/tables.ts'

/**
 * A database that does nothing: it has the bench's one instance, and ignores every write.
 * What the handlers cost without it is what a database may add to.
 */
export function cannedDatabase(instance: Instance): Db {
  // What a key finds: its instance, and no restriction of its own.
  const keyed = { ...instance, key_scopes: null, key_addresses: null }
  const connection = {
    async executeQuery<R>({ sql }: CompiledQuery): Promise<QueryResult<R>> {
      return { rows: (sql.includes('"secret_keys"') ? [keyed] : []) as R[] }
    },
    streamQuery() {
      throw new Error('the bench streams nothing')
    },
  }
  const driver = Object.assign(new DummyDriver(), { acquireConnection: async () => connection })
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => driver,
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
  })
}
