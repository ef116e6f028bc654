import type { NewAccount } from '../../shared/schemas/account.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { accountColumns } from './columns.ts'
import { recordAccountEvent } from './events.ts'
import { type AccountRow, insertAccount } from './store.ts'

interface Context {
  /** A transaction of the caller, or the database. */
  db: Db
  now: () => number
}

/** Without a `crm_key`, the account's id becomes its key. */
export type AccountDetails = Omit<NewAccount, 'crm_key'> & { crm_key?: string | undefined }

/**
 * Creates an account and records `account.created`. Several accounts may have the same `crm_key`.
 * `by` is the id of the caller's actor session. The account of a payer on the payment page is PENDING
 * until its first successful transaction or its first update through the API.
 */
export async function createAccount(
  { db, now: clock }: Context,
  instanceId: string,
  details: AccountDetails,
  by: string,
  status: AccountRow['status'] = 'ACTIVE',
): Promise<AccountRow> {
  const now = clock()
  const id = newId('acc', now)
  const created = formatInstant(now)
  const { crm_key, ...members } = details
  const account: AccountRow = {
    id,
    instance_id: instanceId,
    crm_key: crm_key ?? id,
    ...EMPTY,
    ...accountColumns(EMPTY, members, 'account'),
    status,
    anonymised: null,
    erasing: null,
    last_transacted: null,
    last_transaction_id: null,
    created_session: by,
    updated_session: by,
    created,
    updated: created,
    v: 1,
  }
  await inTransaction(db, async (tx) => {
    await insertAccount(tx, account)
    await recordAccountEvent(tx, 'account.created', account, now)
  })
  return account
}

const EMPTY = {
  first_name: null,
  last_name: null,
  company: null,
  email: null,
  phone: null,
  address: null,
  metadata: '{}',
  tags: null,
  locale: null,
  timezone: null,
  channel: null,
  division: null,
  crm: null,
  mail_notices: 1,
}
