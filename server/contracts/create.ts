import type { ContractRow, ContractsTable } from '../db/tables/contracts.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { ConsentRecord } from '../../shared/schemas/consent.ts'
import { toJson } from '../db/json.ts'
import { altKeyColumns } from '../db/key-columns.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { invalid } from '../errors.ts'
import { newId } from '../ids.ts'
import { countableZone } from './next-due.ts'
import { serializeContract } from './serialize.ts'
import { insertContract } from './store.ts'

export interface NewContract {
  instanceId: string
  accountId: string
  /** A stored method of the account; null when the first payment saves one. */
  paymentMethodId: string | null
  /** The link by which a payer begins the contract. */
  paymentLinkId?: string | null | undefined
  /** Of each charge, in minor units. */
  amount: number
  currency: string
  description: string | null
  /** Copied to every charge. */
  altKey: string | null
  recurring: {
    frequency: ContractsTable['frequency']
    /** Number of days, weeks, months or years between charges; 1 when left out. */
    interval?: number | null | undefined
    /** Number of charges. */
    count?: number | null | undefined
    /** Date-time after which nothing falls due. */
    until?: string | null | undefined
    /** Days of the free period before the first charge, which the payer has begun without a payment. */
    trial_days?: number | null | undefined
  }
  /** When the first charge is due. */
  anchor: string
  timezone: string
  /** To whom its charges belong. */
  legalEntityId?: string | null | undefined
  /** Of the payer of a link. */
  consent?: ConsentRecord | null | undefined
  /** The id of the creator's session. */
  by: string | null
  /** Epoch milliseconds. */
  now: number
}

/**
 * Creates a contract without charges; `createNextCharge` creates the first one. The contract charges
 * by itself once `startContract` has recorded its first payment, or at once when it starts in the
 * future with a stored method. Throws a 400 ApiError when it would end before it begins; only the
 * free period of a payer, who has agreed to both, may last until the end.
 */
export async function createContract(tx: Tx, input: NewContract): Promise<ContractRow> {
  const anchor = toStoredInstant(input.anchor)
  const until = input.recurring.until == null ? null : toStoredInstant(input.recurring.until)
  const { trial_days = null } = input.recurring
  const isOver = until !== null && until < anchor
  if (isOver && trial_days === null) {
    throw invalid('payment.recurring.until', 'must not be before the first payment is due')
  }
  const created = formatInstant(input.now)
  const row: ContractRow = {
    id: newId('co', input.now),
    instance_id: input.instanceId,
    ...altKeyColumns(input.altKey),
    account_id: input.accountId,
    payment_method_id: input.paymentMethodId,
    payment_link_id: input.paymentLinkId ?? null,
    amount: input.amount,
    currency: input.currency,
    description: input.description,
    frequency: input.recurring.frequency,
    interval: input.recurring.interval ?? 1,
    count: input.recurring.count ?? null,
    until,
    trial_days,
    anchor,
    timezone: countableZone(input.timezone),
    next_due: isOver ? null : anchor,
    status: isOver ? 'ENDED' : 'ACTIVE',
    started: input.paymentMethodId !== null && (trial_days !== null || anchor > created) ? 1 : 0,
    charges_total: 0,
    charges_paid: 0,
    legal_entity_id: input.legalEntityId ?? null,
    consent: toJson(input.consent ?? null),
    created_session: input.by,
    updated_session: input.by,
    created,
    updated: created,
    v: 1,
  }
  await insertContract(tx, row)
  const event = { type: 'contract.created', data: { contract: serializeContract(row) } } as const
  await recordEvent(tx, { instanceId: input.instanceId, ...event, now: input.now })
  return row
}

/** Stored times are compared as text, so they share one format. */
function toStoredInstant(instant: string): string {
  return formatInstant(Date.parse(instant))
}
