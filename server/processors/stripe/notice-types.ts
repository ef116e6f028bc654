/**
 * The types of event that Stripe is asked to send. Refunds have several, because which of them Stripe
 * sends depends on the method of payment.
 */
export const STRIPE_NOTICE_TYPES = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.amount_capturable_updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refunded',
  'charge.refund.updated',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.updated',
  'mandate.updated',
  'payment_method.detached',
] as const
