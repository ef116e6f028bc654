import type { SessionLink } from '../db/tables/payment-links.ts'
import type { CheckoutResult, CheckoutTerms } from '../../shared/page-model.ts'
import { amountText } from '../../shared/rules/currency.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { findContract } from '../contracts/store.ts'
import type { Db } from '../db/tables.ts'

type Recurring = NonNullable<PaymentLinkOptions['recurring']>

/** Returns how often the contract of a link charges, as the page shows it. */
export function serializeRhythm(recurring: Recurring): NonNullable<CheckoutTerms['recurring']> {
  const { frequency, interval, count, until, trial_days } = recurring
  return {
    frequency,
    interval: interval ?? 1,
    count: count ?? null,
    until: until ?? null,
    ...(trial_days != null && { trial_days }),
  }
}

/** Returns the contract that a payment or free trial began, as its receipt shows it; undefined for none. */
export async function findBegunContract(
  db: Db,
  link: SessionLink,
): Promise<CheckoutResult['recurring']> {
  if (link.contract_id === null) return undefined
  const contract = await findContract(db, link.instance_id, link.contract_id)
  if (!contract) return undefined
  const { amount, currency, anchor, trial_days } = contract
  // The receipt of a free trial stays as it was when it began.
  const next_due = trial_days === null ? contract.next_due : anchor
  return { ...serializeRhythm(contract), amount: amountText(amount, currency), next_due }
}
