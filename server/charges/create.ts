import type { ChargeRow, ContractRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { keyColumns } from '../db/key-columns.ts'
import type { Tx } from '../db/tables.ts'
import { newId } from '../ids.ts'
import { outstandingE4 } from './serialize.ts'
import { insertCharge } from './store.ts'
import { recordChargeEvent } from './update-charge.ts'

export interface NewCharge {
  instanceId: string
  accountId: string | null
  /** Whose charge it is, and which of them, from 1. */
  contract?: ContractRow | undefined
  contractN?: number | undefined
  /** Minor units. */
  amount: number
  currency: string
  /** In the stored form of times; null for a charge that nobody collects. */
  due: string | null
  altKey: string | null
  description: string | null
  /** The stored method that it is to be collected from. */
  paymentMethodId: string | null
  /** The payment that was announced, and that the first collection makes real. */
  scheduledPaymentId?: string | null | undefined
  /** Session of whoever makes it. */
  by: string | null
  /** Epoch milliseconds. */
  now: number
}

/**
 * Makes a charge (contract section 11). The server collects it when it is due, provided that there
 * is a stored method to collect it from: its own, or its contract's.
 */
export async function createCharge(tx: Tx, from: NewCharge): Promise<ChargeRow> {
  const created = formatInstant(from.now)
  const methodId = from.paymentMethodId ?? from.contract?.payment_method_id ?? null
  const amounts = { amount: from.amount, paid_amount: 0, currency: from.currency }
  const row: ChargeRow = {
    id: newId('cg', from.now),
    instance_id: from.instanceId,
    ...keyColumns(from.altKey),
    account_id: from.accountId,
    contract_id: from.contract?.id ?? null,
    contract_n: from.contractN ?? null,
    payment_link_id: null,
    ...amounts,
    refunded_amount: 0,
    in_flight_amount: 0,
    cancelling: 0,
    outstanding_e4: outstandingE4(amounts),
    due: from.due,
    recurring: from.contract ? 1 : 0,
    status: 'ACTIVE',
    description: from.description,
    payment_method_id: methodId,
    scheduled_payment_id: from.scheduledPaymentId ?? null,
    last_payment_id: null,
    attempts: 0,
    next_attempt: methodId === null ? null : from.due,
    created_session: from.by,
    updated_session: from.by,
    created,
    updated: created,
    v: 1,
  }
  await insertCharge(tx, row)
  await recordChargeEvent(tx, 'charge.created', row, from.now)
  return row
}
