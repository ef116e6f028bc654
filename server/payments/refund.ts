import { amountText } from '../../shared/rules/currency.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { RefundRequest } from '../../shared/schemas/payment-request.ts'
import { parseMinorUnits } from '../amount.ts'
import { foldedText } from '../db/fold-text.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { RefundRow } from '../db/tables/refunds.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalid, invalidState } from '../errors.ts'
import { newId, newReference } from '../ids.ts'
import type { Processor } from '../processors/port.ts'
import { auditOperation } from './audit-operation.ts'
import { insertAttempt, type ProcessorCall } from './attempts.ts'
import { newCall } from './call-processor.ts'
import { paymentCapabilities } from './capabilities.ts'
import type { Caller } from './create-payment.ts'
import { lookupRefundablePayment } from './lookup.ts'
import { requireGatewayReference, requireProcessor, runOperation } from './operation.ts'
import type { Part } from './parts.ts'
import { parseRefundParts, reserveRefundParts } from './refund-parts.ts'
import { getRefund, insertRefund } from './refunds.ts'
import { isTaken, refundableAmount, refundedAmount } from './serialize.ts'
import { newOperation } from './store-operation.ts'
import { getPaymentRow, insertTransaction, listParts, updatePaymentIfUnchanged } from './store.ts'
import { syncPayment } from './sync-status.ts'
import { recordRefundEvent, refundCharges } from './update-refund.ts'

/**
 * Refunds a payment or capture, or records a refund that was made offline. Returns the refund. The
 * amount counts as refunded before the processor is called, so concurrent refunds never exceed the
 * payment.
 *
 * Throws 404 `Payment not found` for what is neither payment nor capture, DUPLICATE for an ambiguous
 * `alt_key`, INVALID_STATE when too little is left, and NOT_SUPPORTED for what the processor cannot
 * do.
 */
export async function refundPayment(
  deps: Deps,
  instance: Pick<Instance, 'id'>,
  idOrKey: string,
  request: RefundRequest,
  caller: RefundCaller,
): Promise<RefundRow> {
  const found = await lookupRefundablePayment(deps.db, instance.id, idOrKey, deps.now())
  const payment = await syncPayment(deps, found)
  const processor = request.offline ? undefined : await requireProcessor(deps, payment)
  const { stored } = await runOperation(deps, {
    name: 'refund',
    store: () =>
      inTransaction(deps.db, (tx) =>
        storeRefund(deps, tx, { payment, processor, request, caller }),
      ),
    call: ({ attempt, refund: { amount, currency }, reference, refundedBy }, signal) =>
      refundedBy.refund({ operation: attempt.id, reference, amount, currency, signal }),
  })
  return getRefund(deps.db, instance.id, stored.refund.id)
}

export interface RefundCaller extends Pick<Caller, 'reserveKey'>, Partial<Pick<Caller, 'by'>> {
  /** Throws when the caller may not refund these minor units, or not without a fresh proof of who they are. */
  requireAllowed?: (amount: number, currency: string) => void
}

type StoredRefund =
  | { refund: RefundRow; attempt: AttemptRow; refundedBy: Processor; reference: string }
  /** A manual or offline refund, which is not sent to a processor. */
  | { refund: RefundRow; attempt?: undefined }

interface RefundInput {
  payment: PaymentRow
  /** Undefined for an offline refund. */
  processor: Processor | undefined
  request: RefundRequest
}

async function storeRefund(
  deps: Deps,
  tx: Tx,
  input: RefundInput & { caller: RefundCaller },
): Promise<StoredRefund> {
  const { request, processor } = input
  const id = newId('ref', deps.now())
  // First, so that a repeated request returns its record instead of an error about the first one.
  await input.caller.reserveKey(tx, id)
  return retryOnConflict('Payment', async () => {
    const now = deps.now()
    const payment = await getPaymentRow(tx, input.payment.instance_id, input.payment.id)
    const amount = amountToRefund(payment, processor, request)
    input.caller.requireAllowed?.(amount, payment.currency)
    // A payment that was declined has paid no charge, also when its money arrived later.
    const paid = payment.status === 'SUCCESS' ? await listParts(tx, [payment.id]) : []
    const parts = parseRefundParts(paid, payment, amount, request.parts)
    const change = {
      refunded_amount: payment.refunded_amount + amount,
      updated: formatInstant(now),
    }
    if (!(await updatePaymentIfUnchanged(tx, payment, change))) return undefined
    await reserveRefundParts(tx, payment.id, parts)
    await auditOperation(deps, tx, {
      action: 'payment.refunded',
      by: input.caller.by,
      instanceId: payment.instance_id,
      id,
      payment: payment.id,
      amount,
      currency: payment.currency,
    })
    const refund = newRefund(id, { ...input, payment, amount, parts, now })
    return refund.manual === 1 || !processor
      ? insertManualRefund(deps, tx, refund, now)
      : insertRefundWithAttempt(tx, { refund, payment, processor }, newCall(deps, now))
  })
}

