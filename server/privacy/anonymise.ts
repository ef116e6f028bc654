import type { Account } from '../../shared/schemas/account.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { recordAccountEvent } from '../accounts/events.ts'
import { serializeAccount } from '../accounts/serialize.ts'
import { type AccountRow, lookupAccount, updateAccount } from '../accounts/store.ts'
import { requireMethodUnused } from '../charges/method-in-use.ts'
import { inTransaction } from '../db/transaction.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { invalidState } from '../errors.ts'
import { forgetRecipient } from '../mail/forget-recipient.ts'
import { removePaymentMethod } from '../payment-methods/remove.ts'
import { eraseTraces } from './erase-traces.ts'
import { removeFromLinks } from './links.ts'

/**
 * Removes for good what identifies the customer of an account: from the account, and from what was
 * stored of its payments. Amounts, ids and times stay. Its methods are removed, here and at their
 * processors, and the links that name it are archived. Records `account.anonymised`. A second call
 * finishes what an interrupted one left, and changes nothing otherwise. Throws a 404 ApiError, and
 * INVALID_STATE while the account still has to pay or a payment of it has no outcome.
 */
export async function anonymiseAccount(
  deps: Deps,
  instanceId: string,
  idOrKey: string,
  by: string,
): Promise<Account> {
  const request = { instanceId, idOrKey, by }
  const account = await inTransaction(deps.db, (tx) =>
    retryOnConflict('Account', () => anonymiseOnce({ ...deps, db: tx }, tx, request)),
  )
  if (account.erasing !== null) await eraseTraces(deps, account)
  return serializeAccount(account)
}

async function anonymiseOnce(
  deps: Deps,
  tx: Tx,
  { instanceId, idOrKey, by }: { instanceId: string; idOrKey: string; by: string },
): Promise<AccountRow | undefined> {
  const stored = await lookupAccount(tx, instanceId, idOrKey)
  if (stored.anonymised !== null) return stored
  const now = deps.now()
  const at = formatInstant(now)
  const account: AccountRow = {
    ...stored,
    ...NOBODY,
    crm_key: stored.id,
    status: 'ARCHIVED',
    anonymised: at,
    erasing: '[]',
    updated_session: by,
    updated: at,
    v: stored.v + 1,
  }
  // The row is written first, so that a payment which begins meanwhile waits or is seen.
  if (!(await updateAccount(tx, account, stored.v))) return undefined
  await requireNothingOpen(tx, stored)
  await removeMethods(deps, tx, stored)
  await forgetRecipient(tx, stored)
  const erasing = JSON.stringify(await removeFromLinks(deps, tx, stored, by))
  await tx.updateTable('accounts').set({ erasing }).where('id', '=', stored.id).execute()
  await recordAccountEvent(tx, 'account.anonymised', account, now)
  return { ...account, erasing }
}

/** `channel`, `division` and `crm` describe the merchant's business and stay. */
const NOBODY = {
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
  mail_notices: 0,
}

async function requireNothingOpen(tx: Tx, { id, instance_id }: AccountRow): Promise<void> {
  const contract = await tx
    .selectFrom('contracts')
    .select('id')
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
    .where('status', 'in', ['ACTIVE', 'PAUSED'])
    .limit(1)
    .executeTakeFirst()
  if (contract) throw invalidState(`Account pays contract ${contract.id}; cancel it first`)
  const payment = await tx
    .selectFrom('payments')
    .select(['id', 'status'])
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
    .where('status', 'in', ['PENDING', 'UNRESOLVED', 'SCHEDULED'])
    .limit(1)
    .executeTakeFirst()
  if (payment) {
    throw invalidState(
      `Payment ${payment.id} of the account is ${payment.status}; wait for its end`,
    )
  }
  const setup = await tx
    .selectFrom('method_setups')
    .select('id')
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
    .where('state', '<>', 'DONE')
    .limit(1)
    .executeTakeFirst()
  if (setup) throw invalidState('A payment method of the account is being saved; wait for its end')
}

async function removeMethods(deps: Deps, tx: Tx, { id, instance_id }: AccountRow): Promise<void> {
  const methods = await tx
    .selectFrom('payment_methods')
    .select('id')
    .where('instance_id', '=', instance_id)
    .where('account_id', '=', id)
    .where('status', '<>', 'REMOVED')
    .execute()
  for (const method of methods) {
    await removePaymentMethod(deps, instance_id, method.id, requireMethodUnused)
  }
}
