import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { formatInstant } from '../../../shared/rules/time.ts'
import type { JournalEntry } from '../journal.ts'
import type { PaymentOperation, ProcessorResponse, QueryResponse } from '../port.ts'
import { fromStripeAmount, toStripeAmount } from './amounts.ts'
import { Refused, type StripeErrorBody } from './client.ts'
import type { StripeContext } from './context.ts'
import { CANCELLED, declineCode, isUnusableMethod, retryAdvice } from './decline.ts'
import {
  chargeDetails,
  type MethodType,
  methodDetails,
  methodFingerprint,
  STRIPE_TYPES,
} from './details.ts'

const EXPAND = ['latest_charge.balance_transaction', 'payment_method']
/** When Stripe does not say until when an authorization can be captured. */
const CAPTURE_WITHIN_MS = 7 * 24 * 3_600_000
const CHECK_CARD_MS = 60_000
const CHECK_DEBIT_MS = 6 * 3_600_000
/** Clocks of the processes and Stripe may differ by so much. */
const CLOCK_SKEW_S = 300

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
  const { operation, signal } = order
  const content_hash = contentHash(kind, order)
  const stands = await journal.find(operation)
  const amount = toStripeAmount(order.amount, order.currency)
  if (amount === undefined) return refusedAmount(order)
  let entry = stands
  if (entry === undefined) {
    const made = await createIntent(context, kind, order, amount)
    if (typeof made !== 'string') return made
    const { currency } = order
    entry = await journal.begin(operation, {
      kind,
      reference: made,
      content_hash,
      amount: order.amount,
      currency,
    })
    failpoint('processor-begun')
    // The reconciler was faster. The intent was never confirmed.
    if (entry === 'CANCELLED') await cancelIntent(context, operation, made)
  }
  if (entry === 'CANCELLED') return CANCELLED
  if (entry.content_hash !== content_hash) return KEY_REUSED
  if (stands !== undefined) {
    const intent = await readIntent(context, entry, signal)
    if (!isUntouched(intent)) return conclude(context, operation, entry, intent)
  }
  const intent = await confirmIntent(context, order, entry)
  failpoint('processor-confirmed')
  return conclude(context, operation, entry, intent)
}

export const KEY_REUSED: ProcessorResponse = {
  status: 'ERROR',
  message: 'This operation key was used before for something else.',
}

function refusedAmount({ amount, currency }: PaymentOperation): ProcessorResponse {
  return { status: 'ERROR', message: `Stripe cannot charge ${amount} minor units of ${currency}.` }
}

