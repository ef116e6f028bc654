import { formatInstant } from '../../shared/rules/time.ts'
import type { NewUser } from '../../shared/schemas/user.ts'
import { recordAudit } from '../audit/record-audit.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { User } from '../db/tables/users.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalidState } from '../errors.ts'
import { expectVersion } from '../http/if-match.ts'
import { newId } from '../ids.ts'
import { requireMailAllowed } from '../mail/limits.ts'
import { queueMail } from '../mail/outbox.ts'
import { instanceLocale } from '../mail/payer-locale.ts'
import { createInvitationLink, openInvitation } from '../users/invitation.ts'
import { lockUsers } from '../users/owners.ts'
import { findUser, insertUser } from '../users/store.ts'
import { changedAccess } from './access.ts'
import { auditOf, currentManager, type Manager, requireReach } from './caller.ts'
import { countUsers, getUser, instanceIds } from './store.ts'

const USERS_MAX = 1000

/** A user and the link of their invitation; undefined when a mail brings it. */
export interface Invited {
  user: User
  url: string | undefined
}

type InTransaction = Omit<Deps, 'db'> & { db: Tx }

/**
 * Creates a user who chooses a password at the link of an invitation. `deps.db` must be a transaction.
 * Throws a 400 ApiError for an email that is taken, on this server as a whole.
 */
export async function inviteUser(
  deps: InTransaction,
  instance: Instance,
  caller: Manager,
  { email, name, ...access }: NewUser,
): Promise<Invited> {
  const { db: tx } = deps
  const now = deps.realNow()
  await lockUsers(tx, caller.merchantId)
  const manager = await currentManager(tx, caller)
  if ((await countUsers(tx, manager.merchantId)) >= USERS_MAX) {
    throw invalidState(`A merchant may have at most ${USERS_MAX} users`)
  }
  const taken = await findUser(tx, email)
  if (taken) {
    const own = taken.merchant_id === manager.merchantId ? ` by ${taken.id}` : ''
    throw new ApiError('DUPLICATE', `user.email is taken${own}`)
  }
  const none = { role: access.role, instances: null, languages: null }
  const user: User = {
    id: newId('usr', now),
    merchant_id: manager.merchantId,
    email,
    email_folded: email.toLowerCase(),
    name: name ?? null,
    password_hash: '',
    ...(await changedAccess(tx, manager, none, access)),
    invitation: null,
    invitation_expires: null,
    last_seen: null,
    created: formatInstant(now),
    disabled: null,
    removed: null,
    v: 0,
  }
  await insertUser(tx, user)
  const audit = auditOf(manager, user, now)
  await recordAudit(tx, { ...audit, action: 'user.created', detail: { role: user.role } })
  return sendInvitation(deps, instance, user)
}

/**
 * Opens a new invitation of a user, who may have a password already: they choose another one. Throws
 * INVALID_STATE for a disabled user.
 */
export async function inviteAgain(
  deps: InTransaction,
  instance: Instance,
  caller: Manager,
  { id, ifMatch }: { id: string; ifMatch: number | undefined },
): Promise<Invited> {
  await lockUsers(deps.db, caller.merchantId)
  const manager = await currentManager(deps.db, caller)
  const user = await getUser(deps.db, manager, id)
  requireReach(manager, instanceIds(user), 'This user can open instances that you cannot open')
  expectVersion('User', user, ifMatch)
  if (user.disabled !== null) throw invalidState('The user is disabled')
  const audit = auditOf(manager, user, deps.realNow())
  await recordAudit(deps.db, { ...audit, action: 'invitation.created' })
  return sendInvitation(deps, instance, user)
}

/** By mail, or in the response when the server sends none. */
async function sendInvitation(
  deps: InTransaction,
  instance: Instance,
  stored: User,
): Promise<Invited> {
  const user = await openInvitation(deps.db, stored, deps.realNow())
  if (deps.config.mail === undefined) return { user, url: await createInvitationLink(deps, user) }
  await requireMailAllowed(deps, instance, user.email)
  await queueMail(deps, deps.db, {
    instance_id: instance.id,
    kind: 'INVITATION',
    subject: String(user.invitation),
    record_id: String(user.invitation),
    user_id: user.id,
    ...instanceLocale(instance),
  })
  return { user, url: undefined }
}
