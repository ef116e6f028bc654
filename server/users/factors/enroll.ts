import { formatInstant } from '../../../shared/rules/time.ts'
import { type Audited, recordAudit } from '../../audit/record-audit.ts'
import type { UserFactor } from '../../db/tables/factors.ts'
import { lockRow } from '../../db/row-locks.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Tx } from '../../db/tables.ts'
import type { Deps } from '../../deps.ts'
import { invalid, invalidState } from '../../errors.ts'
import { newId } from '../../ids.ts'
import { refreshAuthentication, type UserSession } from '../sessions.ts'
import { deleteUserSessions } from '../store.ts'
import { newRecoveryCodes, replaceRecoveryCodes } from './recovery-codes.ts'
import {
  confirmFactor,
  deletePasskey,
  deleteRecoveryCodes,
  deleteTotp,
  findTotp,
  hasSecondFactor,
  insertFactor,
  listPasskeys,
  listRecoveryCodes,
} from './store.ts'
import { decryptTotpSecret, encryptTotpSecret, newTotpSecret, totpUri, verifyTotp } from './totp.ts'

/**
 * Makes a secret for an authenticator app. It counts once a first code has proved that it arrived; an app
 * that the user has already keeps working until then.
 */
export async function startTotp(
  deps: Deps,
  { user }: UserSession,
): Promise<{ secret: string; uri: string }> {
  const now = deps.now()
  const id = newId('uf', now)
  const secret = newTotpSecret()
  const encrypted = encryptTotpSecret(deps.config, id, secret)
  await inTransaction(deps.db, async (tx) => {
    await deleteTotp(tx, user.id, { confirmed: false })
    await insertFactor(tx, {
      id,
      user_id: user.id,
      kind: 'TOTP',
      name: null,
      secret: encrypted,
      credential_id: null,
      public_key: null,
      transports: null,
      counter: 0,
      created: formatInstant(now),
      confirmed: null,
      last_used: null,
    })
  })
  const issuer = `Checkstand (${new URL(deps.config.consoleUrl).host})`
  return {
    secret,
    uri: totpUri(secret, { email: user.email, issuer: issuer.replaceAll(':', ' ') }),
  }
}

/** Makes the new secret count. Returns new recovery codes unless the user has some. Throws a 400 ApiError for a wrong code. */
export async function confirmTotp(
  deps: Deps,
  session: UserSession,
  code: string,
): Promise<string[] | null> {
  const { user } = session
  const totp = await findTotp(deps.db, user.id, { confirmed: false })
  if (totp?.secret == null) throw invalidState('No authenticator app is being added')
  const secret = decryptTotpSecret(deps.config, totp.id, totp.secret)
  const now = deps.now()
  const step = verifyTotp(secret, code.replace(/\s/g, ''), { spent: 0, now })
  if (step === undefined) throw invalid('totp.code', 'is wrong or too old')
  return enroll(deps, session, 'TOTP', async (tx) => {
    await deleteTotp(tx, user.id, { confirmed: true })
    await confirmFactor(tx, totp.id, { step, now: formatInstant(now) })
  })
}

const PASSKEYS_MAX = 20

/** Throws a 400 ApiError for a user who has as many passkeys as there may be. */
export async function requireRoomForPasskey({ db }: Deps, { user }: UserSession): Promise<void> {
  if ((await listPasskeys(db, user.id)).length < PASSKEYS_MAX) return
  throw invalidState(`A user may have at most ${PASSKEYS_MAX} passkeys`)
}

/** Stores a new passkey. Returns new recovery codes unless the user has some. */
export async function addPasskey(
  deps: Deps,
  session: UserSession,
  passkey: UserFactor,
): Promise<string[] | null> {
  return enroll(deps, session, 'PASSKEY', (tx) => insertFactor(tx, passkey))
}

/** A session elsewhere may be a thief's who knows the password, so only the one that enrolls goes on. */
async function enroll(
  deps: Deps,
  session: UserSession,
  kind: UserFactor['kind'],
  store: (tx: Tx) => Promise<void>,
): Promise<string[] | null> {
  const { id } = session.user
  const left = (await listRecoveryCodes(deps.db, id)).some(({ used }) => used === null)
  const made = left ? undefined : await newRecoveryCodes(id, deps.now())
  await inTransaction(deps.db, async (tx) => {
    await store(tx)
    if (made) await replaceRecoveryCodes(tx, id, made)
    await deleteUserSessions(tx, id, session.id)
    await audit(deps, tx, session, { action: 'factor.added', detail: { kind } })
    if (made) await audit(deps, tx, session, { action: 'recovery_codes.created' })
  })
  await refreshAuthentication(deps, session, [kind])
  return made?.codes ?? null
}

/** Returns ten new recovery codes, and ends the former ones. Throws a 400 ApiError for a user without a second factor. */
export async function renewRecoveryCodes(deps: Deps, session: UserSession): Promise<string[]> {
  const { user } = session
  if (!(await hasSecondFactor(deps.db, user.id))) {
    throw invalidState('Recovery codes stand in for a second factor: add one first')
  }
  const made = await newRecoveryCodes(user.id, deps.now())
  await inTransaction(deps.db, async (tx) => {
    await replaceRecoveryCodes(tx, user.id, made)
    await audit(deps, tx, session, { action: 'recovery_codes.created' })
  })
  return made.codes
}

/**
 * Removes the user's authenticator app, or the passkey with this id, and the recovery codes with the last
 * factor. Returns false for an unknown passkey. Throws a 400 ApiError for the last factor where the policy
 * requires one.
 */
export async function removeFactor(
  deps: Deps,
  session: UserSession,
  passkeyId?: string,
): Promise<boolean> {
  const { user } = session
  return inTransaction(deps.db, async (tx) => {
    // Two factors that are removed at once must not both find the other one left.
    await lockRow(tx, 'users', user.id)
    if (passkeyId === undefined) await deleteTotp(tx, user.id, { confirmed: true })
    else if (!(await deletePasskey(tx, user.id, passkeyId))) return false
    const kind = passkeyId === undefined ? 'TOTP' : 'PASSKEY'
    await audit(deps, tx, session, { action: 'factor.removed', detail: { kind } })
    if (await hasSecondFactor(tx, user.id)) return true
    if (deps.config.requireMfa !== 'off') {
      throw invalidState('This server requires a second factor: add another one first')
    }
    await deleteRecoveryCodes(tx, user.id)
    return true
  })
}

/** Writes what a user does to their own factors into the audit log. */
async function audit(
  { now }: Deps,
  tx: Tx,
  { user, ip }: UserSession,
  entry: Pick<Audited, 'action' | 'detail'>,
): Promise<void> {
  const by = { type: 'USER', user: user.id, ip } as const
  await recordAudit(tx, { at: now(), by, of: { user: user.id }, about: user.id, ...entry })
}
