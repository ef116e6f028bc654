import type { LegalEntityChange } from '../../shared/schemas/legal-entity.ts'
import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { invalidState } from '../errors.ts'
import { expectVersion } from '../http/if-match.ts'
import { changedColumns } from './columns.ts'
import { requireFreeKey } from './create.ts'
import { moveDefault } from './move-default.ts'
import { listActiveEntities, lockEntities, lookupLegalEntity } from './store.ts'
import { updateEntityAndRecord } from './update-entity.ts'

/**
 * Changes the given members; null clears one. Payments and sessions keep what they show. A request that
 * changes nothing keeps the version.
 */
export async function changeLegalEntity(
  { db, now: clock }: Pick<Deps, 'db' | 'now'>,
  instanceId: string,
  idOrKey: string,
  request: { change: LegalEntityChange; by: string; ifMatch: number | undefined },
): Promise<LegalEntityRow> {
  const { by, ifMatch } = request
  const { default: isDefault, ...members } = request.change
  return inTransaction(db, async (tx) => {
    await lockEntities(tx, instanceId)
    const stored = await lookupLegalEntity(tx, instanceId, idOrKey)
    expectVersion('Legal entity', stored, ifMatch)
    if (stored.status === 'ARCHIVED') throw invalidState('Legal entity is archived')
    if (isDefault === false && stored.is_default === 1) {
      throw invalidState('legal_entity.default is moved by writing true to another legal entity')
    }
    const now = clock()
    const columns = changedColumns(stored, members)
    const takesDefault = isDefault === true && stored.is_default === 0
    if (Object.keys(columns).length === 0 && !takesDefault) return stored
    const others = await listActiveEntities(tx, instanceId)
    requireFreeKey(others, { ...stored, ...columns })
    if (takesDefault) await moveDefault(tx, others, { by, now })
    const change = { ...columns, ...(takesDefault && { is_default: 1 }) }
    return updateEntityAndRecord(tx, stored, change, { by, now })
  })
}
