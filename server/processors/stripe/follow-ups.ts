import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { JournalEntry } from '../journal.ts'
import type { FollowUpOperation, LostOperation, ProcessorResponse, QueryResponse } from '../port.ts'
import { fromStripeAmount, toStripeAmount } from './amounts.ts'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'
import { CANCELLED } from './decline.ts'
import {
  captureResponse,
  findIntent,
  findRefund,
  readFollowed,
  refundResponse,
  voidResponse,
} from './follow-up-state.ts'
import { KEY_REUSED } from './intents.ts'

type Kind = 'CAPTURE' | 'REFUND' | 'VOID'

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
  const stands = await context.journal.find(operation)
  if (stands === undefined) {
    const obstacle = await findObstacle(context, kind, order)
    if (obstacle) return obstacle
  }
  const content_hash = contentHash(kind, order)
  const begun = { kind, reference, content_hash, amount, currency }
  const entry = await context.journal.begin(operation, begun)
  if (entry === 'CANCELLED') return CANCELLED
  if (entry.content_hash !== content_hash) return KEY_REUSED
  if (entry.reason !== null) return refusal(entry, entry.reason)
  const known = stands && (await findOutcome(context, operation, entry))
  return known ?? send(context, operation, entry, signal)
}

function contentHash(
  kind: string,
  { reference, amount, currency }: Pick<FollowUpOperation, 'reference' | 'amount' | 'currency'>,
): string {
  const content = JSON.stringify([kind, reference, amount, currency])
  return createHash('sha256').update(content).digest('hex')
}

/** Returns why an operation that has not begun cannot: nothing was sent, so no money has moved. */
async function findObstacle(
  context: StripeContext,
  kind: Kind,
  { reference, amount, currency, signal }: FollowUpOperation,
): Promise<ProcessorResponse | undefined> {
  if (toStripeAmount(amount, currency) === undefined) {
    return { status: 'ERROR', message: 'Stripe cannot express the amount.' }
  }
  const intent = await findIntent(context, reference, signal)
  if (intent === undefined) {
    return { status: 'ERROR', message: 'Stripe does not know the payment.' }
  }
  if (intent.currency.toUpperCase() !== currency) {
    return { status: 'ERROR', message: 'The payment is in another currency.' }
  }
  if (kind === 'VOID' && (await authorizedAmount(context, intent)) !== amount) {
    return refusal({ reference }, 'Stripe releases an authorization as a whole.')
  }
  return undefined
}

/** Returns minor units. Throws an Error when Stripe and the journal differ. */
async function authorizedAmount(
  { journal }: StripeContext,
  { id, amount, currency }: Stripe.PaymentIntent,
): Promise<number> {
  const authorized = fromStripeAmount(amount, currency)
  const operation = await journal.findByReference(id)
  const entry = operation === undefined ? undefined : await journal.find(operation)
  if (entry !== undefined && entry !== 'CANCELLED' && entry.amount !== authorized) {
    throw new Error(`Stripe answered about another payment than ${id}`)
  }
  return authorized
}

/** Sends the request of an entry. With the same key it acts once, however often it is sent. */
async function send(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
  signal?: AbortSignal,
): Promise<ProcessorResponse> {
  try {
    return await request(context, operation, entry, signal)
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if (error.status === 401 || error.status === 403) throw error
    // Stripe may have acted on a request whose answer was lost. For a cancellation its key would have
    // answered so; that the intent is canceled may be another operation's doing.
    const found = entry.kind === 'VOID' ? undefined : await findOutcome(context, operation, entry)
    if (found) return found
    await context.journal.amend(operation, { reason: error.message })
    return refusal(entry, error.message)
  }
}

async function request(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
  signal: AbortSignal | undefined,
): Promise<ProcessorResponse> {
  const { client } = context
  const id = entry.reference as string
  const options = { key: operation, signal }
  const amount = toStripeAmount(entry.amount, entry.currency)
  switch (entry.kind) {
    case 'CAPTURE':
      return captureResponse(
        context,
        operation,
        entry,
        await client.call(
          'capture payment intent',
          (stripe, with_) =>
            stripe.paymentIntents.capture(
              id,
              { amount_to_capture: amount as number, metadata: { capture: operation } },
              with_,
            ),
          options,
        ),
      )
    case 'VOID': {
      const voided = await client.call(
        'cancel payment intent',
        (stripe, with_) => stripe.paymentIntents.cancel(id, {}, with_),
        options,
      )
      return voidResponse(context, id, voided)
    }
    default: {
      const refund = await client.call(
        'create refund',
        (stripe, with_) =>
          stripe.refunds.create(
            { payment_intent: id, amount: amount as number, metadata: { operation } },
            with_,
          ),
        options,
      )
      return refundResponse(context, operation, entry, refund)
    }
  }
}

function refusal({ reference }: Pick<JournalEntry, 'reference'>, message: string) {
  return { status: 'DECLINED', reference, code: 'DECLINED', message } as const
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
  // A query sends a refund again as long as its key acts once.
  const sentUntilMs = entry.kind === 'REFUND' ? KEY_LIFE_MS : 0
  if (ageMs(context, entry) < sentUntilMs + REQUEST_LIFE_MS) {
    throw new Error('The request may still arrive')
  }
  await context.journal.abandon(operation)
  return CANCELLED
}

/** Like `queryFollowUp`, for an operation whose entry was lost. It is never sent again. */
export async function findLostFollowUp(
  context: StripeContext,
  operation: string,
  { kind, created, follows, amount, currency }: LostOperation,
): Promise<QueryResponse> {
  const content_hash = contentHash(kind, { reference: follows as string, amount, currency })
  const lost = { kind, reference: follows, content_hash, amount, currency, reason: null, created }
  const found = await findOutcome(context, operation, lost)
  if (found) {
    await context.journal.begin(operation, lost)
    return found
  }
  if (ageMs(context, lost) < REQUEST_LIFE_MS) throw new Error('The request may still arrive')
  return { status: 'NOT_FOUND' }
}

/** Returns what Stripe has done for an entry, or undefined. */
async function findOutcome(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
): Promise<ProcessorResponse | undefined> {
  const id = entry.reference as string
  if (entry.kind === 'REFUND') {
    const refund = await findRefund(context, id, operation)
    return refund && refundResponse(context, operation, entry, refund)
  }
  const intent = await readFollowed(context, id)
  if (entry.kind === 'CAPTURE') {
    const isOwn = intent.status === 'succeeded' && intent.metadata['capture'] === operation
    return isOwn ? captureResponse(context, operation, entry, intent) : undefined
  }
  if (intent.status !== 'canceled') return undefined
  // The key answers whether this operation canceled it, and can do nothing to a canceled intent.
  return ageMs(context, entry) < KEY_LIFE_MS
    ? send(context, operation, entry)
    : { status: 'APPROVED', reference: intent.id }
}

function ageMs({ now }: StripeContext, { created }: Pick<JournalEntry, 'created'>): number {
  return now() - Date.parse(created)
}
