import { randomBytes } from 'node:crypto'
import { chargeAnswer, intentAnswer, methodAnswer, refundAnswer } from './answers.ts'
import { type CardBehavior, CARDS, TEST_METHODS } from './cards.ts'
import type { FormBody } from './form.ts'
import type { Account, Charge, Intent, Method, Refund } from './objects.ts'

/** An answer with an error, in Stripe's form. */
export class ApiFailure extends Error {
  readonly status: number
  readonly error: Record<string, unknown>

  constructor(status: number, error: Record<string, unknown>) {
    super(String(error['message']))
    this.status = status
    this.error = { type: 'invalid_request_error', ...error }
  }
}

/** Without digits, which could look like a card number. */
export const newStripeId = (prefix: string) =>
  `${prefix}_${randomBytes(12)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)))}`

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
const object = (value: unknown): FormBody => (typeof value === 'object' ? (value as FormBody) : {})

export interface FakeClock {
  /** Epoch milliseconds. */
  now: () => number
  livemode: boolean
}

const seconds = ({ now }: FakeClock) => Math.floor(now() / 1000)

/** Records what a webhook would tell. */
export function emit(account: Account, clock: FakeClock, type: string, object: unknown): void {
  account.events.unshift({
    id: newStripeId('evt'),
    type,
    created: seconds(clock),
    livemode: clock.livemode,
    object: object as Record<string, unknown>,
  })
}

function emitIntent(account: Account, clock: FakeClock, type: string, intent: Intent): void {
  emit(account, clock, `payment_intent.${type}`, intentAnswer(account, intent, []))
}

export function createMethod(
  account: Account,
  clock: FakeClock,
  type: string,
  given: Partial<Method> = {},
): Method {
  const method: Method = {
    id: newStripeId('pm'),
    type,
    created: seconds(clock),
    number: '4242424242424242',
    customer: null,
    exp_month: 12,
    exp_year: 2099,
    csc: null,
    billing_details: {},
    spent: false,
    isSetUp: false,
    ...given,
  }
  account.methods.set(method.id, method)
  return method
}

/** Test ids make a new method each time, as Stripe's do. */
export function usableMethod(
  account: Account,
  clock: FakeClock,
  id: string,
  customer: string | undefined,
): Method {
  const number = TEST_METHODS[id]
  if (number !== undefined) return createMethod(account, clock, 'card', { number })
  const method = account.methods.get(id)
  if (!method) {
    throw new ApiFailure(404, {
      code: 'resource_missing',
      param: 'payment_method',
      message: `No such PaymentMethod: '${id}'`,
    })
  }
  if (method.spent) {
    throw new ApiFailure(400, {
      message: 'The provided PaymentMethod was used before. It may not be used again.',
    })
  }
  if (method.customer !== null && method.customer !== customer) {
    throw new ApiFailure(400, {
      message: 'The provided PaymentMethod belongs to a Customer, which must be given too.',
    })
  }
  return method
}

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

type Declined = Extract<CardBehavior, object>

function askPayer(account: Account, clock: FakeClock, intent: Intent): void {
  if (intent.return_url === null) {
    throw new ApiFailure(400, { param: 'return_url', message: 'A return_url is required.' })
  }
  intent.status = 'requires_action'
  emitIntent(account, clock, 'requires_action', intent)
}

function startProcessing(account: Account, clock: FakeClock, intent: Intent): void {
  intent.status = 'processing'
  emitIntent(account, clock, 'processing', intent)
}

function newCharge(clock: FakeClock, intent: Intent, given: Partial<Charge>): Charge {
  return {
    id: newStripeId('ch'),
    payment_intent: intent.id,
    amount: intent.amount,
    amount_captured: 0,
    amount_refunded: 0,
    currency: intent.currency,
    created: seconds(clock),
    livemode: clock.livemode,
    captured: false,
    paid: true,
    status: 'succeeded',
    payment_method: intent.payment_method ?? '',
    three_d_secure: null,
    balance_transaction: null,
    disputed: false,
    booked: null,
    ...given,
  }
}

function succeed(
  account: Account,
  clock: FakeClock,
  intent: Intent,
  three_d_secure: Record<string, unknown> | null,
): void {
  const isReserved = intent.capture_method === 'manual'
  const charge = newCharge(clock, intent, {
    three_d_secure,
    captured: !isReserved,
    amount_captured: isReserved ? 0 : intent.amount,
  })
  account.charges.set(charge.id, charge)
  intent.latest_charge = charge.id
  intent.last_payment_error = null
  intent.status = isReserved ? 'requires_capture' : 'succeeded'
  intent.amount_received = charge.amount_captured
  const method = account.methods.get(charge.payment_method)
  if (method && intent.setup_future_usage !== null && intent.customer !== null) {
    method.customer = intent.customer
    method.isSetUp = true
  } else if (method && method.customer === null) {
    method.spent = true
  }
  emitIntent(account, clock, isReserved ? 'amount_capturable_updated' : 'succeeded', intent)
}

