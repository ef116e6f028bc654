import { isDeepStrictEqual } from 'node:util'
import type { AccountChange, NewAccount } from '../../shared/schemas/account.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { fromJson, toJson } from '../db/json.ts'
import type { Db } from '../db/tables.ts'
import { Refusal } from '../http/refusal.ts'
import { newId } from '../ids.ts'
import { accountOfPath } from './find.ts'
import { insertAccount, updateAccount } from './store.ts'
import type { AccountRow } from './store.ts'

interface Needs {
  db: Db
  now: () => number
}

type Address = Record<string, string>

/**
 * Makes an account (specification: `POST /accounts`). It is not an upsert: several accounts may
 * share a `crm_key`, and each call makes one.
 */
export async function createAccount(
  { db, now }: Needs,
  instanceId: string,
  given: NewAccount,
): Promise<AccountRow> {
  const id = newId('acc', now())
  const created = formatInstant(now())
  const { crm_key, ...members } = given
  const account: AccountRow = {
    id,
    instance_id: instanceId,
    crm_key,
    ...EMPTY,
    ...columns(EMPTY, members),
    status: 'ACTIVE',
    last_transacted: null,
    last_transaction_id: null,
    created_session: null,
    updated_session: null,
    created,
    updated: created,
    v: 1,
  }
  await insertAccount(db, account)
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
}

const RACES_MAX = 20

/**
 * Changes the members that are named (specification: `PUT /accounts/{account_id}`): null clears,
 * `address` is merged member by member, `metadata` is replaced whole. An account that a payer's
 * page made becomes an active one, because its merchant now knows it (contract section 12).
 */
export async function changeAccount(
  { db, now }: Needs,
  instanceId: string,
  named: string,
  change: AccountChange,
): Promise<AccountRow> {
  for (let race = 0; race < RACES_MAX; race += 1) {
    const stored = await accountOfPath(db, instanceId, named)
    const wanted: AccountRow = {
      ...stored,
      ...columns(stored, change),
      status: stored.status === 'PENDING' ? 'ACTIVE' : stored.status,
    }
    if (isDeepStrictEqual(wanted, stored)) return stored
    const next = { ...wanted, updated: formatInstant(now()), v: stored.v + 1 }
    if (await updateAccount(db, next, stored.v)) return next
  }
  throw new Refusal('CONFLICT', 'Account is being changed by others; send the request again')
}

function columns(
  stored: Pick<AccountRow, 'address'>,
  { address, metadata, ...same }: AccountChange,
): Partial<AccountRow> {
  const named = Object.entries(same).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(named),
    ...(address === undefined ? {} : { address: mergeAddress(stored.address, address) }),
    ...(metadata === undefined ? {} : { metadata: JSON.stringify(metadata ?? {}) }),
  }
}

function mergeAddress(stored: string | null, change: AccountChange['address']): string | null {
  if (change == null) return null
  const merged = new Map(Object.entries(fromJson<Address>(stored) ?? {}))
  for (const [line, value] of Object.entries(change)) {
    if (value === null) merged.delete(line)
    else if (value !== undefined) merged.set(line, value)
  }
  return toJson(merged.size === 0 ? null : Object.fromEntries(merged))
}
