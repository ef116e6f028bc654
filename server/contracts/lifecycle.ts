import type { ContractRow } from '../db/rows.ts'
import type { Tx } from '../db/tables.ts'
import { lockContract } from './store.ts'
import { updateContractAndRecord } from './update-contract.ts'

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
