import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import type { Db, Tx } from '../db/tables.ts'
import { lockRow } from '../db/row-locks.ts'
import { ApiError, invalid } from '../errors.ts'
import { parseCurrencies } from './content.ts'
import { findLegalEntity } from './store.ts'

/**
 * Returns the entity that a request chooses. Throws a 400 ApiError that names the member for one that
 * does not exist, is archived or does not take the currency.
 */
export async function requireLegalEntity(
  db: Db | Tx,
  instanceId: string,
  { id, currency, member }: { id: string; currency: string; member: string },
): Promise<LegalEntityRow> {
  const entity = await findLegalEntity(db, instanceId, id)
  if (!entity) throw invalid(member, 'does not exist')
  if (entity.status === 'ARCHIVED') throw invalid(member, 'is archived')
  const taken = parseCurrencies(entity)
  if (taken !== null && !taken.includes(currency)) {
    throw invalid(member, `does not take ${currency}, only ${taken.join(', ')}`)
  }
  return entity
}

/**
 * Keeps an entity from being archived until the transaction ends. Throws a 409 ApiError when it was
 * archived since it was read.
 */
export async function lockActiveEntity(tx: Tx, id: string): Promise<void> {
  const { status } = await lockRow(tx, 'legal_entities', id)
  if (status === 'ACTIVE') return
  throw new ApiError('CONFLICT', 'The legal entity was archived; send the request again')
}