/** Returns minor units. Throws a 400 ApiError when that amount cannot be refunded. */
function amountToRefund(
  payment: PaymentRow,
  processor: Processor | undefined,
  request: RefundRequest,
): number {
  if (request.currency != null && request.currency !== payment.currency) {
    throw invalid('refund.currency', `must be ${payment.currency}, as paid`)
  }
  if (!isTaken(payment)) {
    throw invalidState(`Payment is ${payment.status}; only a successful payment can be refunded`)
  }
  const left = refundableAmount(payment)
  const { disputed_amount: disputed, currency } = payment
  const reason = disputed > 0 ? `: ${amountText(disputed, currency)} ${currency} is disputed` : ''
  if (left === 0) throw invalidState(`Payment has nothing left to refund${reason}`)
  const amount =
    request.amount == null
      ? left
      : parseMinorUnits('refund.amount', request.amount, payment.currency)
  if (amount > left) {
    const most = `${amountText(left, payment.currency)} ${payment.currency}`
    throw invalidState(`refund.amount must be at most the refundable amount (${most})${reason}`)
  }
  // A manual refund is not limited by the processor.
  if (!processor) return amount
  const capabilities = paymentCapabilities(processor, payment)
  if (!capabilities.refund) return amount
  if (!capabilities.multiple_refunds && refundedAmount(payment) > 0) {
    throw new ApiError('NOT_SUPPORTED', `${processor.name} refunds a payment once`)
  }
  if (!capabilities.partial_refund && amount < payment.amount) {
    throw new ApiError('NOT_SUPPORTED', `${processor.name} refunds the whole amount only`)
  }
  return amount
}

function newRefund(
  id: string,
  input: RefundInput & { amount: number; parts: Part[]; now: number },
): RefundRow {
  const { payment, processor, request, amount, parts, now } = input
  const created = formatInstant(now)
  const reference = request.reference ?? newReference()
  const offline = request.offline === true
  const manual = offline || !processor || !paymentCapabilities(processor, payment).refund
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
    gateway_status: manual ? 'MANUAL' : null,
    gateway_message: null,
    gateway_reference: null,
    manual: manual ? 1 : 0,
    offline: offline ? 1 : 0,
    failed_later: 0,
    account_id: payment.account_id,
    legal_entity_id: payment.legal_entity_id,
    parts: JSON.stringify(parts),
    processed: offline ? created : null,
    created,
    updated: created,
    v: 1,
  }
}

async function insertManualRefund(
  deps: Deps,
  tx: Tx,
  refund: RefundRow,
  now: number,
): Promise<StoredRefund> {
  await insertNewRefund(tx, refund)
  if (refund.status === 'SUCCESS') {
    await refundCharges(tx, refund, now)
    await deps.onRefunded(deps, tx, refund)
  }
  await recordRefundEvent(tx, refund, now)
  return { refund }
}

async function insertRefundWithAttempt(
  tx: Tx,
  input: { refund: RefundRow; payment: PaymentRow; processor: Processor },
  call: ProcessorCall,
): Promise<StoredRefund> {
  const { payment, processor } = input
  const { id, amount } = input.refund
  const { transaction, attempt } = newOperation(
    { ...payment, type: 'REFUND', id, amount },
    {
      ...call,
      kind: 'REFUND',
      payment_id: payment.id,
      refund_id: id,
      processor: processor.id,
    },
  )
  const refund = { ...input.refund, transaction_id: transaction.id }
  await insertTransaction(tx, transaction)
  await insertNewRefund(tx, refund)
  await insertAttempt(tx, attempt)
  return { refund, attempt, refundedBy: processor, reference: requireGatewayReference(payment) }
}

async function insertNewRefund(tx: Tx, refund: RefundRow): Promise<void> {
  if (await insertRefund(tx, refund)) return
  throw invalid('refund.reference', 'is taken by another refund')
}
