import { randomBytes } from 'node:crypto'
import { intentAnswer } from './answers.ts'
import { ApiFailure } from './api-failure.ts'
import { CARDS } from './cards.ts'
import { emitIntent, type FakeClock, newStripeId, seconds } from './events.ts'
import { type FormBody, object, text } from './form.ts'
import { createMethod, usableMethod } from './methods.ts'
import type { Account, Charge, Intent, Method } from './objects.ts'
import { askPayer, type Declined, fail, startProcessing, succeed } from './outcomes.ts'

/** What requests do to payment intents. */

export function createIntent(account: Account, clock: FakeClock, body: FormBody): Intent {
  const amount = Number(body['amount'])
  if (amount < 50) {
    throw new ApiFailure(400, {
      code: 'amount_too_small',
      param: 'amount',
      message: 'Amount must be at least 50 minor units.',
    })
  }
  const customer = text(body['customer'])
  if (customer !== undefined && !account.customers.has(customer)) {
    throw new ApiFailure(404, {
      code: 'resource_missing',
      param: 'customer',
      message: `No such customer: '${customer}'`,
    })
  }
  checkStatement(body)
  const given = text(body['payment_method'])
  const data = body['payment_method_data'] ? object(body['payment_method_data']) : undefined
  const method =
    given !== undefined
      ? usableMethod(account, clock, given, customer)
      : data &&
        createMethod(account, clock, text(data['type']) ?? 'card', {
          number: '',
          billing_details: object(data['billing_details']),
        })
  const id = newStripeId('pi')
  const intent: Intent = {
    id,
    amount,
    currency: text(body['currency']) ?? '',
    status: method ? 'requires_confirmation' : 'requires_payment_method',
    created: seconds(clock),
    livemode: clock.livemode,
    capture_method: body['capture_method'] === 'manual' ? 'manual' : 'automatic',
    customer: customer ?? null,
    payment_method: method?.id ?? null,
    payment_method_types: body['payment_method_types'] as string[],
    setup_future_usage: body['setup_future_usage'] === 'off_session' ? 'off_session' : null,
    metadata: object(body['metadata']) as Record<string, string>,
    description: text(body['description']) ?? null,
    client_secret: `${id}_secret_${randomBytes(8).toString('hex')}`,
    return_url: null,
    last_payment_error: null,
    latest_charge: null,
    amount_received: 0,
    canceled_at: null,
  }
  account.intents.set(id, intent)
  emitIntent(account, clock, 'created', intent)
  return intent
}

/** Stripe's rules for what a statement shows, which its description of the API does not have. */
function checkStatement(body: FormBody): void {
  const isCard = (body['payment_method_types'] as string[] | undefined)?.includes('card')
  const whole = text(body['statement_descriptor'])
  const suffix = text(body['statement_descriptor_suffix'])
  if (isCard && whole !== undefined) {
    throw new ApiFailure(400, {
      param: 'statement_descriptor',
      message:
        'The statement_descriptor parameter is not supported for the payment method type card; use statement_descriptor_suffix.',
    })
  }
  for (const [param, value, least] of [
    ['statement_descriptor', whole, 5],
    ['statement_descriptor_suffix', suffix, 1],
  ] as const) {
    if (value === undefined) continue
    const isRight =
      value.length >= least &&
      value.length <= 22 &&
      /[A-Za-z]/.test(value) &&
      !/[<>\\'"*]/.test(value)
    if (!isRight) throw new ApiFailure(400, { param, message: `Invalid ${param}: '${value}'` })
  }
}

export function findIntent(account: Account, id: string): Intent {
  const intent = account.intents.get(id)
  if (intent) return intent
  throw new ApiFailure(404, {
    code: 'resource_missing',
    param: 'intent',
    message: `No such payment_intent: '${id}'`,
  })
}

function unexpected(account: Account, intent: Intent, what: string): ApiFailure {
  return new ApiFailure(400, {
    code: 'payment_intent_unexpected_state',
    message: `You cannot ${what} this PaymentIntent because it has a status of ${intent.status}.`,
    payment_intent: intentAnswer(account, intent, []),
  })
}

export function confirmIntent(
  account: Account,
  clock: FakeClock,
  intent: Intent,
  body: FormBody,
): void {
  if (intent.status !== 'requires_confirmation') throw unexpected(account, intent, 'confirm')
  const method = account.methods.get(intent.payment_method ?? '') as Method
  intent.return_url = text(body['return_url']) ?? null
  if (method.type === 'sepa_debit') {
    if (!body['mandate_data'] && !method.isSetUp) {
      throw new ApiFailure(400, { param: 'mandate_data', message: 'A mandate is required.' })
    }
    return startProcessing(account, clock, intent)
  }
  if (method.type !== 'card') return askPayer(account, clock, intent)
  const token = text(object(object(body['payment_method_options'])['card'])['cvc_token'])
  const csc = token === undefined ? method.csc : (account.cscTokens.get(token) ?? '000')
  if (csc === '000') return fail(account, clock, intent, CARDS['4000000000000127'] as Declined)
  const behavior = CARDS[method.number] ?? 'APPROVE'
  const isAway = body['off_session'] === 'true'
  if (typeof behavior === 'object') return fail(account, clock, intent, behavior)
  switch (behavior) {
    case 'CHALLENGE':
    case 'CHALLENGE_ALWAYS':
      if (behavior === 'CHALLENGE' && method.isSetUp) return succeed(account, clock, intent, null)
      if (isAway) {
        return fail(account, clock, intent, {
          code: 'authentication_required',
          decline_code: 'authentication_required',
          message: 'Your card was declined. This transaction requires authentication.',
        })
      }
      if (body['error_on_requires_action'] === 'true') {
        return fail(account, clock, intent, {
          code: 'authentication_required',
          decline_code: 'authentication_not_handled',
          message: 'This payment required an authentication action to complete.',
        })
      }
      return askPayer(account, clock, intent)
    case 'FRICTIONLESS':
      return succeed(account, clock, intent, {
        authentication_flow: 'frictionless',
        electronic_commerce_indicator: '05',
        exemption_indicator: null,
        result: 'authenticated',
        result_reason: null,
        transaction_id: null,
        version: '2.2.0',
      })
    case 'PROCESSING_THEN_SUCCESS':
    case 'PROCESSING_THEN_FAILURE':
      return startProcessing(account, clock, intent)
    default:
      return succeed(account, clock, intent, null)
  }
}

export function captureIntent(
  account: Account,
  clock: FakeClock,
  intent: Intent,
  body: FormBody,
): void {
  if (intent.status !== 'requires_capture') throw unexpected(account, intent, 'capture')
  const amount = Number(body['amount_to_capture'] ?? intent.amount)
  if (amount > intent.amount) {
    throw new ApiFailure(400, {
      code: 'amount_too_large',
      param: 'amount_to_capture',
      message: 'The amount is more than what is authorized.',
    })
  }
  const charge = account.charges.get(intent.latest_charge ?? '') as Charge
  charge.captured = true
  charge.amount_captured = amount
  Object.assign(intent.metadata, object(body['metadata']))
  intent.amount_received = amount
  intent.status = 'succeeded'
  emitIntent(account, clock, 'succeeded', intent)
}

export function cancelIntent(account: Account, clock: FakeClock, intent: Intent): void {
  if (['succeeded', 'canceled', 'processing'].includes(intent.status)) {
    throw unexpected(account, intent, 'cancel')
  }
  intent.status = 'canceled'
  intent.canceled_at = seconds(clock)
  emitIntent(account, clock, 'canceled', intent)
}
