import type { FiledTotalsTable } from '../db/tables/insights.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import type { RefundRow } from '../db/tables/refunds.ts'
import type { ReversalRow } from '../db/tables/reversals.ts'

/** Totals are kept by quarters of an hour of UTC, at which the days of every zone begin. */
export const QUARTER_MS = 900_000

export const TOTAL_KINDS = [
  'payment',
  'authorization',
  'capture',
  'decline',
  'refund',
  'reversal',
] as const

export type TotalKind = (typeof TOTAL_KINDS)[number]

/** What a record adds to the totals. */
export type FiledTotal = FiledTotalsTable & { kind: TotalKind }

interface Counted {
  id: string
  instance_id: string
  amount: number
  currency: string
  created: string
}

/**
 * Returns what a payment or capture adds to the totals, by the time of its outcome (D273); undefined
 * without an outcome, and for a declined capture, which its payer does not notice.
 */
export function totalOfPayment(
  row: Counted & Pick<PaymentRow, 'type' | 'status' | 'processed'>,
): FiledTotal | undefined {
  const at = row.processed ?? row.created
  if (row.status === 'DECLINE') return row.type === 'CAPTURE' ? undefined : cell(row, 'decline', at)
  if (row.status !== 'SUCCESS') return undefined
  const kind = { PAYMENT: 'payment', AUTH: 'authorization', CAPTURE: 'capture' } as const
  return cell(row, kind[row.type], at)
}

/** Returns what a refund adds: nothing when its money came back. */
export function totalOfRefund(
  row: Counted & Pick<RefundRow, 'status' | 'failed_later' | 'processed'>,
): FiledTotal | undefined {
  if (row.status !== 'SUCCESS' || row.failed_later === 1) return undefined
  return cell(row, 'refund', row.processed ?? row.created)
}

/** Returns what a dispute, a returned debit or a refund at the processor adds while its money is gone. */
export function totalOfReversal(
  row: Counted & Pick<ReversalRow, 'type' | 'status'>,
): FiledTotal | undefined {
  const takesMoney = ['DISPUTE', 'RETURN', 'EXTERNAL_REFUND'].includes(row.type)
  return takesMoney && row.status !== 'WON' ? cell(row, 'reversal', row.created) : undefined
}

function cell(row: Counted, kind: TotalKind, at: string): FiledTotal {
  return {
    record_id: row.id,
    instance_id: row.instance_id,
    slot: Math.floor(Date.parse(at) / QUARTER_MS),
    currency: row.currency,
    kind,
    amount: row.amount,
  }
}
