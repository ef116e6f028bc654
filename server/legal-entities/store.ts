import { sql } from 'kysely'
import { foldKey } from '../../shared/rules/fold-key.ts'
import { LEGAL_ENTITY_ID } from '../../shared/rules/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { createCache, getOrLoad, perDatabase } from '../cache.ts'
import { lookup } from '../db/lookup.ts'
import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { contentVersion, type LegalEntityContent } from './content.ts'

export async function findLegalEntity(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<LegalEntityRow | undefined> {
  return db
    .selectFrom('legal_entities')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/**
 * Gets the entity with an id, or the active one with an `alt_key`, else the newest archived one. Throws
 * a 404 ApiError.
 */
export const lookupLegalEntity = lookup(
  'Legal entity',
  LEGAL_ENTITY_ID,
  findLegalEntity,
  async (db, instanceId, altKey) =>
    db
      .selectFrom('legal_entities')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .where('alt_key_folded', '=', foldKey(altKey))
      .orderBy('status')
      .orderBy('created', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst(),
)

/** Returns the active entities of an instance, oldest first. */
export async function listActiveEntities(
  db: Db | Tx,
  instanceId: string,
): Promise<LegalEntityRow[]> {
  return db
    .selectFrom('legal_entities')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('status', '=', 'ACTIVE')
    .orderBy('created')
    .orderBy('id')
    .execute()
}

export function listLegalEntities(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<LegalEntityRow>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('legal_entities')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .where(list.where),
  )
}

/**
 * Begins a change of an instance's entities or routes. Changes of one instance run one after another,
 * and caches of the version before are not read again.
 */
export async function lockEntities(tx: Tx, instanceId: string): Promise<void> {
  await tx
    .updateTable('instances')
    .set({ legal_entities_version: sql<number>`legal_entities_version + 1` })
    .where('id', '=', instanceId)
    .execute()
}

/** Stores the content that a row shows from now on. `now` is epoch milliseconds. */
export async function insertVersion(tx: Tx, row: LegalEntityRow, now: number): Promise<void> {
  await tx
    .insertInto('legal_entity_versions')
    .values({
      ...contentVersion(row),
      instance_id: row.instance_id,
      legal_entity_id: row.id,
      created: formatInstant(now),
    })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}

const contents = perDatabase(() => createCache<Promise<LegalEntityContent | undefined>>(2000))

/** Returns the content of a version, which never changes; undefined for null. */
export async function findContent(
  db: Db | Tx,
  instanceId: string,
  key: string | null,
): Promise<LegalEntityContent | undefined> {
  if (key === null) return undefined
  return getOrLoad(contents(db), `${instanceId}/${key}`, async () => {
    const row = await db
      .selectFrom('legal_entity_versions')
      .select('content')
      .where('key', '=', key)
      .where('instance_id', '=', instanceId)
      .executeTakeFirst()
    return row && (JSON.parse(row.content) as LegalEntityContent)
  })
}
