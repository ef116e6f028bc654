import { fromJson } from '../db/json.ts'
import type { ContractRow } from '../db/tables/contracts.ts'
import { amountText } from '../../shared/rules/currency.ts'
import type { ConsentRecord } from '../../shared/schemas/consent.ts'
import type { Contract } from '../../shared/schemas/contract.ts'

export function serializeContract(row: ContractRow): Contract {
  return {
    id: row.id,
    alt_key: row.alt_key,
    account: row.account_id,
    payment_method: row.payment_method_id,
    legal_entity: row.legal_entity_id,
    payment_link: row.payment_link_id,
    amount: amountText(row.amount, row.currency),
    currency: row.currency,
    description: row.description,
    recurring: {
      frequency: row.frequency,
      interval: row.interval,
      count: row.count,
      until: row.until,
      trial_days: row.trial_days,
    },
    consent: fromJson<ConsentRecord>(row.consent),
    timezone: row.timezone,
    next_due: row.next_due,
    status: row.status,
    charges_total: row.charges_total,
    charges_paid: row.charges_paid,
    created_session: row.created_session,
    updated_session: row.updated_session,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
