import { type Selectable, sql } from 'kysely'
import { foldKey } from '../../shared/rules/fold-key.ts'
import type { Account } from '../../shared/schemas/account.ts'
import { foldedText } from '../db/fold-text.ts'
import { fromJson } from '../db/json.ts'
import type { AccountsTable, Db, Tx } from '../db/tables.ts'
import { advisoryLock } from '../db/named-locks.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import { notFound } from '../errors.ts'
import type { ListTurn } from '../deps.ts'
import { ACCOUNT_ID } from '../../shared/rules/ids.ts'
import { lookup } from '../db/lookup.ts'

/** Without the columns that serve lists alone, which every write fills in here. */
export type AccountRow = Omit<Selectable<AccountsTable>, keyof ReturnType<typeof foldedColumns>>

/** The columns by which lists find and compare an account, from what it says. */
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

/** An account of this instance as the API shows it; 404 otherwise. */
export async function getAccount(db: Db | Tx, instanceId: string, id: string): Promise<Account> {
  const row = await findAccount(db, instanceId, id)
  if (!row) throw notFound('Account')
  return serializeAccount(row)
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

/** One page of an instance's accounts, and how many match in all. */
export function listAccounts(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<AccountRow>> {
  return readPage(turn, list, (db) =>
    db.selectFrom('accounts').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

/** Writes a changed account if nobody changed it since it was read; false otherwise. */
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

async function findAccountByCrmKey(
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
 * The same, for a transaction that makes the account when there is none: whoever looks for the same
 * key at the same time waits for it, so that one account comes of a new key and not several.
 */
export async function lockAccountByCrmKey(
  tx: Tx,
  instanceId: string,
  crmKey: string,
): Promise<AccountRow | undefined> {
  await advisoryLock(tx, `account ${instanceId} ${crmKey}`)
  return findAccountByCrmKey(tx, instanceId, crmKey)
}

/**
 * Notes that the account paid, and answers it as it is then: its first success makes a payer's
 * account an active one.
 */
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

/** The account as the API shows it (contract section 12). */
export function serializeAccount(row: AccountRow): Account {
  return {
    id: row.id,
    crm_key: row.crm_key,
    first_name: row.first_name,
    last_name: row.last_name,
    company: row.company,
    email: row.email,
    phone: row.phone,
    address: fromJson<Account['address']>(row.address),
    metadata: fromJson<Account['metadata']>(row.metadata) ?? {},
    tags: row.tags,
    locale: row.locale,
    timezone: row.timezone,
    channel: row.channel,
    division: row.division,
    crm: row.crm,
    status: row.status,
    last_transacted: row.last_transacted,
    last_transaction: row.last_transaction_id,
    created_session: row.created_session,
    updated_session: row.updated_session,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
