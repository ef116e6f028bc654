import type Stripe from 'stripe'
import type { JournalEntry } from '../journal.ts'
import type { PaymentOperation, ProcessorResponse } from '../port.ts'
import { toStripeAmount } from './amounts.ts'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'
import { CANCELLED, declineCode, isUnusableMethod, retryAdvice } from './decline.ts'
import { confirmParams, contentHash, intentParams, lacksMandate } from './intent-params.ts'
import { createAtCustomer, isCustomerMissing } from './customers.ts'
import { noteRefusal } from './failure-reason.ts'
import { cancelIntent, conclude, isUntouched, readIntent } from './intent-state.ts'

/**
 * Takes or authorizes money: makes an intent, notes its id durably, and only then confirms it. Money
 * moves at the confirmation alone, so an intent that is not noted never takes any.
 */
export async function takePayment(
  context: StripeContext,
  kind: 'PAY' | 'AUTHORISE',
  order: PaymentOperation,
): Promise<ProcessorResponse> {
  const { journal, failpoint } = context
  const { operation, currency } = order
  const content_hash = contentHash(kind, order)
  const stands = await journal.find(operation)
  if (stands !== undefined) return repeat(context, order, { stands, content_hash })
  const amount = toStripeAmount(order.amount, currency)
  if (amount === undefined) {
    const message = `Stripe cannot charge ${order.amount} minor units of ${currency}.`
    return { status: 'ERROR', message }
  }
  if (lacksMandate(order)) return { status: 'ERROR', message: NO_MANDATE }
  const made = await createIntent(context, kind, order, { amount, content_hash })
  if (typeof made !== 'string') return made
  const begun = { kind, reference: made, content_hash, amount: order.amount, currency }
  const entry = await journal.begin(operation, begun)
  failpoint('processor-begun')
  if (entry === 'CANCELLED') {
    // The reconciler was faster. The intent was never confirmed.
    await cancelIntent(context, operation, made)
    return CANCELLED
  }
  if (entry.content_hash !== content_hash) return KEY_REUSED
  return confirm(context, order, entry)
}

/** Answers an operation that has begun before, and goes on where it stopped. */
async function repeat(
  context: StripeContext,
  order: PaymentOperation,
  { stands, content_hash }: { stands: JournalEntry | 'CANCELLED'; content_hash: string },
): Promise<ProcessorResponse> {
  if (stands === 'CANCELLED') return CANCELLED
  if (stands.content_hash !== content_hash) return KEY_REUSED
  const intent = await readIntent(context, stands, order.signal)
  const isOpen = isUntouched(intent) && stands.reason === null
  return isOpen
    ? confirm(context, order, stands)
    : conclude(context, order.operation, stands, intent)
}

export const NO_MANDATE =
  'The first debit of an account needs a mandate, which the payer gives at a known address.'

export const KEY_REUSED: ProcessorResponse = {
  status: 'ERROR',
  message: 'This operation key was used before for something else.',
}

/** Returns the intent's id, or the outcome when Stripe refuses to make one. */
async function createIntent(
  context: StripeContext,
  kind: 'PAY' | 'AUTHORISE',
  order: PaymentOperation,
  { amount, content_hash }: { amount: number; content_hash: string },
): Promise<string | ProcessorResponse> {
  const { client, journal } = context
  const { operation, signal } = order
  try {
    const create = async (customer: string | undefined, key: string) => {
      const params = intentParams(context, kind, order, { amount, customer })
      const intent = await client.call(
        'create payment intent',
        (stripe, options) => stripe.paymentIntents.create(params, options),
        { key, signal },
      )
      // Its id is confirmed later, which must not take another payment's money.
      if (intent.metadata['operation'] !== operation) {
        throw new Error(`Stripe answered about another payment than ${operation}`)
      }
      return intent.id
    }
    const isKept = order.store && order.method.kind === 'NEW'
    return isKept
      ? await createAtCustomer(context, order, create)
      : await create(undefined, operation)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // Nothing may begin after this, also when another call with this key has made an intent.
    const stands = await journal.cancel(operation)
    if (stands === 'CANCELLED') return refusalResponse(context, order, error)
    if (stands.content_hash !== content_hash) return KEY_REUSED
    throw new Error('Another call with this key is under way', { cause: error })
  }
}

/** The outcome of a payment or set-up for which no intent exists. */
export function refusalResponse(
  { log }: StripeContext,
  { operation, method }: Pick<PaymentOperation, 'operation' | 'method'>,
  { error, status, message }: Refused,
): ProcessorResponse {
  // A saved method is gone with its customer.
  const isGone = method.kind === 'STORED' && isCustomerMissing(error)
  if (status !== 402 && !isGone && !isUnusableMethod(error)) {
    if (error.type === 'idempotency_error') log.error({ operation }, 'a key was used twice')
    return { status: 'ERROR', message }
  }
  return {
    status: 'DECLINED',
    reference: null,
    code: isGone ? 'INVALID_METHOD' : declineCode(error),
    message,
    retry: isGone ? 'NEVER' : retryAdvice(error),
  }
}

/** Confirms once: Stripe acts on the first confirmation of an intent, and the key repeats its answer. */
async function confirm(
  context: StripeContext,
  order: PaymentOperation,
  entry: JournalEntry,
): Promise<ProcessorResponse> {
  const { operation } = order
  const intent = await confirmIntent(context, order, entry)
  context.failpoint('processor-confirmed')
  return conclude(context, operation, entry, intent)
}

async function confirmIntent(
  context: StripeContext,
  order: PaymentOperation,
  entry: JournalEntry,
): Promise<Stripe.PaymentIntent> {
  const { operation, signal } = order
  const params = confirmParams(order)
  try {
    return await context.client.call(
      'confirm payment intent',
      (stripe, options) =>
        stripe.paymentIntents.confirm(entry.reference as string, params, options),
      { key: `${operation}:confirm`, signal },
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // The intent says what happened, also when another call confirmed or canceled it.
    const intent = await readIntent(context, entry, signal)
    if (isUntouched(intent)) await noteRefusal(context, operation, error)
    return intent
  }
}
