import type Stripe from 'stripe'
import type { JournalEntry } from '../journal.ts'
import type { PaymentOperation, ProcessorResponse } from '../port.ts'
import { toStripeAmount } from './amounts.ts'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'
import { CANCELLED, declineCode, isUnusableMethod, retryAdvice } from './decline.ts'
import { confirmParams, contentHash, intentParams, storedMethod } from './intent-params.ts'
import { cancelIntent, conclude, isUntouched, noteRefusal, readIntent } from './intent-state.ts'

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
    const customer = await findOrCreateCustomer(context, order)
    const params = intentParams(context, kind, order, { amount, customer })
    const intent = await client.call(
      'create payment intent',
      (stripe, options) => stripe.paymentIntents.create(params, options),
      { key: operation, signal },
    )
    return intent.id
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // Nothing may begin after this, also when another call with this key has made an intent.
    const stands = await journal.cancel(operation)
    if (stands === 'CANCELLED') return refusalResponse(error)
    if (stands.content_hash !== content_hash) return KEY_REUSED
    throw new Error('Another call with this key is under way', { cause: error })
  }
}

/** The outcome of a payment for which no intent exists. */
function refusalResponse({ error, status, message }: Refused): ProcessorResponse {
  if (status !== 402 && !isUnusableMethod(error)) return { status: 'ERROR', message }
  return {
    status: 'DECLINED',
    reference: null,
    code: declineCode(error),
    message,
    retry: retryAdvice(error),
  }
}

/** A method is kept by a customer; an account that has kept one before keeps the next there as well. */
async function findOrCreateCustomer(
  { client }: StripeContext,
  { operation, store, method, payer, signal }: PaymentOperation,
): Promise<string | undefined> {
  if (!store || method.kind === 'STORED') return undefined
  if (payer.saved_token !== null) return storedMethod(payer.saved_token).customer
  const params = {
    ...(payer.name !== null && { name: payer.name }),
    ...(payer.email !== null && { email: payer.email }),
    ...(payer.account !== null && { metadata: { account: payer.account } }),
  }
  const made = await client.call(
    'create customer',
    (stripe, options) => stripe.customers.create(params, options),
    { key: `${operation}:customer`, signal },
  )
  return made.id
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
