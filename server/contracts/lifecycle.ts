import type { ContractRow } from '../db/rows.ts'
import type { Tx } from '../db/tables.ts'
import { lockContract } from './store.ts'
import { updateContractAndRecord } from './update-contract.ts'

/**
 * How a contract goes on. That it is cancelled concerns its charges too, so `cancelContract` is one
 * step to the right on the ladder, in `charges/cancel-contract.ts`.
 */

/**
 * Records that the first payment of a contract succeeded, with this stored method if there is one:
 * from now on the contract makes its charges by itself, those included that fell due meanwhile; what
 * has no method waits for one. A contract that was cancelled in the meantime stays so, and one that
 * its merchant gave another method keeps that.
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

/** Counts a charge of the contract as paid (1), or as not paid after all (-1). */
export async function countPaidCharge(
  tx: Tx,
  contract: ContractRow,
  { by, now }: { by: 1 | -1; now: number },
): Promise<void> {
  await updateContractAndRecord(tx, contract, { charges_paid: contract.charges_paid + by }, { now })
}
