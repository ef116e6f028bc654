import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockRow } from '../db/row-locks.ts'
import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import type { Deps } from '../deps.ts'
import { invalidState } from '../errors.ts'
import { expectVersion } from '../http/if-match.ts'
import { lockEntities, lookupLegalEntity } from './store.ts'
import { updateEntityAndRecord } from './update-entity.ts'

/**
 * Archives an entity, which stays for its payments. Throws INVALID_STATE for the default, for one that
 * a route names, and for one with a contract that is not over.
 */
export async function archiveLegalEntity(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  idOrKey: string,
  { by, ifMatch }: { by: string; ifMatch: number | undefined },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockEntities(tx, instanceId)
    const { id } = await lookupLegalEntity(tx, instanceId, idOrKey)
    // A payment that starts a contract locks the entity too.
    const stored = await lockRow(tx, 'legal_entities', id)
    expectVersion('Legal entity', stored, ifMatch)
    if (stored.status === 'ARCHIVED') return
    await requireUnused(tx, stored)
    const change = { status: 'ARCHIVED' as const }
    await updateEntityAndRecord(tx, stored, change, { by, now: now() })
  })
}

async function requireUnused(tx: Tx, { id, instance_id, is_default }: LegalEntityRow) {
  if (is_default === 1) {
    throw invalidState('Legal entity is the default; make another one the default first')
  }
  const route = await tx
    .selectFrom('legal_entity_routes')
    .select(['id', 'position'])
    .where('instance_id', '=', instance_id)
    .where('legal_entity_id', '=', id)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  if (route) {
    throw invalidState(`Legal entity is named by route ${route.id} at position ${route.position}`)
  }
  const contract = await tx
    .selectFrom('contracts')
    .select('id')
    .where('instance_id', '=', instance_id)
    .where('legal_entity_id', '=', id)
    .where('status', 'in', ['ACTIVE', 'PAUSED'])
    .limit(1)
    .executeTakeFirst()
  if (contract) throw invalidState(`Legal entity has the active contract ${contract.id}`)
}
