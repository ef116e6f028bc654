import type { Instance, VoidRow } from '../db/rows.ts'
import type { Deps } from '../deps.ts'
import type { Caller } from './create-payment.ts'
import { lookupAuthorization } from './lookup.ts'
import { syncPayment } from './sync-status.ts'
import { voidAuthorization } from './void-authorization.ts'

/**
 * Voids what an authorization still reserves and returns the void. Throws 404 `Payment not found` for
 * anything but an authorization, and what `voidAuthorization` throws.
 */
export async function voidPayment(
  deps: Deps,
  instance: Instance,
  idOrKey: string,
  caller: Caller,
): Promise<VoidRow> {
  const found = await lookupAuthorization(deps.db, instance.id, idOrKey, deps.now())
  return voidAuthorization(deps, await syncPayment(deps, found), caller.reserveKey)
}
