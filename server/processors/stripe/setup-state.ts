import { randomUUID } from 'node:crypto'
import type Stripe from 'stripe'
import type { JournalEntry } from '../journal.ts'
import type { ProcessorResponse, QueryResponse } from '../port.ts'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'
import { methodDetails, methodFingerprint, threeDs } from './details.ts'
import { failureResponse, readReason, reasonText } from './failure-reason.ts'

/** What a setup intent is shown with. */
export const EXPAND = ['latest_attempt', 'payment_method'] as const
const CHECK_MS = 60_000

export async function readSetup(
  { client }: StripeContext,
  { reference }: Pick<JournalEntry, 'reference'>,
  signal?: AbortSignal,
): Promise<Stripe.SetupIntent> {
  return client.call(
    'read setup intent',
    (stripe, options) =>
      stripe.setupIntents.retrieve(reference as string, { expand: [...EXPAND] }, options),
    { signal },
  )
}

/** Not confirmed, or refused before any bank was asked. */
export function isUntouched({ status, last_setup_error }: Stripe.SetupIntent): boolean {
  return (
    status === 'requires_confirmation' ||
    (status === 'requires_payment_method' && last_setup_error === null)
  )
}

/** Cancels a setup intent. Returns it as it is then, also when it could not be canceled any more. */
export async function cancelSetupIntent(
  context: StripeContext,
  operation: string,
  reference: string,
): Promise<Stripe.SetupIntent> {
  // Each try has a key of its own, as for a payment intent.
  const key = `${operation}:cancel:${randomUUID()}`
  try {
    return await context.client.call(
      'cancel setup intent',
      (stripe, options) => stripe.setupIntents.cancel(reference, { expand: [...EXPAND] }, options),
      { key },
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return readSetup(context, { reference })
  }
}

/**
 * Returns the response for a setup intent, after it has canceled one that failed. Throws an Error while
 * the outcome is unknown.
 */
export async function concludeSetup(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
  intent: Stripe.SetupIntent,
): Promise<ProcessorResponse> {
  const response = await presentState(context, operation, entry, intent)
  if (response) return response
  const ended = await cancelSetupIntent(context, operation, intent.id)
  const final = await presentState(context, operation, entry, ended)
  if (final) return final
  throw new Error(`Stripe did not cancel ${intent.id}, which is ${ended.status}`)
}

/** Returns the response for an intent that stays as it is; undefined for one that has to be canceled. */
async function presentState(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
  intent: Stripe.SetupIntent,
): Promise<ProcessorResponse | undefined> {
  assertExpected(context, entry, intent)
  const { journal } = context
  const failure = intent.last_setup_error
  switch (intent.status) {
    case 'succeeded':
      return approval(intent)
    case 'processing':
      return {
        status: 'PENDING',
        reference: intent.id,
        check_after_ms: CHECK_MS,
        ...details(intent),
      }
    case 'requires_action': {
      const url = intent.next_action?.redirect_to_url?.url
      if (url) return { status: 'ACTION', reference: intent.id, url, ...methodMember(intent) }
      const message = `Stripe asks for ${intent.next_action?.type ?? 'something'} instead of a redirect`
      await journal.amend(operation, { reason: reasonText({ message, refused: true }) })
      return undefined
    }
    case 'requires_payment_method':
    case 'requires_confirmation':
      // Stripe may forget the reason when the intent is canceled.
      if (failure) await journal.amend(operation, { reason: reasonText(failure) })
      return undefined
    case 'canceled':
      return failureResponse(
        intent.id,
        (await readReason(context, operation)) ?? failure ?? undefined,
        details(intent),
      )
    default:
      throw new Error(`Stripe answered with the unknown status ${String(intent.status)}`)
  }
}

/** Stripe's answer is never believed about another set-up. Throws an Error: the outcome is unknown. */
function assertExpected(
  { test, log }: StripeContext,
  entry: JournalEntry,
  { id, livemode }: Stripe.SetupIntent,
): void {
  if (id === entry.reference && livemode === !test) return
  log.error({}, `Stripe answered about another set-up than ${entry.reference}`)
  throw new Error(`Stripe answered about another set-up than ${entry.reference}`)
}

function approval(intent: Stripe.SetupIntent): ProcessorResponse {
  const { payment_method: method, customer } = intent
  const fingerprint =
    method === null || typeof method === 'string' ? undefined : methodFingerprint(method)
  if (!customer || fingerprint === undefined || typeof method !== 'object') {
    throw new Error(`Stripe saved nothing with ${intent.id}`)
  }
  const token = `${typeof customer === 'string' ? customer : customer.id}:${method?.id}`
  return {
    status: 'APPROVED',
    reference: intent.id,
    ...details(intent),
    stored: { token, fingerprint },
  }
}

function details(intent: Stripe.SetupIntent) {
  const { latest_attempt: attempt } = intent
  const card = typeof attempt === 'object' ? attempt?.payment_method_details?.card : undefined
  return {
    ...methodMember(intent),
    ...(card && { three_ds: threeDs(card.three_d_secure) }),
  }
}

function methodMember(intent: Stripe.SetupIntent) {
  const method = methodDetails(intent.payment_method ?? intent.last_setup_error?.payment_method)
  return method && { method }
}

/** Returns the state of a set-up; NOT_FOUND when nothing has happened yet. */
export async function querySetup(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
): Promise<QueryResponse> {
  const intent = await readSetup(context, entry)
  const isFailed = (await readReason(context, operation)) !== undefined
  if (isUntouched(intent) && !isFailed) return { status: 'NOT_FOUND' }
  return concludeSetup(context, operation, entry, intent)
}

/** Ends a set-up that is not final. */
export async function cancelSetup(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
): Promise<ProcessorResponse> {
  const intent = await readSetup(context, entry)
  assertExpected(context, entry, intent)
  const isFinal = ['succeeded', 'canceled', 'processing'].includes(intent.status)
  const ended = isFinal ? intent : await cancelSetupIntent(context, operation, intent.id)
  return concludeSetup(context, operation, entry, ended)
}
