import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import type { Instance } from '../db/tables/instances.ts'
import { amountText } from '../../shared/rules/currency.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { CaptureRequest } from '../../shared/schemas/payment-request.ts'
import { parseMinorUnits } from '../amount.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalid, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Capabilities, Processor } from '../processors/port.ts'
import { auditOperation } from './audit-operation.ts'
import { newCall } from './call-processor.ts'
import { paymentCapabilities } from './capabilities.ts'
import type { Caller } from './create-payment.ts'
import { lookupAuthorization } from './lookup.ts'
import { newPayment } from './new-rows.ts'
import { requireGatewayReference, requireProcessor, runOperation } from './operation.ts'
import { openAmount } from './serialize.ts'
import { storeOperation } from './store-operation.ts'
import { getPaymentRow, updatePaymentIfUnchanged } from './store.ts'
import { syncPayment } from './sync-status.ts'
import { voidRemainder } from './void-remainder.ts'

/**
 * Captures an amount of an authorization and returns the capture. The amount counts as captured
 * before the processor is called, so concurrent captures never exceed the authorization.
 *
 * Throws 404 `Payment not found` for anything but an authorization, INVALID_STATE when it has nothing
 * open, and NOT_SUPPORTED for a partial capture that the processor cannot do.
 */
export async function capturePayment(
  deps: Deps,
  instance: Instance,
  idOrKey: string,
  request: CaptureRequest,
  caller: Caller,
): Promise<PaymentRow> {
  const found = await lookupAuthorization(deps.db, instance.id, idOrKey, deps.now())
  const authorization = await syncPayment(deps, found)
  const processor = await requireProcessor(deps, authorization)
  const { stored, settled } = await runOperation(deps, {
    name: 'capture',
    store: () =>
      inTransaction(deps.db, (tx) =>
        storeCapture(deps, tx, { authorization, processor, request, caller }),
      ),
    call: ({ attempt, capture, reference }, signal) =>
      processor.capture({
        operation: attempt.id,
        reference,
        amount: capture.amount,
        currency: capture.currency,
        signal,
      }),
  })
  if (settled) await voidRemainder(deps, settled.attempt)
  return getPaymentRow(deps.db, instance.id, stored.capture.id)
}

async function storeCapture(
  deps: Deps,
  tx: Tx,
  input: {
    authorization: PaymentRow
    processor: Processor
    request: CaptureRequest
    caller: Caller
  },
): Promise<{ capture: PaymentRow; attempt: AttemptRow; reference: string }> {
  const { processor, request, caller } = input
  const id = newId('ca', deps.now())
  // First, so that a repeated request returns its record instead of an error about the first one.
  await caller.reserveKey(tx, id)
  return retryOnConflict('Payment', async () => {
    const now = deps.now()
    const { instance_id, id: authorizationId } = input.authorization
    const authorization = await getPaymentRow(tx, instance_id, authorizationId)
    const amount = amountToCapture(authorization, processor, request, now)
    const change = {
      captured_amount: authorization.captured_amount + amount,
      updated: formatInstant(now),
    }
    if (!(await updatePaymentIfUnchanged(tx, authorization, change))) return undefined
    const capture = { ...newCapture(authorization, amount, request, now), id }
    const attempt = await storeOperation(tx, capture, [], {
      ...newCall(deps, now),
      kind: 'CAPTURE',
      processor: processor.id,
      rest: remainderAction(paymentCapabilities(processor, authorization), request),
    })
    await auditOperation(deps, tx, {
      action: 'payment.captured',
      by: caller.by,
      instanceId: instance_id,
      id,
      payment: authorizationId,
      amount,
      currency: authorization.currency,
    })
    return { capture, attempt, reference: requireGatewayReference(authorization) }
  })
}

/** What happens to the uncaptured remainder once the capture succeeds. */
function remainderAction(capabilities: Capabilities, request: CaptureRequest): AttemptRow['rest'] {
  if (!capabilities.multiple_captures) return 'RELEASED'
  return request.final ? 'VOID' : null
}

/** Returns minor units. Throws a 400 ApiError when that amount cannot be captured. */
function amountToCapture(
  authorization: PaymentRow,
  processor: Processor,
  request: CaptureRequest,
  now: number,
): number {
  const { name } = processor
  const { amount: authorized, currency } = authorization
  const capabilities = paymentCapabilities(processor, authorization)
  if (request.currency != null && request.currency !== currency) {
    throw invalid('capture.currency', `must be ${currency}, as authorized`)
  }
  const open = openAmount(authorization, now)
  if (open === 0) throw invalidState('Authorization has no open amount')
  if (!capabilities.multiple_captures && authorization.captured_amount > 0) {
    throw invalidState(`Authorization is being captured, and ${name} captures once`)
  }
  const amount =
    request.amount == null ? open : parseMinorUnits('capture.amount', request.amount, currency)
  if (amount > open) {
    const most = `${amountText(open, currency)} ${currency}`
    throw invalidState(`capture.amount must be at most the open amount (${most})`)
  }
  if (amount < authorized && !capabilities.partial_capture) {
    throw new ApiError('NOT_SUPPORTED', `${name} captures the whole amount only`)
  }
  return amount
}

function newCapture(
  authorization: PaymentRow,
  amount: number,
  request: CaptureRequest,
  now: number,
): PaymentRow {
  return newPayment(
    {
      instance_id: authorization.instance_id,
      type: 'CAPTURE',
      amount,
      currency: authorization.currency,
      authorisation_id: authorization.id,
      unsupported: authorization.unsupported,
      alt_key: request.alt_key ?? authorization.alt_key,
      description: request.description ?? authorization.description,
      source: authorization.source,
      channel: authorization.channel,
      metadata: authorization.metadata,
      account_id: authorization.account_id,
      legal_entity_id: authorization.legal_entity_id,
      legal_entity_version: authorization.legal_entity_version,
      payment_method_id: authorization.payment_method_id,
    },
    now,
  )
}
