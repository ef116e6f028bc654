import { intentAnswer, methodAnswer, refundAnswer } from './answers.ts'
import { ApiFailure } from './api-failure.ts'
import { type CardBehavior, CARDS } from './cards.ts'
import { emit, emitIntent, type FakeClock, newStripeId, seconds } from './events.ts'
import type { Account, Charge, Intent, Method } from './objects.ts'

/** How payment intents end: by the bank, by the payer, or later. */

export type Declined = Extract<CardBehavior, object>

export function askPayer(account: Account, clock: FakeClock, intent: Intent): void {
  if (intent.return_url === null) {
    throw new ApiFailure(400, { param: 'return_url', message: 'A return_url is required.' })
  }
  intent.status = 'requires_action'
  emitIntent(account, clock, 'requires_action', intent)
}

export function startProcessing(account: Account, clock: FakeClock, intent: Intent): void {
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

export function succeed(
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

export function fail(
  account: Account,
  clock: FakeClock,
  intent: Intent,
  declined: Declined,
): never {
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
  intent: Intent,
  choice: 'approve' | 'decline',
): Intent {
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
