import type { ContractRow } from '../db/rows.ts'
import { lockContract } from '../contracts/store.ts'
import { updateContractAndRecord } from '../contracts/update-contract.ts'
import type { Tx } from '../db/tables.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { lockCharge, listChargesOfContract, updateCharge } from './store.ts'
import { updateChargeAndRecord } from './update-charge.ts'

/** What becomes of the charges when something becomes of their contract (contract section 11). */

/**
 * Cancels a contract: because its first payment was declined, or because its merchant says so, whose
 * session `by` then is. It makes no further charges, and those that nobody is paying right now are
 * cancelled; one that is being paid is, once it is known that it was not. A contract that has run
 * its course stays ENDED, and what is owed from it stays owed.
 */
export async function cancelContract(
  tx: Tx,
  contractId: string,
  now: number,
  by: string | null = null,
): Promise<void> {
  const contract = await lockContract(tx, contractId)
  const hasEnded = contract.status === 'ENDED' && contract.started === 1
  if (contract.status === 'CANCELLED' || hasEnded) return
  await updateContractAndRecord(tx, contract, { status: 'CANCELLED', next_due: null }, { now, by })
  for (const { id, status } of await listChargesOfContract(tx, contractId)) {
    if (status !== 'ACTIVE') continue
    const charge = await lockCharge(tx, id)
    if (charge.in_flight_amount > 0) {
      await updateCharge(tx, id, { cancelling: 1 })
    } else {
      const change = { status: 'CANCELLED', next_attempt: null } as const
      await updateChargeAndRecord(tx, { charge, contract: undefined }, change, { now, by })
    }
  }
}

/**
 * Gives the unpaid charges of a contract the method that the contract now has, so that a card that
 * was replaced is not asked again. One that falls due later is collected then; one that is overdue
 * keeps its plan, since a new card alone is no reason to take money at once.
 */
export async function replaceMethod(
  tx: Tx,
  contract: ContractRow,
  { now, by }: { now: number; by: string },
): Promise<void> {
  const { payment_method_id } = contract
  for (const { id, status } of await listChargesOfContract(tx, contract.id)) {
    if (status !== 'ACTIVE' && status !== 'WRITTENOFF') continue
    const charge = await lockCharge(tx, id)
    if (charge.payment_method_id === payment_method_id) continue
    const isAhead = charge.due !== null && charge.due > formatInstant(now)
    const plan = isAhead && status === 'ACTIVE' ? { next_attempt: charge.due } : {}
    const change = { payment_method_id, ...plan }
    await updateChargeAndRecord(tx, { charge, contract: undefined }, change, { now, by })
  }
}
