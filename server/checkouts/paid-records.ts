import type { LinkRow } from '../db/tables/payment-links.ts'
import type { Tx } from '../db/tables.ts'
import type { SettledAttempt } from '../deps.ts'
import { listParts } from '../payments/store.ts'

type PaidRecords = Pick<LinkRow, 'charge_id' | 'contract_id'>

/** Returns what a payment by link paid: its contract, and the first of its charges. */
export async function paidRecords(
  tx: Tx,
  { payment }: Pick<SettledAttempt, 'payment'>,
): Promise<PaidRecords> {
  const [first] = await listParts(tx, [payment.id])
  return { charge_id: first?.charge_id ?? null, contract_id: payment.contract_id }
}