function fail(account: Account, clock: FakeClock, intent: Intent, declined: Declined): never {
  settleFailed(account, clock, intent, { type: 'card_error', ...declined })
  throw new ApiFailure(402, {
    type: 'card_error',
    ...declined,
    payment_intent: intentAnswer(account, intent, []),
  })
}

function settleFailed(
  account: Account,
  clock: FakeClock,
  intent: Intent,
  error: Record<string, unknown>,
): void {
  const charge = newCharge(clock, intent, { paid: false, status: 'failed' })
  account.charges.set(charge.id, charge)
  intent.latest_charge = charge.id
  intent.status = 'requires_payment_method'
  const method = account.methods.get(intent.payment_method ?? '')
  intent.last_payment_error = { ...error, ...(method && { payment_method: methodAnswer(method) }) }
  intent.payment_method = null
  emitIntent(account, clock, 'payment_failed', intent)
}

/** Does what the payer chooses on the page of the bank. */
export function answerChallenge(
  account: Account,
  clock: FakeClock,
  id: string,
  choice: 'approve' | 'decline',
): Intent {
  const intent = findIntent(account, id)
  // The page has no effect on an intent that was canceled meanwhile.
  if (intent.status !== 'requires_action') return intent
  const isCard = intent.payment_method_types[0] === 'card'
  if (choice === 'approve') {
    succeed(account, clock, intent, {
      authentication_flow: isCard ? 'challenge' : null,
      electronic_commerce_indicator: '05',
      exemption_indicator: null,
      result: 'authenticated',
      result_reason: null,
      transaction_id: null,
      version: '2.2.0',
    })
  } else {
    settleFailed(account, clock, intent, {
      type: 'invalid_request_error',
      code: isCard ? 'payment_intent_authentication_failure' : 'payment_method_customer_decline',
      message: 'The payer did not confirm the payment.',
    })
  }
  return intent
}

/** Ends everything that is processing. */
export function settleProcessing(account: Account, clock: FakeClock): void {
  for (const intent of account.intents.values()) {
    if (intent.status !== 'processing') continue
    const { number } = account.methods.get(intent.payment_method ?? '') as Method
    // The IBAN that Stripe's test mode fails.
    const fails = CARDS[number] === 'PROCESSING_THEN_FAILURE' || number === 'AT861904300235473202'
    if (!fails) succeed(account, clock, intent, null)
    else {
      settleFailed(account, clock, intent, {
        type: 'card_error',
        code: 'payment_intent_payment_attempt_failed',
        decline_code: 'insufficient_funds',
        message: 'The bank returned the payment.',
      })
    }
  }
  for (const refund of account.refunds.values()) {
    if (refund.status !== 'pending') continue
    refund.status = 'succeeded'
    emit(account, clock, 'refund.updated', refundAnswer(refund))
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

export function createRefund(account: Account, clock: FakeClock, body: FormBody): Refund {
  const intent = findIntent(account, text(body['payment_intent']) ?? '')
  const charge = account.charges.get(intent.latest_charge ?? '')
  if (!charge?.captured) {
    throw new ApiFailure(400, { message: 'The PaymentIntent has no successful charge to refund.' })
  }
  const left = charge.amount_captured - charge.amount_refunded
  const amount = Number(body['amount'] ?? left)
  if (left === 0) {
    throw new ApiFailure(400, {
      code: 'charge_already_refunded',
      message: 'The charge has already been refunded.',
    })
  }
  if (charge.disputed) {
    throw new ApiFailure(400, { code: 'charge_disputed', message: 'The charge is disputed.' })
  }
  if (amount > left) {
    throw new ApiFailure(400, {
      param: 'amount',
      message: 'The refund is greater than what is left of the charge.',
    })
  }
  charge.amount_refunded += amount
  const behavior = CARDS[account.methods.get(charge.payment_method)?.number ?? '']
  const refund: Refund = {
    id: newStripeId('re'),
    payment_intent: intent.id,
    charge: charge.id,
    amount,
    currency: charge.currency,
    created: seconds(clock),
    status: behavior === 'REFUND_PENDING' ? 'pending' : 'succeeded',
    metadata: object(body['metadata']) as Record<string, string>,
  }
  account.refunds.set(refund.id, refund)
  emit(account, clock, 'refund.created', refundAnswer(refund))
  emit(account, clock, 'charge.refunded', chargeAnswer(account, charge, false))
  return refund
}
