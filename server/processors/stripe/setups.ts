import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { JournalEntry } from '../journal.ts'
import type { ProcessorResponse, SetupOperation } from '../port.ts'
import { Refused } from './client.ts'
import type { StripeContext } from './context.ts'
import { createAtCustomer } from './customers.ts'
import { CANCELLED } from './decline.ts'
import { type MethodType, STRIPE_TYPES } from './details.ts'
import { noteRefusal } from './failure-reason.ts'
import { lacksMandate, mandateData, threeDsOptions } from './intent-params.ts'
import { KEY_REUSED, NO_MANDATE, refusalResponse } from './intents.ts'
import { cancelSetupIntent, concludeSetup, EXPAND, isUntouched, readSetup } from './setup-state.ts'

/**
 * Saves a method without taking money: makes a setup intent, notes its id durably, and only then confirms
 * it, so that a set-up whose outcome is not known can be queried.
 */
export async function setUpMethod(
  context: StripeContext,
  order: SetupOperation,
): Promise<ProcessorResponse> {
  const { journal, failpoint } = context
  const { operation } = order
  const content_hash = contentHash(order)
  const stands = await journal.find(operation)
  if (stands !== undefined) return repeat(context, order, { stands, content_hash })
  if (lacksMandate(order)) return { status: 'ERROR', message: NO_MANDATE }
  const made = await createSetup(context, order, content_hash)
  if (typeof made !== 'string') return made
  const begun = { kind: 'SETUP', reference: made, content_hash, amount: 0, currency: '' } as const
  const entry = await journal.begin(operation, begun)
  failpoint('processor-begun')
  if (entry === 'CANCELLED') {
    await cancelSetupIntent(context, operation, made)
    return CANCELLED
  }
  if (entry.content_hash !== content_hash) return KEY_REUSED
  return confirm(context, order, entry)
}

/** Answers an operation that has begun before, and goes on where it stopped. */
async function repeat(
  context: StripeContext,
  order: SetupOperation,
  { stands, content_hash }: { stands: JournalEntry | 'CANCELLED'; content_hash: string },
): Promise<ProcessorResponse> {
  if (stands === 'CANCELLED') return CANCELLED
  if (stands.content_hash !== content_hash) return KEY_REUSED
  const intent = await readSetup(context, stands, order.signal)
  return isUntouched(intent) && stands.reason === null
    ? confirm(context, order, stands)
    : concludeSetup(context, order.operation, stands, intent)
}

/** Returns the setup intent's id, or the outcome when Stripe refuses to make one. */
async function createSetup(
  context: StripeContext,
  order: SetupOperation,
  content_hash: string,
): Promise<string | ProcessorResponse> {
  const { client, journal } = context
  const { operation, signal } = order
  try {
    return await createAtCustomer(context, order, async (customer, key) => {
      const params = setupParams(context, order, customer)
      const intent = await client.call(
        'create setup intent',
        (stripe, options) => stripe.setupIntents.create(params, options),
        { key, signal },
      )
      if (intent.metadata?.['operation'] !== operation) {
        throw new Error(`Stripe answered about another set-up than ${operation}`)
      }
      return intent.id
    })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // Nothing may begin after this, also when another call with this key has made an intent.
    const stands = await journal.cancel(operation)
    if (stands === 'CANCELLED') return refusalResponse(context, order, error)
    if (stands.content_hash !== content_hash) return KEY_REUSED
    throw new Error('Another call with this key is under way', { cause: error })
  }
}

function setupParams(
  { settings }: StripeContext,
  { operation, method, description, payment_reference }: SetupOperation,
  customer: string,
): Stripe.SetupIntentCreateParams {
  return {
    customer,
    usage: 'off_session',
    payment_method_types: [STRIPE_TYPES[method.type as MethodType]],
    ...(method.token !== undefined && { payment_method: method.token }),
    metadata: { operation, reference: payment_reference },
    description,
    ...(settings.on_behalf_of !== undefined && { on_behalf_of: settings.on_behalf_of }),
    ...threeDsOptions(settings, method.type),
  }
}

/** Confirms once: Stripe acts on the first confirmation, and the key repeats its answer. */
async function confirm(
  context: StripeContext,
  order: SetupOperation,
  entry: JournalEntry,
): Promise<ProcessorResponse> {
  const intent = await confirmSetup(context, order, entry)
  context.failpoint('processor-confirmed')
  return concludeSetup(context, order.operation, entry, intent)
}

async function confirmSetup(
  context: StripeContext,
  { operation, return_url, payer, signal }: SetupOperation,
  entry: JournalEntry,
): Promise<Stripe.SetupIntent> {
  const params: Stripe.SetupIntentConfirmParams = {
    expand: [...EXPAND],
    ...(return_url !== '' && { return_url }),
    ...(payer.ip !== null && mandateData(payer.ip, payer.user_agent)),
  }
  try {
    return await context.client.call(
      'confirm setup intent',
      (stripe, options) => stripe.setupIntents.confirm(entry.reference as string, params, options),
      { key: `${operation}:confirm`, signal },
    )
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    // The intent says what happened, also when another call confirmed or canceled it.
    const intent = await readSetup(context, entry, signal)
    if (isUntouched(intent)) await noteRefusal(context, operation, error)
    return intent
  }
}

/** Distinguishes a repeat from another use of the key. */
function contentHash({ method, payment_reference }: SetupOperation): string {
  const content = ['SETUP', method.type, method.token, payment_reference]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
