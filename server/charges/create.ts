import type { ChargeRow } from '../db/tables/charges.ts'
import type { ContractRow } from '../db/tables/contracts.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { altKeyColumns } from '../db/key-columns.ts'
import type { Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { outstandingE4 } from './serialize.ts'
import { insertCharge } from './store.ts'
import { recordChargeEvent } from './update-charge.ts'

export interface NewCharge {
  instanceId: string
  accountId: string | null
  contract?: ContractRow | undefined
  /** The number of this charge within the contract, from 1. */
  contractN?: number | undefined
  /** Minor units. */
  amount: number
  currency: string
  /** Date-time; null for a charge that is not collected. */
  due: string | null
  altKey: string | null
  description: string | null
  /** The stored method to collect input. */
  paymentMethodId: string | null
  /** The SCHEDULED payment that the first collection starts. */
  scheduledPaymentId?: string | null | undefined
  /** To whom it is owed; that of the contract if left out. */
  legalEntityId?: string | null | undefined
  /** The id of the creator's session. */
  by: string | null
  /** Epoch milliseconds. */
  now: number
}

/** Creates a charge. It is collected when due if it or its contract has a stored method. */
export async function createCharge(tx: Tx, input: NewCharge): Promise<ChargeRow> {
  const created = formatInstant(input.now)
  const methodId = input.paymentMethodId ?? input.contract?.payment_method_id ?? null
  const amounts = { amount: input.amount, paid_amount: 0, currency: input.currency }
  const row: ChargeRow = {
    id: newId('cg', input.now),
    instance_id: input.instanceId,
    ...altKeyColumns(input.altKey),
    account_id: input.accountId,
    contract_id: input.contract?.id ?? null,
    contract_n: input.contractN ?? null,
    payment_link_id: null,
    ...amounts,
    refunded_amount: 0,
    in_flight_amount: 0,
    cancelling: 0,
    outstanding_e4: outstandingE4(amounts),
    due: input.due,
    recurring: input.contract ? 1 : 0,
    status: 'ACTIVE',
    description: input.description,
    payment_method_id: methodId,
    scheduled_payment_id: input.scheduledPaymentId ?? null,
    last_payment_id: null,
    attempts: 0,
    next_attempt: methodId === null ? null : input.due,
    retry_advice: null,
    legal_entity_id: input.legalEntityId ?? input.contract?.legal_entity_id ?? null,
    created_session: input.by,
    updated_session: input.by,
    created,
    updated: created,
    v: 1,
  }
  await insertCharge(tx, row)
  await recordChargeEvent(tx, 'charge.created', row, input.now)
  return row
}
