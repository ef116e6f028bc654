import { notFound } from '../errors.ts'
import type { Db, Tx } from './tables.ts'

type Find<Row> = (db: Db | Tx, instanceId: string, text: string) => Promise<Row | undefined>

/**
 * Returns a function that gets a record of an instance by its id or by a key that the merchant chose.
 * Text in the form of an id is only looked up as an id, so no key may have that form. The function
 * throws a 404 ApiError that names the resource.
 */
export function lookup<Row>(
  resource: string,
  idPattern: RegExp,
  findById: Find<Row>,
  findByKey: Find<Row> = async () => undefined,
): (db: Db | Tx, instanceId: string, idOrKey: string) => Promise<Row> {
  return async (db, instanceId, idOrKey) => {
    const find = idPattern.test(idOrKey) ? findById : findByKey
    // PostgreSQL rejects a text that contains NUL, and no key does.
    const row = idOrKey.includes('\0') ? undefined : await find(db, instanceId, idOrKey)
    if (!row) throw notFound(resource)
    return row
  }
}
