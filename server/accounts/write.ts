import { isDeepStrictEqual } from 'node:util'
import type { AccountChange, NewAccount } from '../../shared/schemas/account.ts'
import { OUTSIDE, liesIn } from '../../shared/schemas/common.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { fromJson, toJson } from '../db/json.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { expectVersion } from '../http/if-match.ts'
import { invalid } from '../errors.ts'
import { newId } from '../ids.ts'
import {
  serializeAccount,
  type AccountRow,
  insertAccount,
  updateAccount,
  lookupAccount,
} from './store.ts'

/** What writing an account needs. With a transaction as `db`, the writing is part of it. */
interface Needs {
  db: Db
  /** Epoch milliseconds. */
  now: () => number
}

/** The details of a new account. Without a `crm_key` its own id serves as one. */
export type AccountDetails = Omit<NewAccount, 'crm_key'> & { crm_key?: string | undefined }

type Address = Record<string, string>

/**
 * Makes an account and records `account.created` (specification: `POST /accounts`). It is not an
 * upsert: several accounts may share a `crm_key`, and each call makes one. `by` is the session of
 * whoever makes it.
 */
export function createAccount(
  needs: Needs,
  instanceId: string,
  details: AccountDetails,
  by: string,
): Promise<AccountRow> {
  return storeAccount(needs, instanceId, { details, by, status: 'ACTIVE' })
}

/**
 * Makes the account of somebody who pays on a page: it stays PENDING until it transacts, or until
 * its merchant changes it (contract sections 7.4 and 12).
 */
export function createPayerAccount(
  needs: Needs,
  instanceId: string,
  details: AccountDetails,
  by: string,
): Promise<AccountRow> {
  return storeAccount(needs, instanceId, { details, by, status: 'PENDING' })
}

async function storeAccount(
  { db, now }: Needs,
  instanceId: string,
  { details, by, status }: { details: AccountDetails; by: string; status: AccountRow['status'] },
): Promise<AccountRow> {
  const at = now()
  const id = newId('acc', at)
  const created = formatInstant(at)
  const { crm_key, ...members } = details
  const account: AccountRow = {
    id,
    instance_id: instanceId,
    crm_key: crm_key ?? id,
    ...EMPTY,
    ...columns(EMPTY, members, 'account'),
    status,
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
    await recordAccount(tx, 'account.created', account, at)
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
}

/**
 * Changes the members that are named, and records `account.updated` when that changes anything
 * (specification: `PUT /accounts/{account_id}`): null clears, `address` is merged member by member,
 * `metadata` is replaced whole. An account that a payer's page made becomes an active one, because
 * its merchant now knows it (contract section 12). `named` is an id or a `crm_key`, and `by` the
 * session of whoever asks. Throws a 404 ApiError for an unknown account, and a CONFLICT one for another
 * version than `ifMatch`, where that is given.
 */
export async function changeAccount(
  { db, now }: Needs,
  instanceId: string,
  named: string,
  {
    change,
    by,
    ifMatch,
    path = 'account',
  }: {
    change: AccountChange
    by: string
    ifMatch?: number | undefined
    /** Where the members stand in the request, for what is wrong with one. */
    path?: string
  },
): Promise<AccountRow> {
  return inTransaction(db, async (tx) => {
    // Each statement sees what was committed before it, so a retry reads the other request's change.
    return retryOnConflict('Account', async () => {
      const stored = await lookupAccount(tx, instanceId, named)
      expectVersion('Account', stored, ifMatch)
      const wanted: AccountRow = {
        ...stored,
        ...columns(stored, change, path),
        status: stored.status === 'PENDING' ? 'ACTIVE' : stored.status,
      }
      if (isDeepStrictEqual(wanted, stored)) return stored
      const at = now()
      const next = {
        ...wanted,
        updated_session: by,
        updated: formatInstant(at),
        v: stored.v + 1,
      }
      if (!(await updateAccount(tx, next, stored.v))) return undefined
      await recordAccount(tx, 'account.updated', next, at)
      return next
    })
  })
}

async function recordAccount(
  tx: Tx,
  type: EventType,
  account: AccountRow,
  now: number,
): Promise<void> {
  const data = { account: serializeAccount(account) }
  await recordEvent(tx, { instanceId: account.instance_id, type, data, now })
}

function columns(
  stored: Pick<AccountRow, 'address' | 'metadata'>,
  { address, metadata, ...same }: AccountChange,
  path: string,
): Partial<AccountRow> {
  const named = Object.entries(same).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(named),
    ...(address === undefined ? {} : { address: mergeAddress(stored.address, address, path) }),
    ...(metadata === undefined ? {} : { metadata: metadataText(stored.metadata, metadata ?? {}) }),
  }
}

/** The stored text where it says the same, since another order of the names is no change. */
function metadataText(stored: string, wanted: Record<string, string>): string {
  return isDeepStrictEqual(JSON.parse(stored), wanted) ? stored : JSON.stringify(wanted)
}

function mergeAddress(
  stored: string | null,
  change: AccountChange['address'],
  path: string,
): string | null {
  if (change == null) return null
  const merged = new Map(Object.entries(fromJson<Address>(stored) ?? {}))
  for (const [line, value] of Object.entries(change)) {
    if (value === null) merged.delete(line)
    else if (value !== undefined) merged.set(line, value)
  }
  const isPlaceNamed = change.line6 != null || change.country != null
  if (isPlaceNamed && !liesIn(merged.get('line6'), merged.get('country'))) {
    throw invalid(`${path}.address.line6`, OUTSIDE)
  }
  return toJson(merged.size === 0 ? null : Object.fromEntries(merged))
}
