import { type Selectable, sql } from 'kysely'
import { foldKey } from '../../shared/rules/fold-key.ts'
import { foldedText } from '../db/fold-text.ts'
import type { AccountsTable } from '../db/tables/accounts.ts'
import type { Db, Tx } from '../db/tables.ts'
import { advisoryLock } from '../db/named-locks.ts'
import { withRowLock } from '../db/row-locks.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { invalidState, notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'
import { ACCOUNT_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'

/** A row without the columns that only filters and orders read. Every write computes those. */
export type AccountRow = Omit<Selectable<AccountsTable>, keyof ReturnType<typeof foldedColumns>>

/** Computes the lower-case and case-folded columns for filters and orders. */
export function foldedColumns(account: Pick<AccountsTable, Folded>) {
  const { crm_key, email } = account
  return {
    crm_key_folded: foldKey(crm_key),
    email_folded: email === null || email === '' ? null : foldKey(email),
    first_name_lower: foldedText(account.first_name),
    last_name_lower: foldedText(account.last_name),
    company_lower: foldedText(account.company),
    email_lower: foldedText(email),
    phone_lower: foldedText(account.phone),
    crm_key_lower: foldedText(crm_key),
    crm_lower: foldedText(account.crm),
    channel_lower: foldedText(account.channel),
    division_lower: foldedText(account.division),
    tags_lower: foldedText(account.tags),
  }
}

type Folded =
  | 'channel'
  | 'company'
  | 'crm'
  | 'crm_key'
  | 'division'
  | 'email'
  | 'first_name'
  | 'last_name'
  | 'phone'
  | 'tags'

export async function insertAccount(db: Db | Tx, account: AccountRow): Promise<void> {
  await db
    .insertInto('accounts')
    .values({ ...account, ...foldedColumns(account) })
    .execute()
}

/** Throws a 404 ApiError for an unknown account. */
export async function getAccount(db: Db | Tx, instanceId: string, id: string): Promise<AccountRow> {
  const row = await findAccount(db, instanceId, id)
  if (!row) throw notFound('Account')
  return row
}

/** Throws INVALID_STATE for an archived account, which nothing new may name. */
export function requireInUse(account: Pick<AccountRow, 'id' | 'status'>): void {
  if (account.status !== 'ARCHIVED') return
  throw invalidState(`Account ${account.id} is archived; give it the status ACTIVE first`)
}

export async function findAccount(
  db: Db | Tx,
  instanceId: string,
  id: string,
): Promise<AccountRow | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .executeTakeFirst()
}

/**
 * Finds an account under a shared row lock, so that it is not anonymised before the transaction ends. Locked
 * before all other rows.
 */
export async function lockAccount(
  tx: Tx,
  instanceId: string,
  id: string,
): Promise<AccountRow | undefined> {
  return tx
    .selectFrom('accounts')
    .selectAll()
    .where('id', '=', id)
    .where('instance_id', '=', instanceId)
    .$call(withRowLock(tx, 'share'))
    .executeTakeFirst()
}

export function listAccounts(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<AccountRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('accounts').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

/** Returns false, without a write, when the account is no longer at `readVersion`. */
export async function updateAccount(
  db: Db,
  account: AccountRow,
  readVersion: number,
): Promise<boolean> {
  const { id, instance_id, ...content } = account
  const result = await db
    .updateTable('accounts')
    .set({ ...content, ...foldedColumns(account) })
    .where('id', '=', id)
    .where('instance_id', '=', instance_id)
    .where('v', '=', readVersion)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Gets the account with an id, or the most recently updated one with a `crm_key`, which is
 * case-sensitive. Throws a 404 ApiError.
 */
export const lookupAccount = lookup('Account', ACCOUNT_ID, findAccount, findAccountByCrmKey)

export async function findAccountByCrmKey(
  db: Db | Tx,
  instanceId: string,
  crmKey: string,
): Promise<AccountRow | undefined> {
  return db
    .selectFrom('accounts')
    .selectAll()
    .where('instance_id', '=', instanceId)
    .where('crm_key', '=', crmKey)
    .orderBy('updated', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Locks a `crm_key` and finds its account. A transaction that creates the missing account then cannot
 * race with another one for the same key.
 */
export async function lockAccountByCrmKey(
  tx: Tx,
  instanceId: string,
  crmKey: string,
): Promise<AccountRow | undefined> {
  await advisoryLock(tx, `account ${instanceId} ${crmKey}`)
  return findAccountByCrmKey(tx, instanceId, crmKey)
}

/** Sets the last transaction, and activates a PENDING account. Returns the updated row. */
export async function recordAccountTransaction(
  tx: Tx,
  id: string,
  transactionId: string,
  now: string,
): Promise<AccountRow> {
  return tx
    .updateTable('accounts')
    .set({
      status: sql`case when status = 'PENDING' then 'ACTIVE' else status end`,
      last_transacted: now,
      last_transaction_id: transactionId,
      updated: now,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}
