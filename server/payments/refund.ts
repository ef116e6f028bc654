import { sql, type Updateable } from 'kysely'
import type { AttemptRow, Instance, PaymentRow, RefundRow } from '../db/rows.ts'
import { amountText } from '../../shared/rules/currency.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { RefundRequest } from '../../shared/schemas/payment-request.ts'
import { refundAllocation } from '../charges/allocations.ts'
import { lockCharges } from '../charges/update-charge.ts'
import { foldedText } from '../db/fold-text.ts'
import { inTransaction } from '../db/transaction.ts'
import type { RefundsTable, Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { ApiError, invalid, invalidState } from '../errors.ts'
import { newId, newReference } from '../ids.ts'
import type { Processor } from '../processors/port.ts'
import { callProcessor, callFrom } from './call-processor.ts'
import { type Call, insertAttempt, newAttempt } from './attempts.ts'
import { capabilitiesOf } from './capabilities.ts'
import { lookupRefundedPayment } from './lookup.ts'
import { requireProcessor, requireGatewayReference } from './operation-target.ts'
import { parseAmountMember } from './parse-request.ts'
import { gatewayColumns } from './outcome.ts'
import { refundableAmount } from './serialize.ts'
import { settledFirst } from './sync-status.ts'
import { parseRefundParts, releaseRefundParts, reserveRefundParts } from './refund-parts.ts'
import { getRefund, insertRefund, partsOf, type RefundParts, serializeRefund } from './refunds.ts'
import { newTransaction } from './new-rows.ts'
import { chargesOf } from './operation.ts'
import {
  getPaymentRow,
  insertTransaction,
  listParts,
  replacePayment,
  returnAmount,
} from './store.ts'
import type { PaymentInput } from './create-payment.ts'
import type { SettleContext } from './settle-payment.ts'

const RACES_MAX = 20

/**
 * Gives money back, or records that it was given back elsewhere (specification: Payments, rule 2;
 * contract section 10.5). The amount is taken out of what can be refunded before the processor is
 * asked, so refunds at the same time can never give back more than was paid. Answers the refund.
 *
 * Throws 404 `Payment not found` for what is neither payment nor capture, DUPLICATE for a key that
 * could mean two, INVALID_STATE when too little is left, and NOT_SUPPORTED for what the processor
 * cannot do.
 */
export async function refundPayment(
  deps: Deps,
  instance: Instance,
  named: string,
  request: RefundRequest,
  asked: PaymentInput,
): Promise<RefundRow> {
  const found = await lookupRefundedPayment(deps.db, instance.id, named, deps.now())
  const payment = await settledFirst(deps, found)
  const processor = request.offline ? undefined : await requireProcessor(deps, payment)
  const begun = await inTransaction(deps.db, (tx) =>
    reserve(deps, tx, { payment, processor, request, asked }),
  )
  if (begun.call && processor) {
    const { refund } = begun
    const { attempt, reference } = begun.call
    deps.failpoint('refund-stored')
    const answer = await callProcessor(deps, attempt.id, () =>
      processor.refund({
        operation: attempt.id,
        reference,
        amount: refund.amount,
        currency: refund.currency,
      }),
    )
    deps.failpoint('refund-answered')
    await deps.settle(attempt.id, answer)
    deps.failpoint('refund-settled')
  }
  return getRefund(deps.db, instance.id, begun.refund.id)
}

interface Begun {
  refund: RefundRow
  /** What to ask the processor; undefined for a refund that people do by hand. */
  call?: { attempt: AttemptRow; reference: string }
}

interface Wanted {
  payment: PaymentRow
  /** Undefined for a refund that is only recorded. */
  processor: Processor | undefined
  request: RefundRequest
  asked: PaymentInput
}

/** The first transaction: the amount is taken out of what is left, and the refund is stored. */
async function reserve(deps: Deps, tx: Tx, wanted: Wanted): Promise<Begun> {
  const { request, processor } = wanted
  const id = newId('ref', deps.now())
  // Before anything is judged: for a repeat, what the first request did is no reason to refuse.
  await wanted.asked.claim(tx, id)
  for (let race = 0; race < RACES_MAX; race += 1) {
    const now = deps.now()
    const payment = await getPaymentRow(tx, wanted.payment.instance_id, wanted.payment.id)
    const amount = amountToRefund(payment, processor, request)
    const parts = parseRefundParts(
      await listParts(tx, [payment.id]),
      payment,
      amount,
      request.parts,
    )
    const change = {
      refunded_amount: payment.refunded_amount + amount,
      updated: formatInstant(now),
    }
    if (!(await replacePayment(tx, payment, change))) continue
    await reserveRefundParts(tx, payment.id, parts)
    const refund = newRefund(id, { ...wanted, payment, amount, parts, now })
    return storeRefund(tx, refund, payment, { processor, call: callFrom(deps, now) })
  }
  throw new ApiError('CONFLICT', 'Payment is being changed by others; send the request again')
}

/** Minor units to give back; throws the 400 ApiError of section 10.5 that says why none can be. */
function amountToRefund(
  payment: PaymentRow,
  processor: Processor | undefined,
  request: RefundRequest,
): number {
  if (request.currency != null && request.currency !== payment.currency) {
    throw invalid('refund.currency', `must be ${payment.currency}, as paid`)
  }
  if (payment.status !== 'SUCCESS') {
    throw invalidState(`Payment is ${payment.status}, and only a successful one can be refunded`)
  }
  const left = refundableAmount(payment)
  const { disputed_amount: disputed, currency } = payment
  const because =
    disputed > 0 ? `: ${amountText(disputed, currency)} ${currency} of it is disputed` : ''
  if (left === 0) throw invalidState(`Payment has nothing left to refund${because}`)
  const amount =
    request.amount == null
      ? left
      : parseAmountMember('refund.amount', request.amount, payment.currency)
  if (amount > left) {
    const most = `${amountText(left, payment.currency)} ${payment.currency}`
    throw invalidState(`refund.amount must be at most what is left to refund (${most})${because}`)
  }
  // What people do by hand is not bound by what the processor can do.
  if (!processor) return amount
  const capabilities = capabilitiesOf(processor, payment)
  if (!capabilities.refund) return amount
  if (!capabilities.multiple_refunds && payment.refunded_amount > 0) {
    throw new ApiError('NOT_SUPPORTED', `${processor.name} refunds a payment once`)
  }
  if (!capabilities.partial_refund && amount < payment.amount) {
    throw new ApiError('NOT_SUPPORTED', `${processor.name} refunds the whole amount only`)
  }
  return amount
}

function newRefund(
  id: string,
  from: Wanted & { amount: number; parts: RefundParts; now: number },
): RefundRow {
  const { payment, request, amount, parts, now } = from
  const created = formatInstant(now)
  const reference = request.reference ?? newReference()
  const offline = request.offline === true
  const byHand = offline || !from.processor || !capabilitiesOf(from.processor, payment).refund
  return {
    id,
    instance_id: payment.instance_id,
    payment_id: payment.authorisation_id ?? payment.id,
    refunded_id: payment.id,
    amount,
    currency: payment.currency,
    reason: request.reason ?? null,
    reason_lower: foldedText(request.reason),
    reference,
    reference_lower: foldedText(reference),
    source_transaction_id: payment.transaction_id,
    transaction_id: null,
    status: offline ? 'SUCCESS' : 'PENDING',
    gateway_status: byHand ? 'MANUAL' : null,
    gateway_message: null,
    gateway_reference: null,
    manual: byHand ? 1 : 0,
    offline: offline ? 1 : 0,
    account_id: payment.account_id,
    parts: JSON.stringify(parts),
    processed: offline ? created : null,
    created,
    updated: created,
    v: 1,
  }
}

async function storeRefund(
  tx: Tx,
  refund: RefundRow,
  payment: PaymentRow,
  as: { processor: Processor | undefined; call: Call },
): Promise<Begun> {
  const { processor, call } = as
  const { now } = call
  if (refund.manual === 1 || !processor) {
    await insertNew(tx, refund)
    if (refund.status === 'SUCCESS') await refundCharges(tx, refund, now)
    await tell(tx, refund, now)
    return { refund }
  }
  const { id: refundId, amount } = refund
  const transaction = newTransaction(
    { type: 'REFUND', payment_id: refundId, processor: processor.name, amount },
    payment,
    now,
  )
  const stored = { ...refund, transaction_id: transaction.id }
  await insertTransaction(tx, transaction)
  await insertNew(tx, stored)
  const attempt = newAttempt(
    {
      instance_id: refund.instance_id,
      kind: 'REFUND',
      payment_id: payment.id,
      transaction_id: transaction.id,
      refund_id: refundId,
      processor: processor.name,
    },
    call,
  )
  await insertAttempt(tx, attempt)
  return { refund: stored, call: { attempt, reference: requireGatewayReference(payment) } }
}

async function insertNew(tx: Tx, refund: RefundRow): Promise<void> {
  if (await insertRefund(tx, refund)) return
  throw invalid('refund.reference', 'is taken by another refund')
}

/** Records what became of a refund; one that failed gives its amount back to the payment. */
export async function settleRefund(tx: Tx, settling: SettleContext): Promise<PaymentRow> {
  const { attempt, payment, answer, outcome } = settling
  const status: RefundRow['status'] =
    answer.status === 'DECLINED' && answer.code === 'INVALID_METHOD'
      ? 'INVALID_PAYMENT_METHOD'
      : STATUS[outcome.transaction]
  const change = { status, ...gatewayColumns(outcome) }
  await moveRefund(tx, attempt.refund_id as string, change, {
    final: outcome.final,
    now: settling.now,
  })
  return payment
}

const STATUS = {
  SUCCESS: 'SUCCESS',
  DECLINE: 'DECLINED',
  PENDING: 'PENDING',
  UNRESOLVED: 'UNRESOLVED',
} as const

const EVENTS: Record<RefundRow['status'], EventType> = {
  SUCCESS: 'refund.success',
  PENDING: 'refund.pending',
  UNRESOLVED: 'refund.unresolved',
  DECLINED: 'refund.declined',
  INVALID_PAYMENT_METHOD: 'refund.declined',
  UNATTRIBUTED: 'refund.success',
}

/** Moves a refund to its next state, with the money and the charges that hang on it. */
async function moveRefund(
  tx: Tx,
  id: string,
  change: Updateable<RefundsTable>,
  as: { final: boolean; now: number },
): Promise<RefundRow> {
  const now = formatInstant(as.now)
  const refund = await tx
    .updateTable('refunds')
    .set({
      ...change,
      processed: as.final ? now : null,
      updated: now,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  if (refund.status === 'SUCCESS') await refundCharges(tx, refund, as.now)
  else if (as.final) {
    const { amount } = refund
    // The payment before its parts, as whoever reserves takes them.
    await returnAmount(tx, refund.refunded_id, { sum: 'refunded_amount', amount }, now)
    await releaseRefundParts(tx, refund.refunded_id, partsOf(refund))
  }
  await tell(tx, refund, as.now)
  return refund
}

async function refundCharges(tx: Tx, refund: RefundRow, now: number): Promise<void> {
  const parts = partsOf(refund)
  await lockCharges(tx, refund.instance_id, chargesOf(parts))
  for (const part of parts) {
    await refundAllocation(tx, {
      instanceId: refund.instance_id,
      chargeId: part.charge,
      amount: part.amount,
      now,
    })
  }
}

function tell(tx: Tx, refund: RefundRow, now: number): Promise<void> {
  return recordEvent(tx, {
    instanceId: refund.instance_id,
    type: EVENTS[refund.status],
    data: { refund: serializeRefund(refund) },
    now,
  })
}

/**
 * Records what came of a refund that people do by hand, because its processor has no way to
 * (contract section 10.5). INVALID_STATE for any other refund: what a processor does, it tells.
 */
export async function decideRefund(
  deps: Deps,
  instance: Instance,
  id: string,
  status: 'SUCCESS' | 'DECLINED',
): Promise<RefundRow> {
  await getRefund(deps.db, instance.id, id)
  return inTransaction(deps.db, async (tx) => {
    const held = await tx
      .updateTable('refunds')
      .set({ updated: formatInstant(deps.now()) })
      .where('id', '=', id)
      .where('instance_id', '=', instance.id)
      .where('manual', '=', 1)
      .where('status', '=', 'PENDING')
      .returning('id')
      .executeTakeFirst()
    if (!held) {
      // It is read after it could not be held: only then has whoever was first written theirs.
      const refund = await getRefund(tx, instance.id, id)
      if (refund.status === status && refund.manual === 1) return refund
      throw invalidState('Refund is not one that waits for being done by hand')
    }
    return moveRefund(tx, id, { status }, { final: true, now: deps.now() })
  })
}
