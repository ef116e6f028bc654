import type { ChargeRow } from '../db/tables/charges.ts'
import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import type { Charge } from '../../shared/schemas/charge.ts'

export function serializeCharge(row: ChargeRow): Charge {
  const text = (minor: number) => amountText(minor, row.currency)
  return {
    id: row.id,
    alt_key: row.alt_key,
    account: row.account_id,
    contract: row.contract_id,
    legal_entity: row.legal_entity_id,
    payment_link: row.payment_link_id,
    amount: text(row.amount),
    currency: row.currency,
    paid_amount: text(row.paid_amount),
    refunded_amount: text(row.refunded_amount),
    outstanding_amount: text(outstanding(row)),
    due: row.due,
    recurring: row.recurring === 1 ? 'Y' : 'N',
    status: row.status,
    description: row.description,
    payment_method: row.payment_method_id,
    last_payment: row.last_payment_id,
    attempts: row.attempts,
    next_attempt: row.next_attempt,
    retry_advice: row.retry_advice,
    created_session: row.created_session,
    updated_session: row.updated_session,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}

/** Returns minor units. A refunded amount is not owed again. */
export function outstanding(row: Pick<ChargeRow, 'amount' | 'paid_amount'>): number {
  return row.amount - row.paid_amount
}

/** Returns ten-thousandths of a major unit, which criteria can compare across currencies. */
export function outstandingE4(row: Pick<ChargeRow, 'amount' | 'paid_amount' | 'currency'>): number {
  const finer = 10 ** (4 - (currencyDigits(row.currency) ?? 2))
  return Math.min(outstanding(row) * finer, Number.MAX_SAFE_INTEGER)
}
