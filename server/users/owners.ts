import type { User } from '../db/tables/users.ts'
import type { Tx } from '../db/tables.ts'
import { lockRow } from '../db/row-locks.ts'
import { invalidState } from '../errors.ts'

/**
 * Locks the users of a merchant against other changes until the transaction ends, so that two owners who
 * remove each other at once cannot both succeed.
 */
export async function lockUsers(tx: Tx, merchantId: string): Promise<void> {
  await lockRow(tx, 'merchants', merchantId)
}

/** Returns whether a user can manage all users of the merchant: an owner of all instances who can sign in. */
export function isFullOwner(
  user: Pick<User, 'role' | 'instances' | 'disabled' | 'password_hash'>,
): boolean {
  const { role, instances, disabled, password_hash } = user
  return role === 'OWNER' && instances === null && disabled === null && password_hash !== ''
}

/**
 * Throws INVALID_STATE when a change would leave the merchant without an owner. The caller has locked the
 * merchant's users.
 */
export async function requireOwnerBesides(tx: Tx, { id, merchant_id }: User): Promise<void> {
  const other = await tx
    .selectFrom('users')
    .select('id')
    .where('merchant_id', '=', merchant_id)
    .where('id', '!=', id)
    .where('role', '=', 'OWNER')
    .where('instances', 'is', null)
    .where('disabled', 'is', null)
    .where('password_hash', '!=', '')
    .limit(1)
    .executeTakeFirst()
  if (!other) {
    throw invalidState('This is the last owner of all instances; make another user one first')
  }
}
