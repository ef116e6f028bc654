import { amountText } from '../../shared/rules/currency.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { CaptureRequest } from '../../shared/schemas/payment-request.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { ApiError, invalid, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Instance } from '../instances/store.ts'
import type { Capabilities, Processor } from '../processors/port.ts'
import { callProcessor, callFrom } from './call-processor.ts'
import type { AttemptRow } from './attempts.ts'
import { capabilitiesOf } from './capabilities.ts'
import { lookupAuthorization } from './lookup.ts'
import { parseAmountMember } from './parse-request.ts'
import { gatewayColumns } from './outcome.ts'
import { requireProcessor, requireGatewayReference } from './operation-target.ts'
import { openAmount } from './serialize.ts'
import { settledFirst } from './sync-status.ts'
import { newPayment } from './new-rows.ts'
import {
  getPaymentRow,
  markRemainderVoided,
  serializePayments,
  type PaymentRow,
  replacePayment,
  returnAmount,
  updatePayment,
} from './store.ts'
import { storeOperation } from './operation.ts'
import type { PaymentInput } from './create-payment.ts'
import type { SettleContext } from './settle-payment.ts'

const RACES_MAX = 20

/**
 * Takes money that an authorisation reserved (specification: Payments, rule 3; contract section
 * 10.6). The amount is reserved on the authorisation before the processor is asked, so captures at
 * the same time can never take more than was authorised. Answers the capture.
 *
 * Throws 404 `Payment not found` for what is no authorisation, INVALID_STATE when it has nothing
 * open, and NOT_SUPPORTED for a partial capture that the processor cannot do.
 */
export async function capturePayment(
  deps: Deps,
  instance: Instance,
  named: string,
  request: CaptureRequest,
  asked: PaymentInput,
): Promise<PaymentRow> {
  const found = await lookupAuthorization(deps.db, instance.id, named, deps.now())
  const authorisation = await settledFirst(deps, found)
  const processor = await requireProcessor(deps, authorisation)
  const begun = await inTransaction(deps.db, (tx) =>
    reserve(deps, tx, { authorisation, processor, request, asked }),
  )
  deps.failpoint('capture-stored')
  const answer = await callProcessor(deps, begun.attempt.id, () =>
    processor.capture({
      operation: begun.attempt.id,
      reference: begun.reference,
      amount: begun.capture.amount,
      currency: begun.capture.currency,
    }),
  )
  deps.failpoint('capture-answered')
  await deps.settle(begun.attempt.id, answer)
  deps.failpoint('capture-settled')
  return getPaymentRow(deps.db, instance.id, begun.capture.id)
}

/** The first transaction: the amount is taken out of what is open, and the capture is stored. */
async function reserve(
  deps: Deps,
  tx: Tx,
  from: {
    authorisation: PaymentRow
    processor: Processor
    request: CaptureRequest
    asked: PaymentInput
  },
): Promise<{ capture: PaymentRow; attempt: AttemptRow; reference: string }> {
  const { processor, request, asked } = from
  const id = newId('ca', deps.now())
  // Before anything is judged: for a repeat, what the first request did is no reason to refuse.
  await asked.claim(tx, id)
  for (let race = 0; race < RACES_MAX; race += 1) {
    const now = deps.now()
    const auth = await getPaymentRow(tx, from.authorisation.instance_id, from.authorisation.id)
    const amount = amountToCapture(auth, processor, request, now)
    const change = {
      captured_amount: auth.captured_amount + amount,
      updated: formatInstant(now),
    }
    if (!(await replacePayment(tx, auth, change))) continue
    const capture = { ...captureOf(auth, amount, request, now), id }
    const attempt = await storeOperation(tx, capture, [], {
      ...callFrom(deps, now),
      kind: 'CAPTURE',
      processor: processor.name,
      rest: restOf(capabilitiesOf(processor, auth), request),
    })
    return { capture, attempt, reference: requireGatewayReference(auth) }
  }
  throw new ApiError('CONFLICT', 'Payment is being changed by others; send the request again')
}

/** What is to become of the rest when the capture succeeds. */
function restOf(capabilities: Capabilities, request: CaptureRequest): AttemptRow['rest'] {
  if (!capabilities.multiple_captures) return 'RELEASED'
  return request.final ? 'VOID' : null
}

/** Minor units to capture; throws the 400 ApiError of section 10.6 that says why none can be. */
function amountToCapture(
  auth: PaymentRow,
  processor: Processor,
  request: CaptureRequest,
  now: number,
): number {
  const { name } = processor
  const capabilities = capabilitiesOf(processor, auth)
  if (request.currency != null && request.currency !== auth.currency) {
    throw invalid('capture.currency', `must be ${auth.currency}, as authorised`)
  }
  const open = openAmount(auth, now)
  if (open === 0) throw invalidState('Authorisation has no amount open')
  if (!capabilities.multiple_captures && auth.captured_amount > 0) {
    throw invalidState(`Authorisation is being captured, and ${name} captures once`)
  }
  const amount =
    request.amount == null
      ? open
      : parseAmountMember('capture.amount', request.amount, auth.currency)
  if (amount > open) {
    const most = `${amountText(open, auth.currency)} ${auth.currency}`
    throw invalidState(`capture.amount must be at most what is open (${most})`)
  }
  if (amount < auth.amount && !capabilities.partial_capture) {
    throw new ApiError('NOT_SUPPORTED', `${name} captures the whole amount only`)
  }
  return amount
}

function captureOf(
  auth: PaymentRow,
  amount: number,
  request: CaptureRequest,
  now: number,
): PaymentRow {
  return newPayment(
    {
      instance_id: auth.instance_id,
      type: 'CAPTURE',
      amount,
      currency: auth.currency,
      authorisation_id: auth.id,
      unsupported: auth.unsupported,
      alt_key: request.alt_key ?? auth.alt_key,
      description: request.description ?? auth.description,
      source: auth.source,
      channel: auth.channel,
      metadata: auth.metadata,
      account_id: auth.account_id,
      payment_method_id: auth.payment_method_id,
    },
    now,
  )
}

const EVENTS: Partial<Record<PaymentRow['status'], EventType>> = {
  SUCCESS: 'capture.success',
  DECLINE: 'capture.decline',
  PENDING: 'capture.pending',
  UNRESOLVED: 'capture.unresolved',
}

/** Records what became of a capture; one that failed leaves its amount open again. */
export async function settleCapture(tx: Tx, settling: SettleContext): Promise<PaymentRow> {
  const { attempt, payment: capture, outcome } = settling
  const now = formatInstant(settling.now)
  const settled = await updatePayment(tx, capture.id, {
    status: outcome.payment,
    ...gatewayColumns(outcome),
    processed: outcome.final ? now : null,
    updated: now,
  })
  const authorisationId = capture.authorisation_id as string
  if (outcome.final && outcome.payment !== 'SUCCESS') {
    const { amount } = capture
    await returnAmount(tx, authorisationId, { sum: 'captured_amount', amount }, now)
  } else if (outcome.final && attempt.rest === 'RELEASED') {
    await markRemainderVoided(tx, authorisationId, now)
  }
  const [record] = await serializePayments(tx, [settled], settling.now)
  await recordEvent(tx, {
    instanceId: capture.instance_id,
    type: EVENTS[outcome.payment] ?? 'capture.pending',
    data: { capture: record },
    now: settling.now,
  })
  return settled
}
