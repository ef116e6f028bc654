/** Types of events that the endpoint at Stripe is subscribed to, and that `changes` reads. */

/** About payments that have no final state. */
const INTENTS = [
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'payment_intent.processing',
  'payment_intent.requires_action',
  'payment_intent.amount_capturable_updated',
] as const

/** About methods that are saved without a payment. */
const SETUPS = [
  'setup_intent.succeeded',
  'setup_intent.setup_failed',
  'setup_intent.canceled',
  'setup_intent.requires_action',
] as const

/** All five, because Stripe sends other types for the refund of a card than for that of a debit. */
const REFUNDS = [
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.refund.updated',
  'charge.refunded',
] as const

const DISPUTES = [
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
] as const

/** Stripe books the fee of a charge a while after it succeeded. */
const FEES = ['charge.updated'] as const

/** About saved methods that cannot be charged any more. */
const METHODS = ['mandate.updated', 'payment_method.detached'] as const

/** What an endpoint at Stripe subscribes to. */
export const STRIPE_NOTICE_TYPES: readonly string[] = [
  ...INTENTS,
  ...SETUPS,
  ...REFUNDS,
  ...DISPUTES,
  ...FEES,
  ...METHODS,
]

/** What tells of money that comes back and of removed methods, among all events of an account. */
export const CHANGE_TYPES: readonly string[] = [...REFUNDS, ...DISPUTES, ...METHODS]

const types = (list: readonly string[]) => new Set(list)
export const IS_INTENT: ReadonlySet<string> = types([...INTENTS, ...SETUPS])
export const IS_REFUND: ReadonlySet<string> = types(REFUNDS)
export const IS_DISPUTE: ReadonlySet<string> = types(DISPUTES)
export const IS_FEE: ReadonlySet<string> = types(FEES)
export const IS_METHOD: ReadonlySet<string> = types(METHODS)
