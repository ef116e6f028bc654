import { ACCOUNT_ID } from '../../shared/rules/ids.ts'
import type { Db } from '../db/tables.ts'
import { notFound } from '../errors.ts'
import { type AccountRow, findAccount, findAccountByCrmKey } from './store.ts'

/**
 * The account that a path names: by its id, or by a `crm_key`, of which the most recently updated
 * account is meant (specification: Account). What looks like an id is looked up as one only, which
 * is why no key may look like it. Keys are compared exactly.
 */
export async function lookupAccount(
  db: Db,
  instanceId: string,
  named: string,
): Promise<AccountRow> {
  // PostgreSQL cannot be asked for a text with NUL in it, and no key has one.
  const found = named.includes('\0')
    ? undefined
    : ACCOUNT_ID.test(named)
      ? await findAccount(db, instanceId, named)
      : await findAccountByCrmKey(db, instanceId, named)
  if (!found) throw notFound('Account')
  return found
}
