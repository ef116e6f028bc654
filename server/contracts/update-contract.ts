import type { ContractRow } from '../db/tables/contracts.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializeContract } from './serialize.ts'
import { lockContract, updateContract } from './store.ts'

/**
 * Writes the next version of a locked contract and records the event. Without `by`, the id of the
 * caller's session, `updated_session` stays. `now` is epoch milliseconds. Returns the row as it is now.
 */
export async function updateContractAndRecord(
  tx: Tx,
  before: ContractRow,
  change: Partial<ContractRow>,
  at: { now: number; by?: string | null },
): Promise<ContractRow> {
  const written = {
    ...change,
    ...(at.by == null ? {} : { updated_session: at.by }),
    updated: formatInstant(at.now),
    v: before.v + 1,
  }
  await updateContract(tx, before.id, written)
  const after = { ...before, ...written }
  await recordContractChange(tx, before.status, after, at.now)
  return after
}

/** Records `contract.ended` when the status changed to ENDED or CANCELLED, else `contract.updated`. */
export async function recordContractChange(
  tx: Tx,
  before: ContractRow['status'],
  after: ContractRow,
  now: number,
): Promise<void> {
  const ended = after.status === 'ENDED' || after.status === 'CANCELLED'
  await recordEvent(tx, {
    instanceId: after.instance_id,
    type: ended && after.status !== before ? 'contract.ended' : 'contract.updated',
    data: { contract: serializeContract(after) },
    now,
  })
}

/**
 * Records the success of a contract's first payment. From then on the contract creates its charges by
 * itself, including those that are due already. `paymentMethodId` becomes the contract's method unless
 * the merchant has set one. A canceled contract stays canceled.
 */
export async function startContract(
  tx: Tx,
  contractId: string,
  { paymentMethodId, now }: { paymentMethodId: string | null; now: number },
): Promise<void> {
  const contract = await lockContract(tx, contractId)
  if (contract.status === 'CANCELLED' || contract.started === 1) return
  const payment_method_id = contract.payment_method_id ?? paymentMethodId
  await updateContractAndRecord(tx, contract, { started: 1, payment_method_id }, { now })
}

/** Counts a charge as paid (1) or as no longer paid (-1). */
export async function countPaidCharge(
  tx: Tx,
  contract: ContractRow,
  { by, now }: { by: 1 | -1; now: number },
): Promise<void> {
  await updateContractAndRecord(tx, contract, { charges_paid: contract.charges_paid + by }, { now })
}
