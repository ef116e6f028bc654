import { createNextCharge } from '../charges/recurring-charges.ts'
import { createContract, type NewContract } from '../contracts/create.ts'
import type { Tx } from '../db/tables.ts'
import { invalid } from '../errors.ts'
import type { Part } from './parts.ts'

/** What a new payment is for: the ids that it names, and the charges to reserve. */
export interface Owed {
  ids: { charge_id?: string; contract_id?: string }
  parts: Part[]
}

/**
 * Creates a contract and its first charge, which the new payment is for. Throws a 400 ApiError when the
 * contract would end before it begins.
 */
export async function createContractCharge(
  tx: Tx,
  {
    scheduledPaymentId,
    ...input
  }: NewContract & {
    /** The SCHEDULED payment that the first collection starts. */
    scheduledPaymentId: string | null
  },
): Promise<Owed> {
  const { by, now, amount } = input
  const contract = await createContract(tx, input)
  const charge = await createNextCharge(tx, contract, { by, now, scheduledPaymentId })
  if (!charge) throw invalid('payment.recurring', 'ends before it begins')
  return {
    ids: { charge_id: charge.id, contract_id: contract.id },
    parts: [{ charge: charge.id, amount }],
  }
}
