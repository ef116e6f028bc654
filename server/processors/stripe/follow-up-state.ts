import type Stripe from 'stripe'
import type { JournalEntry } from '../journal.ts'
import type { ProcessorResponse } from '../port.ts'
import { fromStripeAmount } from './amounts.ts'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'

const CHECK_REFUND_MS = 6 * 3_600_000

/** Returns the refund that an operation has made of a payment. */
export function findRefund(
  { client }: StripeContext,
  payment_intent: string,
  operation: string,
): Promise<Stripe.Refund | undefined> {
  return client.call('list refunds', async (stripe, options) => {
    for await (const each of stripe.refunds.list({ payment_intent, limit: 100 }, options)) {
      if (each.metadata?.['operation'] === operation) return each
    }
    return undefined
  })
}

export function captureResponse(
  context: StripeContext,
  operation: string,
  { reference, amount, currency }: JournalEntry,
  intent: Stripe.PaymentIntent,
): ProcessorResponse {
  assertExpected(context, reference as string, intent)
  const isOwn =
    intent.status === 'succeeded' &&
    intent.metadata['capture'] === operation &&
    intent.currency.toUpperCase() === currency &&
    fromStripeAmount(intent.amount_received, currency) === amount
  if (!isOwn) throw new Error('Stripe answered about another capture')
  return { status: 'APPROVED', reference: intent.id }
}

export function voidResponse(
  context: StripeContext,
  id: string,
  intent: Stripe.PaymentIntent,
): ProcessorResponse {
  assertExpected(context, id, intent)
  if (intent.status !== 'canceled') throw new Error(`Stripe did not cancel ${id}`)
  return { status: 'APPROVED', reference: id }
}

export function refundResponse(
  { log }: StripeContext,
  operation: string,
  entry: JournalEntry,
  refund: Stripe.Refund,
): ProcessorResponse {
  const { id, status, failure_reason, payment_intent, metadata } = refund
  const isOwn =
    (typeof payment_intent === 'string' ? payment_intent : payment_intent?.id) ===
      entry.reference &&
    metadata?.['operation'] === operation &&
    refund.currency.toUpperCase() === entry.currency &&
    fromStripeAmount(refund.amount, entry.currency) === entry.amount
  if (!isOwn) {
    log.error({ operation }, `Stripe answered about another refund, ${id}`)
    throw new Error('Stripe answered about another refund')
  }
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
export async function findIntent(
  context: StripeContext,
  id: string,
  signal?: AbortSignal,
): Promise<Stripe.PaymentIntent | undefined> {
  try {
    return await readFollowed(context, id, signal)
  } catch (error) {
    if (error instanceof Refused && error.status === 404) return undefined
    throw error
  }
}

/** Returns the payment that is followed. Throws an Error for an answer about another one. */
export async function readFollowed(
  context: StripeContext,
  id: string,
  signal?: AbortSignal,
): Promise<Stripe.PaymentIntent> {
  const intent = await context.client.call(
    'read payment intent',
    (stripe, options) => stripe.paymentIntents.retrieve(id, {}, options),
    { signal },
  )
  assertExpected(context, id, intent)
  return intent
}

function assertExpected(
  { test, log }: StripeContext,
  id: string,
  intent: Stripe.PaymentIntent,
): void {
  if (intent.id === id && intent.livemode === !test) return
  log.error({}, `Stripe answered about another payment than ${id}`)
  throw new Error(`Stripe answered about another payment than ${id}`)
}
