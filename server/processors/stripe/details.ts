import type Stripe from 'stripe'
import type { MethodDetails, ProcessorFees, ProcessorResponse, ThreeDs } from '../port.ts'
import { fromStripeAmount } from './amounts.ts'

type Approved = Extract<ProcessorResponse, { status: 'APPROVED' }>

/** Our method types by Stripe's. */
export const STRIPE_TYPES = {
  CARD: 'card',
  DIRECT_DEBIT: 'sepa_debit',
  IDEAL: 'ideal',
  BANCONTACT: 'bancontact',
  EPS: 'eps',
  PRZELEWY: 'p24',
} as const

export type MethodType = keyof typeof STRIPE_TYPES

/**
 * Electronic commerce indicators by which the bank bears the loss of a fraud. Mastercard counts otherwise
 * than all others: its 06 is an exemption that the merchant asked for, at their own risk.
 */
const SHIFTED = new Set(['05', '06'])
const SHIFTED_MASTERCARD = new Set(['01', '02'])

/** Results without an answer of the payer or the bank. */
const NOT_ASKED = new Set(['exempted', 'not_supported', 'processing_error'])

/** Returns what people recognize the method by; undefined while Stripe has not shown it. */
export function methodDetails(
  method: Stripe.PaymentMethod | null | string | undefined,
): MethodDetails | undefined {
  if (method === null || method === undefined || typeof method === 'string') return undefined
  const type = ourType(method.type)
  const { card, sepa_debit: debit } = method
  return {
    type,
    brand: card?.brand ?? null,
    last4: card?.last4 ?? debit?.last4 ?? null,
    exp_month: card?.exp_month ?? null,
    exp_year: card?.exp_year ?? null,
    funding: card?.funding ?? null,
    country: card?.country ?? debit?.country ?? null,
  }
}

/** A type that is not ours stays as Stripe names it. */
function ourType(type: string): string {
  return Object.entries(STRIPE_TYPES).find(([, name]) => name === type)?.[0] ?? type.toUpperCase()
}

/** The same for the same card or account; undefined for methods that are not kept. */
export function methodFingerprint(method: Stripe.PaymentMethod): string | undefined {
  const fingerprint = method.card?.fingerprint ?? method.sepa_debit?.fingerprint
  return fingerprint ? `stripe:${fingerprint}` : undefined
}

/** Returns what a charge says about authentication, risk and fees. */
export function chargeDetails(
  charge: Stripe.Charge | null | string | undefined,
): Pick<Approved, 'three_ds' | 'liability_shift' | 'review' | 'fees'> {
  if (charge === null || charge === undefined || typeof charge === 'string') return {}
  const card = charge.payment_method_details?.card
  const fees = chargeFees(charge)
  return {
    ...(card && { three_ds: threeDs(card.three_d_secure) }),
    ...(card?.three_d_secure && {
      liability_shift: (isMastercard(card) ? SHIFTED_MASTERCARD : SHIFTED).has(
        card.three_d_secure.electronic_commerce_indicator ?? '',
      ),
    }),
    ...(charge.outcome?.type === 'manual_review' && { review: true }),
    ...(fees && { fees }),
  }
}

function isMastercard({ network, brand }: Stripe.Charge.PaymentMethodDetails.Card): boolean {
  return (network ?? brand) === 'mastercard'
}

export function threeDs(
  result:
    | Pick<Stripe.Charge.PaymentMethodDetails.Card.ThreeDSecure, 'result' | 'authentication_flow'>
    | null
    | undefined,
): ThreeDs {
  if (!result || (result.result !== null && NOT_ASKED.has(result.result))) return 'NONE'
  if (result.result === 'failed') return 'FAILED'
  return result.authentication_flow === 'challenge' ? 'CHALLENGED' : 'FRICTIONLESS'
}

/** Undefined until Stripe has booked the charge. */
export function chargeFees(charge: Stripe.Charge): ProcessorFees | undefined {
  const booked = charge.balance_transaction
  if (booked === null || typeof booked === 'string') return undefined
  return bookedFees(booked)
}

/** Converts what Stripe has booked from its minor units to ours. */
export function bookedFees(
  booked: Pick<Stripe.BalanceTransaction, 'currency' | 'fee' | 'net'>,
): ProcessorFees {
  const currency = booked.currency.toUpperCase()
  return {
    // A fee may be in parts of a unit that payments in the currency cannot have.
    fee: Math.round(fromStripeAmount(booked.fee, currency)),
    net: Math.round(fromStripeAmount(booked.net, currency)),
    currency,
  }
}
