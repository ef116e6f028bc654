import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { PaymentOperation } from '../port.ts'
import type { StripeContext } from './context.ts'
import { type MethodType, STRIPE_TYPES } from './details.ts'
import { statementParams } from './statement.ts'

/** What an intent is shown with. */
export const EXPAND = ['latest_charge.balance_transaction', 'payment_method']

/** Returns the parameters that make an intent, which its idempotency key fixes. */
export function intentParams(
  { settings }: StripeContext,
  kind: 'PAY' | 'AUTHORISE',
  order: PaymentOperation,
  { amount, customer }: { amount: number; customer: string | undefined },
): Stripe.PaymentIntentCreateParams {
  const { method, payer } = order
  const type = STRIPE_TYPES[method.type as MethodType]
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
    ...(order.store && method.kind === 'NEW' && { setup_future_usage: 'off_session' }),
    ...(kind === 'AUTHORISE' && { capture_method: 'manual' }),
    metadata: { operation: order.operation, reference: order.payment_reference },
    description: order.description,
    ...statementParams(method.type, {
      own: order.statement_descriptor,
      suffix: settings.statement_suffix,
    }),
    ...(settings.on_behalf_of !== undefined && { on_behalf_of: settings.on_behalf_of }),
    ...threeDsOptions(settings, method.type),
  }
}

/** Returns the parameters that ask for 3-D Secure, where the settings do. */
export function threeDsOptions(
  { request_three_d_secure }: StripeContext['settings'],
  type: string,
) {
  if (type !== 'CARD' || request_three_d_secure === 'automatic') return {}
  return { payment_method_options: { card: { request_three_d_secure } } }
}

/** A stored token is `customer:method`. It never leaves the server. */
export function storedMethod(token: string): { customer: string; payment_method: string } {
  const [customer = '', payment_method = ''] = token.split(':')
  return { customer, payment_method }
}

/**
 * Returns whether a debit has no mandate: the payer gives one by paying, which Stripe wants to be shown by
 * their address. A merchant's statement that there is one on paper is not taken: it could not be proved
 * when the payer contests the debit.
 */
export function lacksMandate({
  method,
  initiator = 'PAYER',
  payer,
}: Pick<PaymentOperation, 'method' | 'payer'> & Partial<PaymentOperation>): boolean {
  const isFirst = method.type === 'DIRECT_DEBIT' && method.kind === 'NEW'
  return isFirst && (initiator === 'MERCHANT' || payer.ip === null)
}

/** Returns the parameters of a confirmation. */
export function confirmParams(order: PaymentOperation): Stripe.PaymentIntentConfirmParams {
  const { method, payer } = order
  const isAway = order.initiator === 'MERCHANT'
  const cvcToken = method.kind === 'STORED' ? method.csc_token : undefined
  // A debit, and anything that is kept, rests on the payer's mandate.
  const needsMandate =
    !isAway && payer.ip !== null && (method.type === 'DIRECT_DEBIT' || order.store)
  return {
    expand: EXPAND,
    ...(order.return_url !== '' && { return_url: order.return_url }),
    // Nobody is there to confirm a new method either, and `off_session` is for saved ones.
    ...(isAway &&
      (method.kind === 'STORED' ? { off_session: true } : { error_on_requires_action: true })),
    ...(cvcToken !== undefined && { payment_method_options: { card: { cvc_token: cvcToken } } }),
    ...(needsMandate && mandateData(payer.ip as string, payer.user_agent)),
  }
}

/** Returns the mandate that a payer gives online. */
export function mandateData(ip_address: string, user_agent: string | null) {
  return {
    mandate_data: {
      customer_acceptance: {
        type: 'online' as const,
        online: { ip_address, user_agent: user_agent ?? 'unknown' },
      },
    },
  }
}

/** Distinguishes a repeat from another use of the key. The security code is left out. */
export function contentHash(kind: string, order: PaymentOperation): string {
  const { amount, currency, method, store, payment_reference } = order
  const { kind: use, type, token } = method
  const content = [kind, amount, currency, use, type, token, store, payment_reference]
  return createHash('sha256').update(JSON.stringify(content)).digest('hex')
}
