import { cardBrand, cardCountry } from './cards.ts'
import type { Account, Charge, Dispute, Event, Intent, Mandate, Method, Refund } from './objects.ts'

/** The answers of the API, in the form of Stripe's description. `expand` names members as requests do. */

type Json = Record<string, unknown>

export function intentAnswer(account: Account, intent: Intent, expand: readonly string[]): Json {
  const { number: _own, ...members } = { number: '', ...intent }
  const method =
    intent.payment_method === null ? undefined : account.methods.get(intent.payment_method)
  const charge =
    intent.latest_charge === null ? undefined : account.charges.get(intent.latest_charge)
  const { return_url, ...shown } = members
  return {
    object: 'payment_intent',
    ...shown,
    amount_capturable: intent.status === 'requires_capture' ? intent.amount : 0,
    confirmation_method: 'automatic',
    next_action:
      intent.status === 'requires_action'
        ? {
            type: 'redirect_to_url',
            redirect_to_url: { return_url, url: challengeUrl(account, intent) },
          }
        : null,
    payment_method:
      method && expand.includes('payment_method') ? methodAnswer(method) : intent.payment_method,
    latest_charge:
      charge && expand.some((name) => name.startsWith('latest_charge'))
        ? chargeAnswer(account, charge, expand.includes('latest_charge.balance_transaction'))
        : intent.latest_charge,
  }
}

const urls = new WeakMap<Account, string>()

/** The pages of banks are on the fake itself. */
export function setBankUrl(account: Account, url: string): void {
  urls.set(account, url)
}

export function challengeUrl(account: Account, { id }: { id: string }): string {
  return `${urls.get(account)}/bank/${id}`
}

export function methodAnswer(method: Method): Json {
  const { id, type, created, customer, billing_details } = method
  const last4 = method.number.slice(-4)
  const details =
    type === 'card'
      ? {
          card: {
            brand: cardBrand(method.number),
            country: cardCountry(method.number),
            exp_month: method.exp_month,
            exp_year: method.exp_year,
            fingerprint: fingerprint(method.number),
            funding: 'credit',
            last4,
          },
        }
      : type === 'sepa_debit'
        ? {
            sepa_debit: {
              bank_code: method.number.slice(4, 8),
              branch_code: null,
              country: method.number.slice(0, 2),
              fingerprint: fingerprint(method.number),
              generated_from: null,
              last4,
            },
          }
        : { [type]: {} }
  return {
    object: 'payment_method',
    id,
    type,
    created,
    livemode: false,
    customer,
    billing_details: { address: null, email: null, name: null, phone: null, ...billing_details },
    metadata: {},
    ...details,
  }
}

function fingerprint(number: string): string {
  return `fp${Buffer.from(number).toString('base64url').slice(0, 14)}`
}

export function chargeAnswer(account: Account, charge: Charge, withBalance: boolean): Json {
  const { three_d_secure, booked: _booked, ...members } = charge
  const method = account.methods.get(charge.payment_method)
  const type = method?.type ?? 'card'
  return {
    object: 'charge',
    ...members,
    billing_details: { address: null, email: null, name: null, phone: null },
    metadata: {},
    outcome: { type: charge.paid ? 'authorized' : 'issuer_declined' },
    refunded: charge.amount_refunded >= charge.amount,
    payment_method_details: {
      type,
      ...(type === 'card' &&
        method && {
          card: {
            brand: cardBrand(method.number),
            checks: null,
            country: 'GB',
            exp_month: method.exp_month,
            exp_year: method.exp_year,
            funding: 'credit',
            installments: null,
            last4: method.number.slice(-4),
            mandate: null,
            network: cardBrand(method.number),
            three_d_secure,
            wallet: null,
          },
        }),
    },
    balance_transaction:
      withBalance && charge.balance_transaction !== null
        ? balanceAnswer(charge)
        : charge.balance_transaction,
  }
}

export function mandateAnswer({ id, payment_method, status, livemode }: Mandate): Json {
  return {
    object: 'mandate',
    id,
    livemode,
    payment_method,
    status,
    type: 'multi_use',
    customer_acceptance: { accepted_at: null, type: 'online' },
    multi_use: {},
    payment_method_details: { type: 'sepa_debit', sepa_debit: { reference: id, url: '' } },
  }
}

/** A fee of 1.4 % and 20 minor units. */
export function chargeFee({ amount }: Pick<Charge, 'amount'>): number {
  return Math.round(amount * 0.014) + 20
}

/** `source` is the charge, or its id. */
export function balanceAnswer(charge: Charge, source: Json | string = charge.id): Json {
  const booked = charge.booked ?? charge.created
  const fee = chargeFee(charge)
  return {
    object: 'balance_transaction',
    id: charge.balance_transaction,
    amount: charge.amount,
    available_on: booked,
    created: booked,
    currency: charge.currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details: [],
    net: charge.amount - fee,
    reporting_category: 'charge',
    source,
    status: 'pending',
    type: 'charge',
  }
}

export function refundAnswer(refund: Refund): Json {
  return { object: 'refund', balance_transaction: null, reason: null, ...refund }
}

/** `expand` names members as requests do. */
export function disputeAnswer(account: Account, dispute: Dispute, expand: readonly string[]): Json {
  const { due_by, ...members } = dispute
  const charge = account.charges.get(dispute.charge)
  return {
    object: 'dispute',
    ...members,
    charge:
      charge && expand.includes('charge') ? chargeAnswer(account, charge, false) : dispute.charge,
    balance_transactions: [],
    evidence: EVIDENCE,
    evidence_details: {
      due_by,
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    metadata: {},
  }
}

const EVIDENCE = Object.fromEntries(
  [
    'access_activity_log',
    'billing_address',
    'cancellation_policy',
    'cancellation_policy_disclosure',
    'cancellation_rebuttal',
    'customer_communication',
    'customer_email_address',
    'customer_name',
    'customer_purchase_ip',
    'customer_signature',
    'duplicate_charge_documentation',
    'duplicate_charge_explanation',
    'duplicate_charge_id',
    'product_description',
    'receipt',
    'refund_policy',
    'refund_policy_disclosure',
    'refund_refusal_explanation',
    'service_date',
    'service_documentation',
    'shipping_address',
    'shipping_carrier',
    'shipping_date',
    'shipping_documentation',
    'shipping_tracking_number',
    'uncategorized_file',
    'uncategorized_text',
  ].map((name) => [name, null]),
)

export function eventAnswer({ id, type, created, livemode, object, before }: Event): Json {
  return {
    object: 'event',
    id,
    type,
    created,
    livemode,
    api_version: '2026-08-26.dahlia',
    data: { object, ...(before && { previous_attributes: before }) },
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
  }
}

/** A page of a list, newest first, after the object with the id `starting_after`. */
export function listAnswer(
  url: string,
  items: readonly Json[],
  { limit = '10', starting_after }: { limit?: string; starting_after?: string },
): Json {
  const start =
    starting_after === undefined ? 0 : items.findIndex(({ id }) => id === starting_after) + 1
  const data = items.slice(start, start + Number(limit))
  return { object: 'list', url, data, has_more: start + data.length < items.length }
}
