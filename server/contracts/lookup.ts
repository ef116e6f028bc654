import { foldKey } from '../../shared/rules/fold-key.ts'
import { CONTRACT_ID } from '../../shared/rules/ids.ts'
import type { Db, Tx } from '../db/tables.ts'
import { notFound } from '../errors.ts'
import { type ContractRow, findContract, findContractByAltKey } from './store.ts'

/**
 * The contract that a path names: by its id, or by an `alt_key` in any case, of which the newest
 * contract is meant, as with charges (contract section 11). 404 otherwise.
 */
export async function lookupContract(
  db: Db | Tx,
  instanceId: string,
  named: string,
): Promise<ContractRow> {
  // PostgreSQL cannot be asked for a text with NUL in it, and no key has one.
  const found = named.includes('\0')
    ? undefined
    : CONTRACT_ID.test(named)
      ? await findContract(db, instanceId, named)
      : await findContractByAltKey(db, instanceId, foldKey(named))
  if (!found) throw notFound('Contract')
  return found
}
