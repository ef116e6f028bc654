import type { ContractRow } from '../db/rows.ts'
import type { ContractChange } from '../../shared/schemas/contract.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { expectVersion } from '../http/if-match.ts'
import { invalid, invalidState } from '../errors.ts'
import { lockPaymentMethod } from '../payment-methods/store.ts'
import { dueAfter } from './next-due.ts'
import { lockContract, lookupContract } from './store.ts'
import { updateContractAndRecord } from './update-contract.ts'

/** What becomes of a contract's charges; they stand to its right on the ladder. */
export interface ChargeVerbs {
  /** Cancels a contract and what is unpaid of it. */
  cancel: (tx: Tx, contractId: string, now: number, by: string) => Promise<void>
  /** Gives the unpaid charges the contract's present method. */
  replaceMethod: (tx: Tx, contract: ContractRow, at: { now: number; by: string }) => Promise<void>
}

/**
 * Changes the members of a contract that are named (contract sections 11 and 20). Resumed, it goes
 * on with the next due time that lies ahead: what fell due while it was paused is not charged. A
 * change that changes nothing leaves the version as it is. `by` is the caller's session.
 */
export async function changeContract(
  { db, now }: { db: Db; now: () => number },
  { instanceId, named }: { instanceId: string; named: string },
  { change, by, ifMatch }: { change: ContractChange; by: string; ifMatch: number | undefined },
  verbs: Pick<ChargeVerbs, 'replaceMethod'>,
): Promise<ContractRow> {
  return inTransaction(db, async (tx) => {
    const { id } = await lookupContract(tx, instanceId, named)
    const stored = await lockContract(tx, id)
    expectVersion('Contract', stored, ifMatch)
    const at = { now: now(), by }
    if (change.payment_method !== undefined)
      await checkMethod(tx, stored, change.payment_method, at.now)
    const changed = editContract(stored, change, at.now)
    if (Object.keys(changed).length === 0) return stored
    const written = await updateContractAndRecord(tx, stored, changed, at)
    if (changed.payment_method_id !== undefined) await verbs.replaceMethod(tx, written, at)
    return written
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
 * The columns that a change gives another value. Throws a 400 ApiError for what the state does not
 * allow: a cancelled contract does not change at all, and one that has ended does not go on.
 */
function editContract(
  stored: ContractRow,
  change: ContractChange,
  now: number,
): Partial<ContractRow> {
  const isNamed = Object.values(change).some((value) => value !== undefined)
  if (stored.status === 'CANCELLED' && isNamed) {
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
    ...(status === 'ACTIVE' && stored.status === 'PAUSED' ? resumed(stored, now) : {}),
  }
}

/** How a paused contract goes on; it ends when nothing lies ahead any more. */
function resumed(contract: ContractRow, now: number): Pick<ContractRow, 'status' | 'next_due'> {
  const { next_due, until } = contract
  const isAhead = next_due !== null && next_due > formatInstant(now)
  const next = isAhead ? next_due : dueAfter(contract, now)
  return next === undefined || (until !== null && next > until)
    ? { status: 'ENDED', next_due: null }
    : { status: 'ACTIVE', next_due: next }
}
