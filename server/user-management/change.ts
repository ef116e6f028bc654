import { formatInstant } from '../../shared/rules/time.ts'
import type { UserChange } from '../../shared/schemas/user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { User } from '../db/tables/users.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { invalidState } from '../errors.ts'
import { expectVersion } from '../http/if-match.ts'
import { deletePreferences } from '../preferences/store.ts'
import { endAccess } from '../users/change.ts'
import { deleteInvitationLinks, NO_INVITATION } from '../users/invitation.ts'
import { isFullOwner, lockUsers, requireOwnerBesides } from '../users/owners.ts'
import { deleteFactors } from '../users/factors/store.ts'
import { updateUser } from '../users/store.ts'
import { changedAccess } from './access.ts'
import { auditOf, currentManager, type Manager, requireReach } from './caller.ts'
import { getUser, instanceIds } from './store.ts'

type ChangeDeps = Pick<Deps, 'db' | 'realNow'>

interface Aim {
  id: string
  ifMatch: number | undefined
}

/**
 * Changes the given members of a user. Another role or other instances, and disabling, end the user's
 * sessions and grants. Throws INVALID_STATE for one's own access and for the last owner. A request that
 * changes nothing keeps the version.
 */
export async function changeUser(
  { db, realNow }: ChangeDeps,
  caller: Manager,
  aim: Aim,
  { name, disabled, ...access }: UserChange,
): Promise<User> {
  return inTransaction(db, async (tx) => {
    const { stored, manager } = await lockUser(tx, caller, aim)
    const now = formatInstant(realNow())
    const next: User = {
      ...stored,
      ...(name !== undefined && { name }),
      ...(await changedAccess(tx, manager, stored, access)),
      ...(disabled !== undefined && { disabled: disabled ? (stored.disabled ?? now) : null }),
    }
    const changed = (['name', 'role', 'instances', 'languages', 'disabled'] as const).filter(
      (member) => next[member] !== stored[member],
    )
    if (changed.length === 0) return stored
    if (changed.some((member) => member !== 'name')) requireOther(manager, stored)
    if (isFullOwner(stored) && !isFullOwner(next)) await requireOwnerBesides(tx, stored)
    const isDisabled = changed.includes('disabled') && next.disabled !== null
    if (isDisabled) await deleteInvitationLinks(tx, stored.id)
    if (isDisabled || changed.includes('role') || changed.includes('instances')) {
      await endAccess(tx, stored.id, now)
    }
    await recordAudit(tx, {
      ...auditOf(manager, stored, realNow()),
      action: isDisabled ? 'user.disabled' : 'user.changed',
      detail: { members: changed, ...(changed.includes('role') && { role: next.role }) },
    })
    return updateUser(tx, stored, isDisabled ? { ...next, ...NO_INVITATION } : next)
  })
}

/**
 * Removes a user, whose email can be invited again. Their sessions, grants and second factors end. The
 * row stays, because the history names it.
 */
export async function removeUser(
  { db, realNow }: ChangeDeps,
  caller: Manager,
  aim: Aim,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const { stored, manager } = await lockUser(tx, caller, aim)
    requireOther(manager, stored)
    if (isFullOwner(stored)) await requireOwnerBesides(tx, stored)
    const now = formatInstant(realNow())
    await deleteInvitationLinks(tx, stored.id)
    await deleteFactors(tx, stored.id)
    await deletePreferences(tx, stored.id)
    await endAccess(tx, stored.id, now)
    await recordAudit(tx, { ...auditOf(manager, stored, realNow()), action: 'user.deleted' })
    await updateUser(tx, stored, {
      email_folded: stored.id,
      password_hash: '',
      disabled: now,
      removed: now,
      ...NO_INVITATION,
    })
  })
}

async function lockUser(tx: Tx, caller: Manager, { id, ifMatch }: Aim) {
  await lockUsers(tx, caller.merchantId)
  const manager = await currentManager(tx, caller)
  const stored = await getUser(tx, manager, id)
  requireReach(manager, instanceIds(stored), 'This user can open instances that you cannot open')
  expectVersion('User', stored, ifMatch)
  return { stored, manager }
}

/** Otherwise a mistake would lock out its maker. */
function requireOther({ userId }: Manager, { id }: User): void {
  if (userId === id) throw invalidState('Your own access is changed by another owner')
}
