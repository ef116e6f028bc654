import type { Tx } from '../db/tables.ts'
import type { SettledAttempt } from '../deps.ts'
import { listParts } from '../payments/store.ts'
import type { LinkRelations } from './settle-link.ts'

/** Returns what a payment by link made and paid: its contract, and the first of its charges. */
export async function paidRecords(
  tx: Tx,
  { attempt, payment }: Pick<SettledAttempt, 'attempt' | 'payment'>,
): Promise<LinkRelations> {
  const [first] = await listParts(tx, [payment.id])
  return {
    account_id: payment.account_id,
    charge_id: first?.charge_id ?? null,
    contract_id: payment.contract_id,
    payment_id: payment.id,
    transaction_id: attempt.transaction_id,
    payment_method_id: payment.payment_method_id,
  }
}
