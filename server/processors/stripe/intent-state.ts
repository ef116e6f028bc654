import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import { formatInstant } from '../../../shared/rules/time.ts'
import type { JournalEntry } from '../journal.ts'
import type { ProcessorResponse, QueryResponse } from '../port.ts'
import { fromStripeAmount } from './amounts.ts'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'
import { chargeDetails, methodDetails, methodFingerprint, STRIPE_TYPES } from './details.ts'
import { failureResponse, readReason, reasonText } from './failure-reason.ts'
import { EXPAND } from './intent-params.ts'

/** When Stripe does not say until when an authorization can be captured. */
const CAPTURE_WITHIN_MS = 7 * 24 * 3_600_000
const CHECK_CARD_MS = 60_000
const CHECK_DEBIT_MS = 6 * 3_600_000

export async function readIntent(
  { client }: StripeContext,
  { reference }: Pick<JournalEntry, 'reference'>,
  signal?: AbortSignal,
): Promise<Stripe.PaymentIntent> {
  return client.call(
    'read payment intent',
    (stripe, options) =>
      stripe.paymentIntents.retrieve(reference as string, { expand: EXPAND }, options),
    { signal },
  )
}

/** Not confirmed, or refused before any bank was asked. */
export function isUntouched({ status, last_payment_error }: Stripe.PaymentIntent): boolean {
  return (
    status === 'requires_confirmation' ||
    (status === 'requires_payment_method' && last_payment_error === null)
  )
}

