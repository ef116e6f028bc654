import type { ContractRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { keyColumns } from '../db/key-columns.ts'
import type { ContractsTable, Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { invalid } from '../errors.ts'
import { newId } from '../ids.ts'
import { countableZone } from './next-due.ts'
import { serializeContract } from './serialize.ts'
import { insertContract } from './store.ts'

export interface NewContract {
  instanceId: string
  accountId: string
  /** A stored method of that account; null when the first payment is to store one. */
  paymentMethodId: string | null
  /** Of each charge, in minor units. */
  amount: number
  currency: string
  description: string | null
  /** Every charge of the contract carries it too. */
  altKey: string | null
  recurring: {
    frequency: ContractsTable['frequency']
    /** Days, weeks, months or years from one charge to the next; 1 when left out. */
    interval?: number | null | undefined
    /** How many charges there will be. */
    count?: number | null | undefined
    /** Nothing falls due after it. */
    until?: string | null | undefined
  }
  /** When the first charge is due. */
  anchor: string
  timezone: string
  /** Session of whoever makes it. */
  by: string | null
  /** Epoch milliseconds. */
  now: number
}

/**
 * Makes a contract (contract sections 10.1 and 11). It has no charge yet: `nextChargeOfContract`
 * makes the first one. By itself it goes on only once its first payment succeeded, which
 * `startContract` says; one that begins later, with a stored method, needs no such word. Throws a
 * 400 ApiError when it would end before it begins.
 */
export async function createContract(tx: Tx, from: NewContract): Promise<ContractRow> {
  const anchor = storedForm(from.anchor)
  const until = from.recurring.until == null ? null : storedForm(from.recurring.until)
  if (until !== null && until < anchor) {
    throw invalid('payment.recurring.until', 'must not be before the first payment is due')
  }
  const created = formatInstant(from.now)
  const row: ContractRow = {
    id: newId('co', from.now),
    instance_id: from.instanceId,
    ...keyColumns(from.altKey),
    account_id: from.accountId,
    payment_method_id: from.paymentMethodId,
    payment_link_id: null,
    amount: from.amount,
    currency: from.currency,
    description: from.description,
    frequency: from.recurring.frequency,
    interval: from.recurring.interval ?? 1,
    count: from.recurring.count ?? null,
    until,
    anchor,
    timezone: countableZone(from.timezone),
    next_due: anchor,
    status: 'ACTIVE',
    started: from.paymentMethodId !== null && anchor > created ? 1 : 0,
    charges_total: 0,
    charges_paid: 0,
    created_session: from.by,
    updated_session: from.by,
    created,
    updated: created,
    v: 1,
  }
  await insertContract(tx, row)
  const event = { type: 'contract.created', data: { contract: serializeContract(row) } } as const
  await recordEvent(tx, { instanceId: from.instanceId, ...event, now: from.now })
  return row
}

/** Times are compared as text, so all have the one form. */
function storedForm(instant: string): string {
  return formatInstant(Date.parse(instant))
}
