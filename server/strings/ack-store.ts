import type { StringScope } from '../../shared/rules/inherit.ts'
import type { StringAckRow } from '../db/tables/strings.ts'
import type { Db, Tx } from '../db/tables.ts'

/** Returns the acknowledged hashes of a scope, by id. */
export async function findAcks(
  db: Db | Tx,
  instanceId: string,
  { branding, language }: StringScope,
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('string_acks')
    .select(['id', 'hash'])
    .where('instance_id', '=', instanceId)
    .where('branding', '=', branding)
    .where('language', '=', language)
    .execute()
  return new Map(rows.map(({ id, hash }) => [id, hash]))
}

/** Returns a text that is another one after each acknowledgement of an instance. */
export async function acksVersion(db: Db, instanceId: string): Promise<string> {
  const { count, newest } = await db
    .selectFrom('string_acks')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('created').as('newest')])
    .where('instance_id', '=', instanceId)
    .executeTakeFirstOrThrow()
  return `${count}/${newest ?? ''}`
}

/** How many rows one statement writes, because databases limit its parameters. */
const ROWS_MAX = 500

/** Saves acknowledgements. `rows` name each string once. */
export async function upsertAcks(tx: Tx, rows: readonly StringAckRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += ROWS_MAX) {
    await tx
      .insertInto('string_acks')
      .values(rows.slice(at, at + ROWS_MAX))
      .onConflict((conflict) =>
        conflict.columns(['instance_id', 'branding', 'language', 'id']).doUpdateSet((eb) => ({
          hash: eb.ref('excluded.hash'),
          created: eb.ref('excluded.created'),
          created_session: eb.ref('excluded.created_session'),
        })),
      )
      .execute()
  }
}