/** Returns the intent's id, or the outcome when Stripe refuses to make one. */
async function createIntent(
  context: StripeContext,
  kind: 'PAY' | 'AUTHORISE',
  order: PaymentOperation,
  amount: number,
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
    const earlier = await journal.cancel(operation)
    if (earlier !== 'CANCELLED') {
      // Another call with this key has made an intent.
      return error.code === 'idempotency_key_in_use' ? { status: 'UNKNOWN' } : KEY_REUSED
    }
    return refusalResponse(error)
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

function intentParams(
  { settings }: StripeContext,
  kind: 'PAY' | 'AUTHORISE',
  order: PaymentOperation,
  { amount, customer }: { amount: number; customer: string | undefined },
): Stripe.PaymentIntentCreateParams {
  const { method, payer } = order
  const type = STRIPE_TYPES[method.type as MethodType]
  const suffix = settings.statement_suffix
  return {
    amount,
    currency: order.currency.toLowerCase(),
    payment_method_types: [type],
    ...(method.kind === 'STORED'
      ? storedMethod(method.token)
      : method.token !== undefined
        ? { payment_method: method.token }
        : {
            payment_method_data: {
              type,
              billing_details: {
                ...(payer.name !== null && { name: payer.name }),
                ...(payer.email !== null && { email: payer.email }),
              },
            },
          }),
    ...(customer !== undefined && { customer }),
    ...(order.store && { setup_future_usage: 'off_session' }),
    ...(kind === 'AUTHORISE' && { capture_method: 'manual' }),
    metadata: { operation: order.operation, reference: order.payment_reference },
    description: order.description,
    ...(suffix !== undefined &&
      (method.type === 'CARD'
        ? { statement_descriptor_suffix: suffix }
        : { statement_descriptor: suffix })),
    ...(settings.on_behalf_of !== undefined && { on_behalf_of: settings.on_behalf_of }),
    ...(method.type === 'CARD' &&
      settings.request_three_d_secure !== 'automatic' && {
        payment_method_options: {
          card: { request_three_d_secure: settings.request_three_d_secure },
        },
      }),
  }
}

/** A stored token is `customer:method`. It never leaves the server. */
export function storedMethod(token: string): { customer: string; payment_method: string } {
  const [customer = '', payment_method = ''] = token.split(':')
  return { customer, payment_method }
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

async function confirmIntent(
  context: StripeContext,
  order: PaymentOperation,
  entry: JournalEntry,
): Promise<Stripe.PaymentIntent> {
  const { operation, method, signal, payer } = order
  const isAway = order.initiator === 'MERCHANT'
  const cvcToken = method.kind === 'STORED' ? method.csc_token : undefined
  // A debit, and anything that is kept, rests on the payer's mandate.
  const needsMandate =
    !isAway && payer.ip !== null && (method.type === 'DIRECT_DEBIT' || order.store)
  const params: Stripe.PaymentIntentConfirmParams = {
    expand: EXPAND,
    ...(order.return_url !== '' && { return_url: order.return_url }),
    // Nobody is there to confirm a new method either, and `off_session` is for saved ones.
    ...(isAway &&
      (method.kind === 'STORED' ? { off_session: true } : { error_on_requires_action: true })),
    ...(cvcToken !== undefined && { payment_method_options: { card: { cvc_token: cvcToken } } }),
    ...(needsMandate && {
      mandate_data: {
        customer_acceptance: {
          type: 'online',
          online: { ip_address: payer.ip as string, user_agent: payer.user_agent ?? 'unknown' },
        },
      },
    }),
  }
  const id = entry.reference as string
  try {
    return await context.client.call(
      'confirm payment intent',
      (stripe, options) => stripe.paymentIntents.confirm(id, params, options),
      { key: `${operation}:confirm`, signal },
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // The intent says what happened, also when another call confirmed or canceled it.
    const intent = await readIntent(context, entry, signal)
    if (isUntouched(intent))
      await context.journal.amend(operation, { reason: reasonOf(error.error) })
    return intent
  }
}

async function readIntent(
  { client }: StripeContext,
  { reference }: JournalEntry,
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
function isUntouched({ status, last_payment_error }: Stripe.PaymentIntent): boolean {
  return (
    status === 'requires_confirmation' ||
    (status === 'requires_payment_method' && last_payment_error === null)
  )
}

/** Cancels an intent. Returns it as it is then, also when it could not be canceled any more. */
async function cancelIntent(
  context: StripeContext,
  operation: string,
  reference: string,
): Promise<Stripe.PaymentIntent> {
  try {
    return await context.client.call(
      'cancel payment intent',
      (stripe, options) => stripe.paymentIntents.cancel(reference, { expand: EXPAND }, options),
      { key: `${operation}:cancel` },
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    return readIntent(context, { reference } as JournalEntry)
  }
}

/** The members of an error that a response is made of, for the journal. */
function reasonOf({ code, decline_code, advice_code, message, param }: StripeErrorBody): string {
  return JSON.stringify({ code, decline_code, advice_code, message, param })
}

/**
 * Returns the response for an intent, after it has canceled one that failed: until then, a failed intent
 * could still be confirmed by everybody who has its client secret.
 */
async function conclude(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
  intent: Stripe.PaymentIntent,
): Promise<ProcessorResponse> {
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
      await context.journal.amend(operation, {
        reason: reasonOf({ code: 'not_a_redirect', message }),
      })
      break
    }
    case 'canceled':
      return decline(intent, await currentReason(context, operation))
    case 'requires_payment_method':
    case 'requires_confirmation':
      if (failure) await context.journal.amend(operation, { reason: reasonOf(failure) })
      break
  }
  const ended = await cancelIntent(context, operation, intent.id)
  if (ended.status !== 'canceled') return conclude(context, operation, entry, ended)
  return decline(ended, await currentReason(context, operation))
}

async function currentReason(
  { journal }: StripeContext,
  operation: string,
): Promise<StripeErrorBody | undefined> {
  const entry = await journal.find(operation)
  if (entry === undefined || entry === 'CANCELLED' || entry.reason === null) return undefined
  return JSON.parse(entry.reason) as StripeErrorBody
}

/** Stripe's answer is never believed about another payment. Throws an Error: the outcome is unknown. */
function assertExpected(
  { test }: StripeContext,
  entry: JournalEntry,
  intent: Stripe.PaymentIntent,
): void {
  const currency = intent.currency.toUpperCase()
  const isExpected =
    intent.id === entry.reference &&
    intent.livemode === !test &&
    currency === entry.currency &&
    fromStripeAmount(intent.amount, currency) === entry.amount
  if (!isExpected) throw new Error(`Stripe answered about another payment than ${entry.reference}`)
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

/** The response for a canceled intent: with the reason of its failure, where it had one. */
function decline(
  intent: Stripe.PaymentIntent,
  reason: StripeErrorBody | undefined,
): ProcessorResponse {
  if (!reason) return { ...CANCELLED, reference: intent.id } as ProcessorResponse
  if (reason.code === 'not_a_redirect') return { status: 'ERROR', message: reason.message ?? '' }
  return {
    status: 'DECLINED',
    reference: intent.id,
    code: declineCode(reason),
    message: reason.message ?? '',
    ...methodMember(intent),
    ...threeDsMember(intent),
    retry: retryAdvice(reason),
  }
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
  const isFailed = (await currentReason(context, operation)) !== undefined
  if (isUntouched(intent) && !isFailed) return { status: 'NOT_FOUND' }
  return conclude(context, operation, entry, intent)
}

/** Ends a payment that is not final: the canceled intent is its tombstone at Stripe. */
export async function cancelPayment(
  context: StripeContext,
  operation: string,
  entry: JournalEntry,
): Promise<ProcessorResponse> {
  const intent = await readIntent(context, entry)
  const isFinal = ['succeeded', 'requires_capture', 'canceled', 'processing'].includes(
    intent.status,
  )
  const ended = isFinal ? intent : await cancelIntent(context, operation, intent.id)
  return conclude(context, operation, entry, ended)
}

/**
 * Finds the intent of an operation whose entry was lost when the database was restored, among those that
 * were made at that time. Returns its entry, or undefined when there is none.
 */
export async function findLostPayment(
  { client, journal }: StripeContext,
  operation: string,
  created: string,
): Promise<JournalEntry | undefined> {
  const at = Math.floor(Date.parse(created) / 1000)
  const range = { gte: at - CLOCK_SKEW_S, lte: at + CLOCK_SKEW_S }
  const found = await client.call('list payment intents', async (stripe, options) => {
    for await (const intent of stripe.paymentIntents.list(
      { created: range, limit: 100 },
      options,
    )) {
      if (intent.metadata['operation'] === operation) return intent
    }
    return undefined
  })
  if (!found) return undefined
  const currency = found.currency.toUpperCase()
  const entry = await journal.begin(operation, {
    kind: found.capture_method === 'manual' ? 'AUTHORISE' : 'PAY',
    reference: found.id,
    content_hash: '',
    amount: fromStripeAmount(found.amount, currency),
    currency,
  })
  return entry === 'CANCELLED' ? undefined : entry
}

/** Distinguishes a repeat from another use of the key. The security code is left out. */
function contentHash(kind: string, order: PaymentOperation): string {
  const { amount, currency, method, store, payment_reference } = order
  const { kind: use, type, token } = method
  const content = [kind, amount, currency, use, type, token, store, payment_reference]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