/** Cancels an intent. Returns it as it is then, also when it could not be canceled any more. */
export async function cancelIntent(
  context: StripeContext,
  operation: string,
  reference: string,
): Promise<Stripe.PaymentIntent> {
  // Stripe repeats its answer to a key for a day, also a refusal, but an intent that could not be
  // canceled once may fail later. To cancel twice is harmless, so each try has a key of its own.
  const key = `${operation}:cancel:${randomUUID()}`
  try {
    return await context.client.call(
      'cancel payment intent',
      (stripe, options) => stripe.paymentIntents.cancel(reference, { expand: EXPAND }, options),
      { key },
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return readIntent(context, { reference })
  }
}

/**
 * Returns the response for an intent, after it has canceled one that failed: until then, a failed intent
 * could still be confirmed by everybody who has its client secret. Throws an Error while the outcome is
 * unknown, also when a failed intent cannot be canceled.
 */
export async function conclude(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
  intent: Stripe.PaymentIntent,
): Promise<ProcessorResponse> {
  const response = await presentState(context, operation, entry, intent)
  if (response) return response
  const ended = await cancelIntent(context, operation, intent.id)
  const final = await presentState(context, operation, entry, ended)
  if (final) return final
  throw new Error(`Stripe did not cancel ${intent.id}, which is ${ended.status}`)
}

/** Returns the response for an intent that stays as it is; undefined for one that has to be canceled. */
async function presentState(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
  intent: Stripe.PaymentIntent,
): Promise<ProcessorResponse | undefined> {
  assertExpected(context, entry, intent)
  const failure = intent.last_payment_error
  switch (intent.status) {
    case 'succeeded':
    case 'requires_capture':
      return approval(context, entry, intent)
    case 'processing':
      return {
        status: 'PENDING',
        reference: intent.id,
        ...methodMember(intent),
        check_after_ms: isCard(intent) ? CHECK_CARD_MS : CHECK_DEBIT_MS,
      }
    case 'requires_action': {
      const url = intent.next_action?.redirect_to_url?.url
      if (url) return { status: 'ACTION', reference: intent.id, url, ...methodMember(intent) }
      const message = `Stripe asks for ${intent.next_action?.type ?? 'something'} instead of a redirect`
      await context.journal.amend(operation, { reason: reasonText({ message, refused: true }) })
      return undefined
    }
    case 'requires_payment_method':
    case 'requires_confirmation':
      // Stripe may forget the reason when the intent is canceled.
      if (failure) await context.journal.amend(operation, { reason: reasonText(failure) })
      return undefined
    case 'canceled':
      return failureResponse(
        intent.id,
        (await readReason(context, operation)) ?? failure ?? undefined,
        { ...methodMember(intent), ...threeDsMember(intent) },
      )
    default:
      throw new Error(`Stripe answered with the unknown status ${String(intent.status)}`)
  }
}

/** Stripe's answer is never believed about another payment. Throws an Error: the outcome is unknown. */
function assertExpected(
  { test, log }: StripeContext,
  entry: JournalEntry,
  intent: Stripe.PaymentIntent,
): void {
  const { id, livemode } = intent
  const currency = intent.currency.toUpperCase()
  const isExpected =
    id === entry.reference &&
    livemode === !test &&
    currency === entry.currency &&
    fromStripeAmount(intent.amount, currency) === entry.amount
  if (isExpected) return
  log.error({}, `Stripe answered about another payment than ${entry.reference}`)
  throw new Error(`Stripe answered about another payment than ${entry.reference}`)
}

function approval(
  { now }: StripeContext,
  entry: JournalEntry,
  intent: Stripe.PaymentIntent,
): ProcessorResponse {
  const isReserved = intent.status === 'requires_capture'
  if (isReserved && entry.kind === 'PAY') throw new Error('Stripe authorized what it should take')
  const stored = storedMember(intent)
  return {
    status: 'APPROVED',
    reference: intent.id,
    ...methodMember(intent),
    ...stored,
    ...chargeDetails(intent.latest_charge),
    ...(entry.kind === 'AUTHORISE' && { authorised_until: captureBefore(intent, now()) }),
  }
}

function captureBefore(intent: Stripe.PaymentIntent, now: number): string {
  const charge = intent.latest_charge
  const seconds =
    typeof charge === 'object' ? charge?.payment_method_details?.card?.capture_before : undefined
  if (seconds) return formatInstant(seconds * 1000)
  const created = intent.created > 0 ? intent.created * 1000 : now
  return formatInstant(created + CAPTURE_WITHIN_MS)
}

function storedMember(
  intent: Stripe.PaymentIntent,
): Pick<Extract<ProcessorResponse, { status: 'APPROVED' }>, 'stored'> {
  const { payment_method: method, customer } = intent
  if (intent.setup_future_usage !== 'off_session' || !customer) return {}
  if (method === null || typeof method === 'string') return {}
  const fingerprint = methodFingerprint(method)
  if (fingerprint === undefined) return {}
  const id = typeof customer === 'string' ? customer : customer.id
  return { stored: { token: `${id}:${method.id}`, fingerprint } }
}

function methodMember(intent: Stripe.PaymentIntent) {
  const method = methodDetails(
    intent.payment_method ?? intent.last_payment_error?.payment_method ?? undefined,
  )
  return method && { method }
}

function isCard(intent: Stripe.PaymentIntent): boolean {
  return intent.payment_method_types[0] === STRIPE_TYPES.CARD
}

function threeDsMember(intent: Stripe.PaymentIntent) {
  const { three_ds } = chargeDetails(intent.latest_charge)
  return three_ds && { three_ds }
}

/** Returns the state of a payment; NOT_FOUND when nothing has happened yet. */
export async function queryPayment(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
): Promise<QueryResponse> {
  const intent = await readIntent(context, entry)
  const isFailed = (await readReason(context, operation)) !== undefined
  if (isUntouched(intent) && !isFailed) return { status: 'NOT_FOUND' }
  return conclude(context, operation, entry, intent)
}

const FINAL: ReadonlySet<string> = new Set([
  'succeeded',
  'requires_capture',
  'canceled',
  'processing',
])

/** Ends a payment that is not final: the canceled intent is its tombstone at Stripe. */
export async function cancelPayment(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
): Promise<ProcessorResponse> {
  const intent = await readIntent(context, entry)
  // Before anything is canceled for it, the answer must be about this payment.
  assertExpected(context, entry, intent)
  const ended = FINAL.has(intent.status)
    ? intent
    : await cancelIntent(context, operation, intent.id)
  return conclude(context, operation, entry, ended)
}
