import { chargeAnswer, refundAnswer } from './answers.ts'
import { ApiFailure } from './api-failure.ts'
import { CARDS } from './cards.ts'
import { emit, type FakeClock, newStripeId, seconds } from './events.ts'
import { type FormBody, object, text } from './form.ts'
import { findIntent } from './intents.ts'
import type { Account, Refund } from './objects.ts'

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
