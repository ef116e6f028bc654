import type { ContractRow } from '../db/tables/contracts.ts'
import type { ContractChange } from '../../shared/schemas/contract.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { expectVersion } from '../http/if-match.ts'
import { invalid, invalidState } from '../errors.ts'
import { lockPaymentMethod } from '../payment-methods/store.ts'
import { nextDueTime } from './next-due.ts'
import { lockContract, lookupContract } from './store.ts'
import { updateContractAndRecord } from './update-contract.ts'

/** Operations on a contract's charges, passed in because contracts must not import charges. */
export interface ContractCharges {
  /** Cancels a contract and its unpaid charges. */
  cancel: (tx: Tx, contractId: string, now: number, by: string) => Promise<void>
  /** Gives the unpaid charges the contract's method. */
  replaceMethod: (tx: Tx, contract: ContractRow, at: { now: number; by: string }) => Promise<void>
}

/**
 * Changes the members of a contract that the request contains. A resumed contract continues with the
 * next due time in the future: nothing is charged for the pause. A request that changes nothing keeps
 * the version. `by` is the id of the caller's session.
 */
export async function changeContract(
  { db, now }: { db: Db; now: () => number },
  { instanceId, idOrKey }: { instanceId: string; idOrKey: string },
  { change, by, ifMatch }: { change: ContractChange; by: string; ifMatch: number | undefined },
  charges: Pick<ContractCharges, 'replaceMethod'>,
): Promise<ContractRow> {
  return inTransaction(db, async (tx) => {
    const { id } = await lookupContract(tx, instanceId, idOrKey)
    const stored = await lockContract(tx, id)
    expectVersion('Contract', stored, ifMatch)
    const at = { now: now(), by }
    if (change.payment_method !== undefined)
      await checkMethod(tx, stored, change.payment_method, at.now)
    const changed = editContract(stored, change, at.now)
    if (Object.keys(changed).length === 0) return stored
    const updated = await updateContractAndRecord(tx, stored, changed, at)
    if (changed.payment_method_id !== undefined) await charges.replaceMethod(tx, updated, at)
    return updated
  })
}

async function checkMethod(tx: Tx, contract: ContractRow, id: string, now: number): Promise<void> {
  const method = await lockPaymentMethod(tx, contract.instance_id, id, now)
  const isStored = method !== undefined && method.status_at !== 'REMOVED' && method.reusable === 1
  if (!isStored || method.account_id !== contract.account_id) {
    throw invalid('contract.payment_method', 'must be a stored method of the same account')
  }
  if (method.status_at === 'EXPIRED' && id !== contract.payment_method_id) {
    throw invalid('contract.payment_method', 'has expired')
  }
}

/**
 * Returns the columns that a change gives another value. Throws INVALID_STATE for any change of a
 * canceled contract, and for another status of one that has ended.
 */
function editContract(
  stored: ContractRow,
  change: ContractChange,
  now: number,
): Partial<ContractRow> {
  const hasMembers = Object.values(change).some((value) => value !== undefined)
  if (stored.status === 'CANCELLED' && hasMembers) {
    throw invalidState('Contract is cancelled and cannot change')
  }
  if (stored.status === 'ENDED' && change.status !== undefined) {
    throw invalidState('Contract has ended; its status cannot change')
  }
  const { status, payment_method, description } = change
  return {
    ...(description === undefined || description === stored.description ? {} : { description }),
    ...(payment_method === undefined || payment_method === stored.payment_method_id
      ? {}
      : { payment_method_id: payment_method }),
    ...(status === undefined || status === stored.status ? {} : { status }),
    ...(status === 'ACTIVE' && stored.status === 'PAUSED' ? resumedColumns(stored, now) : {}),
  }
}

/** Ends a contract that has no due time left. */
function resumedColumns(
  contract: ContractRow,
  now: number,
): Pick<ContractRow, 'status' | 'next_due'> {
  const { next_due, until } = contract
  const isAhead = next_due !== null && next_due > formatInstant(now)
  const next = isAhead ? next_due : nextDueTime(contract, now)
  return next === undefined || (until !== null && next > until)
    ? { status: 'ENDED', next_due: null }
    : { status: 'ACTIVE', next_due: next }
}
