import { formatInstant } from '../../shared/rules/time.ts'
import type { NewLegalEntity } from '../../shared/schemas/legal-entity.ts'
import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import { inTransaction, isUniqueViolation } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import { changedColumns } from './columns.ts'
import { contentVersion } from './content.ts'
import { recordEntityEvent } from './events.ts'
import { moveDefault } from './move-default.ts'
import { insertVersion, listActiveEntities, lockEntities } from './store.ts'

const ENTITIES_MAX = 200

/** Creates an entity and records the event. The first one of an instance is its default. */
export async function createLegalEntity(
  { db, now: clock }: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  { default: isDefault, ...members }: NewLegalEntity,
  by: string,
): Promise<LegalEntityRow> {
  const now = clock()
  const row = newRow(instanceId, members, { by, now })
  return inTransaction(db, async (tx) => {
    await lockEntities(tx, instanceId)
    const others = await listActiveEntities(tx, instanceId)
    if (others.length >= ENTITIES_MAX) {
      throw invalidState(`An instance may have at most ${ENTITIES_MAX} active legal entities`)
    }
    requireFreeKey(others, row)
    const becomesDefault = isDefault === true || others.length === 0
    if (becomesDefault) await moveDefault(tx, others, { by, now })
    const created = { ...row, is_default: becomesDefault ? 1 : 0 }
    await insert(tx, created)
    await insertVersion(tx, created, now)
    await recordEntityEvent(tx, 'legal_entity.created', created, now)
    return created
  })
}

async function insert(tx: Tx, row: LegalEntityRow): Promise<void> {
  try {
    await tx.insertInto('legal_entities').values(row).execute()
  } catch (error) {
    // Another default, although changes of an instance wait for each other.
    if (isUniqueViolation(error)) {
      throw new ApiError('CONFLICT', 'Legal entities were changed concurrently; send again')
    }
    throw error
  }
}

/** Throws DUPLICATE when another active entity has the key. */
export function requireFreeKey(others: readonly LegalEntityRow[], row: LegalEntityRow): void {
  const { id, alt_key_folded: key } = row
  const same = others.find((other) => other.id !== id && other.alt_key_folded === key)
  if (key === null || !same) return
  throw new ApiError('DUPLICATE', `legal_entity.alt_key is taken by ${same.id}`)
}

function newRow(
  instanceId: string,
  members: Omit<NewLegalEntity, 'default'>,
  { by, now }: { by: string; now: number },
): LegalEntityRow {
  const created = formatInstant(now)
  const empty: LegalEntityRow = {
    id: newId('le', now),
    instance_id: instanceId,
    alt_key: null,
    alt_key_folded: null,
    alt_key_lower: null,
    name: null,
    name_lower: null,
    legal_name: '',
    legal_name_lower: null,
    type: 'ORGANISATION',
    country: '',
    currencies: null,
    details: '{}',
    version: '',
    is_default: 0,
    status: 'ACTIVE',
    created_session: by,
    updated_session: by,
    created,
    updated: created,
    v: 1,
  }
  const row = { ...empty, ...changedColumns(empty, members) }
  return { ...row, version: contentVersion(row).key }
}
