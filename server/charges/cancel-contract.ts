import type { ContractRow } from '../db/tables/contracts.ts'
import { lockContract } from '../contracts/store.ts'
import { updateContractAndRecord } from '../contracts/update-contract.ts'
import type { Tx } from '../db/tables.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { nextRetry } from './collection-schedule.ts'
import { lockCharge, listChargesOfContract, updateCharge } from './store.ts'
import { updateChargeAndRecord } from './update-charge.ts'

/**
 * Cancels a contract and its active charges. A charge with a payment in progress is canceled once
 * that payment fails. A contract that has ended stays ENDED, and its charges stay due. `by` is the
 * merchant's session; null when the first payment was declined.
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
 * Gives the unpaid charges of a contract the contract's payment method, so that a replaced card is not
 * charged again. A charge that is due later is collected then; an overdue charge keeps its schedule,
 * because a new card is no reason to charge at once. One that was not to be collected from the former
 * method is retried as after any decline.
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
    const isStopped = charge.retry_advice !== null && charge.in_flight_amount === 0
    const next_attempt = isAhead ? charge.due : isStopped ? nextRetry(charge, now) : undefined
    const schedule = next_attempt !== undefined && status === 'ACTIVE' ? { next_attempt } : {}
    const change = { payment_method_id, retry_advice: null, ...schedule }
    await updateChargeAndRecord(tx, { charge, contract: undefined }, change, { now, by })
  }
}
