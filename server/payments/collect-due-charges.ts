import { formatInstant } from '../../shared/rules/time.ts'
import {
  reserveForCollection,
  listDueCharges,
  lockCollectionMethod,
  postponeCollection,
  skipCollection,
} from '../charges/collection-schedule.ts'
import { lockCharge } from '../charges/store.ts'
import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import type { ChargeRow } from '../db/tables/charges.ts'
import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { findLegalEntity } from '../legal-entities/store.ts'
import type { PaymentMethodWithStatus } from '../payment-methods/store.ts'
import type { Processor, ProcessorResponse } from '../processors/port.ts'
import { insertAttempt } from './attempts.ts'
import { newCall } from './call-processor.ts'
import { cancelScheduled } from './cancel-scheduled.ts'
import { newPayment } from './new-rows.ts'
import { runOperation } from './operation.ts'
import { storedMethodCharge } from './payment-method.ts'
import { syncScheduledPayment } from './schedule-payment.ts'
import { type AttemptInput, newOperation, storeOperation } from './store-operation.ts'
import {
  findPaymentRow,
  getPaymentRow,
  insertTransaction,
  updatePaymentIfUnchanged,
} from './store.ts'
import { operationPayer } from './operation-payer.ts'

/** Charges that one process collects at a time. */
const BATCH = 20

/**
 * Collects due charges from stored payment methods. With `moved`, only those of the instance with
 * that id, whose test clock was moved. Several processes may run this at once: one statement reserves
 * each charge for one of them. Returns the number of collections started.
 */
export async function collectDue(deps: Deps, moved?: string): Promise<number> {
  const due = await listDueCharges(deps.db, formatInstant(deps.now()), BATCH, moved)
  const started = await Promise.all(due.map((charge) => collectOrPostpone(deps, charge)))
  await cancelScheduled(deps, moved)
  return started.filter(Boolean).length
}

async function collectOrPostpone(deps: Deps, charge: ChargeRow): Promise<boolean> {
  try {
    return await collect(deps, charge)
  } catch (error) {
    deps.log.error({ err: error, charge: charge.id }, 'charge was not collected')
    await postpone(deps, charge)
    return false
  }
}

/** A failing charge that stayed at the head of the list would block the others. */
async function postpone(deps: Deps, charge: ChargeRow): Promise<void> {
  try {
    await inTransaction(deps.db, (tx) => postponeCollection(tx, charge, deps.now()))
  } catch (error) {
    deps.log.error({ err: error, charge: charge.id }, 'charge was not postponed')
  }
}

/** Returns true when a collection was started, whatever its outcome. */
async function collect(deps: Deps, charge: ChargeRow): Promise<boolean> {
  const { stored } = await runOperation(deps, {
    name: 'collection',
    store: () => inTransaction(deps.db, (tx) => storeCollection(deps, tx, charge)),
    call: async (collection, signal) => {
      const { status_at: status } = collection.method
      return status === 'ACTIVE'
        ? chargeStoredMethod(deps, charge, collection, signal)
        : UNUSABLE[status]
    },
  })
  return stored.attempt !== undefined
}

/**
 * Declines of methods that cannot be charged, so that no processor is called. Such a decline is
 * retried like any other: by then the card may be renewed, or the contract have another method.
 */
const UNUSABLE: Record<'EXPIRED' | 'REMOVED', ProcessorResponse> = {
  EXPIRED: {
    status: 'DECLINED',
    reference: null,
    code: 'EXPIRED_CARD',
    message: 'The card has expired.',
  },
  REMOVED: {
    status: 'DECLINED',
    reference: null,
    code: 'INVALID_METHOD',
    message: 'The payment method was removed.',
  },
}

async function chargeStoredMethod(
  deps: Deps,
  { currency }: ChargeRow,
  { attempt, amount, method, processor }: Collection,
  signal: AbortSignal,
): Promise<ProcessorResponse> {
  const payment = await getPaymentRow(deps.db, attempt.instance_id, attempt.payment_id)
  return processor.pay({
    ...(await operationPayer(deps, payment, { processor, save: false })),
    operation: attempt.id,
    merchant: attempt.instance_id,
    amount,
    currency,
    method: storedMethodCharge(method),
    store: false,
    return_url: '',
    signal,
  })
}

