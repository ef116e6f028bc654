import { foldKey } from '../../shared/rules/fold-key.ts'
import { CHARGE_ID } from '../../shared/rules/ids.ts'
import type { Db, Tx } from '../db/tables.ts'
import { notFound } from '../errors.ts'
import { type ChargeRow, findCharge, findChargeByAltKey } from './store.ts'

/**
 * The charge that a path names: by its id, or by an `alt_key` in any case, of which the newest
 * charge is meant (specification: Charge; contract section 11). 404 otherwise.
 */
export async function lookupCharge(
  db: Db | Tx,
  instanceId: string,
  named: string,
): Promise<ChargeRow> {
  // PostgreSQL cannot be asked for a text with NUL in it, and no key has one.
  const found = named.includes('\0')
    ? undefined
    : CHARGE_ID.test(named)
      ? await findCharge(db, instanceId, named)
      : await findChargeByAltKey(db, instanceId, foldKey(named))
  if (!found) throw notFound('Charge')
  return found
}
