import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { JournalEntry } from '../journal.ts'
import type { FollowUpOperation, ProcessorResponse, QueryResponse } from '../port.ts'
import { fromStripeAmount, toStripeAmount } from './amounts.ts'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'
import { CANCELLED } from './decline.ts'
import { KEY_REUSED } from './intents.ts'

type Kind = 'CAPTURE' | 'REFUND' | 'VOID'

const CHECK_REFUND_MS = 6 * 3_600_000
/** No request of ours arrives later than this: Stripe ends its own after 80 s. */
const REQUEST_LIFE_MS = 3 * 60_000
/** Stripe keeps idempotency keys for a day. */
const KEY_LIFE_MS = 24 * 3_600_000

/** Captures, refunds or voids, once for each key. */
export async function followPayment(
  context: StripeContext,
  kind: Kind,
  order: FollowUpOperation,
): Promise<ProcessorResponse> {
  const { operation, reference, amount, currency, signal } = order
  const content_hash = createHash('sha256')
    .update(JSON.stringify([kind, reference, amount, currency]))
    .digest('hex')
  const entry = await context.journal.begin(operation, {
    kind,
    reference,
    content_hash,
    amount,
    currency,
  })
  if (entry === 'CANCELLED') return CANCELLED
  if (entry.content_hash !== content_hash) return KEY_REUSED
  return send(context, operation, entry, signal)
}

/** Sends the request of an entry. With the same key it acts once, however often it is sent. */
async function send(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
  signal?: AbortSignal,
): Promise<ProcessorResponse> {
  if (entry.reason !== null) return refusal(entry, entry.reason)
  const amount = toStripeAmount(entry.amount, entry.currency)
  if (amount === undefined) return { status: 'ERROR', message: 'Stripe cannot express the amount.' }
  const id = entry.reference as string
  const intent = await findIntent(context, id, signal)
  if (intent === undefined) {
    return { status: 'ERROR', message: 'Stripe does not know the payment.' }
  }
  if (intent.currency.toUpperCase() !== entry.currency) {
    return { status: 'ERROR', message: 'The payment is in another currency.' }
  }
  const options = { key: operation, signal }
  try {
    switch (entry.kind) {
      case 'CAPTURE':
        return captureResponse(
          await context.client.call(
            'capture payment intent',
            (stripe, with_) =>
              stripe.paymentIntents.capture(
                id,
                { amount_to_capture: amount, metadata: { capture: operation } },
                with_,
              ),
            options,
          ),
          operation,
        )
      case 'VOID': {
        if (fromStripeAmount(intent.amount, intent.currency) !== entry.amount) {
          return refuse(context, operation, entry, 'Stripe releases an authorization as a whole.')
        }
        const voided = await context.client.call(
          'cancel payment intent',
          (stripe, with_) => stripe.paymentIntents.cancel(id, {}, with_),
          options,
        )
        return { status: 'APPROVED', reference: voided.id }
      }
      default: {
        const refund = await context.client.call(
          'create refund',
          (stripe, with_) =>
            stripe.refunds.create({ payment_intent: id, amount, metadata: { operation } }, with_),
          options,
        )
        return refundResponse(refund)
      }
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.status === 401 || error.status === 403) throw error
    // Stripe may have acted on a request whose answer was lost.
    const found = await findOutcome(context, operation, entry)
    return found ?? refuse(context, operation, entry, error.message)
  }
}

async function refuse(
  { journal }: StripeContext,
  operation: string,
  entry: JournalEntry,
  message: string,
): Promise<ProcessorResponse> {
  await journal.amend(operation, { reason: message })
  return refusal(entry, message)
}

function refusal({ reference }: JournalEntry, message: string): ProcessorResponse {
  return { status: 'DECLINED', reference, code: 'DECLINED', message }
}

/** Returns the state of a capture, refund or void; NOT_FOUND when Stripe has not acted. */
export async function queryFollowUp(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
): Promise<QueryResponse> {
  if (entry.reason !== null) return refusal(entry, entry.reason)
  const found = await findOutcome(context, operation, entry)
  if (found) return found
  // The merchant has asked for the refund, and its key still acts once.
  if (entry.kind === 'REFUND' && ageMs(context, entry) < KEY_LIFE_MS) {
    return send(context, operation, entry)
  }
  return { status: 'NOT_FOUND' }
}

/**
 * Ends a follow-up that Stripe has not acted on. Throws an Error while its request may still arrive: the
 * outcome is unknown until then.
 */
export async function cancelFollowUp(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
): Promise<ProcessorResponse> {
  if (entry.reason !== null) return refusal(entry, entry.reason)
  const found = await findOutcome(context, operation, entry)
  if (found) return found
  if (ageMs(context, entry) < REQUEST_LIFE_MS) throw new Error('The request may still arrive')
  await context.journal.abandon(operation)
  return CANCELLED
}

/** Returns what Stripe has done for an entry, or undefined. */
async function findOutcome(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
): Promise<ProcessorResponse | undefined> {
  const id = entry.reference as string
  if (entry.kind === 'REFUND') {
    const refund = await context.client.call('list refunds', async (stripe, options) => {
      for await (const each of stripe.refunds.list({ payment_intent: id, limit: 100 }, options)) {
        if (each.metadata?.['operation'] === operation) return each
      }
      return undefined
    })
    return refund && refundResponse(refund)
  }
  const intent = await readIntent(context, id)
  if (entry.kind === 'CAPTURE') {
    const isOwn = intent.status === 'succeeded' && intent.metadata['capture'] === operation
    return isOwn ? captureResponse(intent, operation) : undefined
  }
  return intent.status === 'canceled' ? { status: 'APPROVED', reference: intent.id } : undefined
}

function captureResponse(intent: Stripe.PaymentIntent, operation: string): ProcessorResponse {
  if (intent.status !== 'succeeded' || intent.metadata['capture'] !== operation) {
    throw new Error('Stripe answered about another capture')
  }
  return { status: 'APPROVED', reference: intent.id }
}

function refundResponse({ id, status, failure_reason }: Stripe.Refund): ProcessorResponse {
  switch (status) {
    case 'succeeded':
      return { status: 'APPROVED', reference: id }
    case 'pending':
    case 'requires_action':
      return { status: 'PENDING', reference: id, check_after_ms: CHECK_REFUND_MS }
    case 'failed':
    case 'canceled':
      return {
        status: 'DECLINED',
        reference: id,
        code: 'DECLINED',
        message: failure_reason ?? `The refund was ${status}.`,
      }
    default:
      throw new Error(`Stripe answered with the unknown refund status ${status}`)
  }
}

/** Undefined for a payment that this account of Stripe does not have. */
async function findIntent(
  context: StripeContext,
  id: string,
  signal?: AbortSignal,
): Promise<Stripe.PaymentIntent | undefined> {
  try {
    return await readIntent(context, id, signal)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

async function readIntent(
  { client, test }: StripeContext,
  id: string,
  signal?: AbortSignal,
): Promise<Stripe.PaymentIntent> {
  const intent = await client.call(
    'read payment intent',
    (stripe, options) => stripe.paymentIntents.retrieve(id, {}, options),
    { signal },
  )
  if (intent.id !== id || intent.livemode !== !test) {
    throw new Error(`Stripe answered about another payment than ${id}`)
  }
  return intent
}

function ageMs({ now }: StripeContext, { created }: JournalEntry): number {
  return now() - Date.parse(created)
}