interface Collection {
  attempt: AttemptRow
  amount: number
  method: PaymentMethodWithStatus
  processor: Processor
}

type NotCollected = { attempt?: undefined }

/** Reserves the charge and stores its payment, unless it is no longer to be collected. */
async function storeCollection(
  deps: Deps,
  tx: Tx,
  charge: ChargeRow,
): Promise<Collection | NotCollected> {
  const now = deps.now()
  // The lock comes first, so that a method which was just replaced is not charged.
  const method = await lockCollectionMethod(tx, await lockCharge(tx, charge.id), now)
  if (!method) {
    await syncScheduledPayment(tx, await skipCollection(tx, charge, now), now)
    return {}
  }
  const processor = await deps.processors.get(method, tx)
  if (!processor) {
    // Not a decline: once the operator configures the processor, the charge is collected.
    deps.log.error({ charge: charge.id, processor: method.processor }, 'processor is missing')
    await postponeCollection(tx, charge, now)
    return {}
  }
  const locked = await reserveForCollection(tx, charge, now)
  if (!locked) return {}
  const amount = locked.in_flight_amount
  const input: AttemptInput = {
    ...newCall(deps, now),
    kind: 'PAY',
    processor: method.processor,
    method_type: method.type,
    saved_method_id: method.id,
  }
  const attempt =
    (await startScheduledPayment(tx, locked, method, input)) ??
    (await storeOperation(
      tx,
      newCollectionPayment(locked, method, await findEntityVersion(tx, locked), now),
      [{ charge: locked.id, amount }],
      input,
    ))
  return { attempt, amount, method, processor }
}

/**
 * Starts the payment that is scheduled for the charge, with the amount, method and due time that the
 * charge has now. Returns undefined when no payment is scheduled.
 */
async function startScheduledPayment(
  tx: Tx,
  charge: ChargeRow,
  method: PaymentMethodRow,
  input: AttemptInput,
): Promise<AttemptRow | undefined> {
  const { instance_id, scheduled_payment_id: id, in_flight_amount: amount } = charge
  const scheduled = id === null ? undefined : await findPaymentRow(tx, instance_id, id)
  if (scheduled?.status !== 'SCHEDULED') return undefined
  const change = { amount, payment_method_id: method.id, due: charge.due }
  const { transaction, attempt } = newOperation({ ...scheduled, ...change }, input)
  const started = await updatePaymentIfUnchanged(tx, scheduled, {
    ...change,
    status: 'PENDING',
    transaction_id: transaction.id,
    updated: formatInstant(input.now),
  })
  if (!started) return undefined
  await tx
    .updateTable('payment_parts')
    .set({ amount })
    .where('payment_id', '=', scheduled.id)
    .where('charge_id', '=', charge.id)
    .execute()
  await insertTransaction(tx, transaction)
  await insertAttempt(tx, attempt)
  return attempt
}

/** Returns what the receipt shows of the charge's legal entity: the entity as it is now. */
async function findEntityVersion(tx: Tx, charge: ChargeRow): Promise<string | null> {
  const { instance_id, legal_entity_id: id } = charge
  const entity = id === null ? undefined : await findLegalEntity(tx, instance_id, id)
  return entity?.version ?? null
}

/** For a charge without a scheduled payment, or whose scheduled payment failed. */
function newCollectionPayment(
  charge: ChargeRow,
  method: PaymentMethodRow,
  entityVersion: string | null,
  now: number,
): PaymentRow {
  return newPayment(
    {
      instance_id: charge.instance_id,
      type: 'PAYMENT',
      amount: charge.in_flight_amount,
      currency: charge.currency,
      alt_key: charge.alt_key,
      description: charge.description,
      source: charge.recurring === 1 ? 'RECURRING' : 'ECOMMERCE',
      account_id: charge.account_id ?? method.account_id,
      contract_id: charge.contract_id,
      charge_id: charge.id,
      payment_method_id: method.id,
      legal_entity_id: charge.legal_entity_id,
      legal_entity_version: entityVersion,
    },
    now,
  )
}
