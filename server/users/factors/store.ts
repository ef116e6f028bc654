import type { Selectable } from 'kysely'
import type {
  PasskeyChallengesTable,
  RecoveryCodesTable,
  UserFactor,
} from '../../db/tables/factors.ts'
import type { Db, Tx } from '../../db/tables.ts'

/** Returns the second factors of a user that count, oldest first. */
export async function listFactors(db: Db | Tx, userId: string): Promise<UserFactor[]> {
  return db
    .selectFrom('user_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed', 'is not', null)
    .orderBy('created')
    .orderBy('id')
    .execute()
}

/** Returns the passkeys of a user, oldest first. */
export async function listPasskeys(db: Db | Tx, userId: string): Promise<UserFactor[]> {
  return (await listFactors(db, userId)).filter(({ kind }) => kind === 'PASSKEY')
}

/** Returns whether a password alone is not enough for this user. */
export async function hasSecondFactor(db: Db | Tx, userId: string): Promise<boolean> {
  const factor = await db
    .selectFrom('user_factors')
    .select('id')
    .where('user_id', '=', userId)
    .where('confirmed', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return factor !== undefined
}

export async function findPasskey(db: Db, credentialId: string): Promise<UserFactor | undefined> {
  return db
    .selectFrom('user_factors')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

/** Returns the user's secret of one-time codes: the one that counts, or the one that awaits its first code. */
export async function findTotp(
  db: Db | Tx,
  userId: string,
  { confirmed }: { confirmed: boolean },
): Promise<UserFactor | undefined> {
  return db
    .selectFrom('user_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', 'TOTP')
    .where('confirmed', confirmed ? 'is not' : 'is', null)
    .executeTakeFirst()
}

export async function insertFactor(db: Db | Tx, factor: UserFactor): Promise<void> {
  await db.insertInto('user_factors').values(factor).execute()
}

export async function deleteTotp(
  tx: Db | Tx,
  userId: string,
  { confirmed }: { confirmed: boolean },
): Promise<void> {
  await tx
    .deleteFrom('user_factors')
    .where('user_id', '=', userId)
    .where('kind', '=', 'TOTP')
    .where('confirmed', confirmed ? 'is not' : 'is', null)
    .execute()
}

/** Makes a secret count, with the time step of the code that proved it. */
export async function confirmFactor(
  tx: Tx,
  id: string,
  { step, now }: { step: number; now: string },
): Promise<void> {
  await tx
    .updateTable('user_factors')
    .set({ confirmed: now, counter: step, last_used: now })
    .where('id', '=', id)
    .execute()
}

/**
 * Raises the counter of a factor. Returns false when it is as high already, so that of two concurrent
 * uses of one code only one succeeds.
 */
export async function raiseCounter(
  db: Db,
  id: string,
  { counter, now }: { counter: number; now: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_factors')
    .set({ counter, last_used: now })
    .where('id', '=', id)
    .where('counter', '<', counter)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Records the use of a passkey whose authenticator has no signature counter. */
export async function touchFactor(db: Db, id: string, now: string): Promise<void> {
  await db.updateTable('user_factors').set({ last_used: now }).where('id', '=', id).execute()
}

/** Returns whether the user has this passkey. */
export async function renamePasskey(
  db: Db,
  userId: string,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('user_factors')
    .set({ name })
    .where('user_id', '=', userId)
    .where('kind', '=', 'PASSKEY')
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deletePasskey(tx: Tx, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('user_factors')
    .where('user_id', '=', userId)
    .where('kind', '=', 'PASSKEY')
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes every factor and recovery code of a user. Returns the number of factors that counted. */
export async function deleteFactors(tx: Tx, userId: string): Promise<number> {
  await deleteTotp(tx, userId, { confirmed: false })
  const { numDeletedRows } = await tx
    .deleteFrom('user_factors')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  await deleteRecoveryCodes(tx, userId)
  await tx.deleteFrom('sign_in_steps').where('user_id', '=', userId).execute()
  return Number(numDeletedRows)
}

export type RecoveryCodeRow = Selectable<RecoveryCodesTable>

export async function insertRecoveryCodes(tx: Tx, codes: RecoveryCodeRow[]): Promise<void> {
  await tx.insertInto('recovery_codes').values(codes).execute()
}

export async function deleteRecoveryCodes(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
}

export async function listRecoveryCodes(db: Db | Tx, userId: string): Promise<RecoveryCodeRow[]> {
  return db.selectFrom('recovery_codes').selectAll().where('user_id', '=', userId).execute()
}

/** Marks an unused code as used. Returns false when it is used already. */
export async function spendRecoveryCode(
  db: Db | Tx,
  { user_id, selector }: Pick<RecoveryCodeRow, 'user_id' | 'selector'>,
  now: string,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used: now })
    .where('user_id', '=', user_id)
    .where('selector', '=', selector)
    .where('used', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function insertChallenge(
  db: Db,
  challenge: Selectable<PasskeyChallengesTable>,
): Promise<void> {
  await db.insertInto('passkey_challenges').values(challenge).execute()
}

/** Deletes a challenge. Returns whether it was there for this purpose and browser, and not expired. */
export async function consumeChallenge(
  db: Db,
  {
    hash,
    purpose,
    browser,
    now,
  }: Omit<Selectable<PasskeyChallengesTable>, 'expires'> & { now: string },
): Promise<boolean> {
  const [row] = await db
    .deleteFrom('passkey_challenges')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('browser', '=', browser)
    .returning('expires')
    .execute()
  return row !== undefined && row.expires > now
}

export async function insertSignInStep(
  db: Db,
  step: { hash: string; user_id: string; expires: string },
): Promise<void> {
  await db.insertInto('sign_in_steps').values(step).execute()
}

/** Returns the id of the user who gave their password in this browser. */
export async function findSignInStep(
  db: Db,
  hash: string,
  now: string,
): Promise<string | undefined> {
  const step = await db
    .selectFrom('sign_in_steps')
    .select('user_id')
    .where('hash', '=', hash)
    .where('expires', '>', now)
    .executeTakeFirst()
  return step?.user_id
}

export async function deleteSignInStep(db: Db | Tx, hash: string): Promise<void> {
  await db.deleteFrom('sign_in_steps').where('hash', '=', hash).execute()
}

export async function deleteExpiredSteps(db: Db, now: string): Promise<void> {
  await db.deleteFrom('passkey_challenges').where('expires', '<=', now).execute()
  await db.deleteFrom('sign_in_steps').where('expires', '<=', now).execute()
}
