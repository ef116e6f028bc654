/**
 * The state of a Stripe account in memory. It outlives the servers that use it, as the real one does.
 * Members are named as Stripe names them; times are epoch seconds, amounts Stripe's minor units.
 */

export interface Method {
  id: string
  type: string
  created: number
  /** Of a card; never in an answer. */
  number: string
  customer: string | null
  exp_month: number
  exp_year: number
  csc: string | null
  billing_details: Record<string, unknown>
  /** It has paid without a customer, so it is spent. */
  spent: boolean
  /** The payer confirmed a payment that set it up. */
  isSetUp: boolean
}

export type IntentStatus =
  | 'requires_payment_method'
  | 'requires_confirmation'
  | 'requires_action'
  | 'processing'
  | 'requires_capture'
  | 'succeeded'
  | 'canceled'

export interface Intent {
  id: string
  amount: number
  currency: string
  status: IntentStatus
  created: number
  livemode: boolean
  capture_method: 'automatic' | 'manual'
  customer: string | null
  payment_method: string | null
  payment_method_types: string[]
  setup_future_usage: 'off_session' | null
  metadata: Record<string, string>
  description: string | null
  client_secret: string
  return_url: string | null
  last_payment_error: Record<string, unknown> | null
  latest_charge: string | null
  amount_received: number
  canceled_at: number | null
}

/** Saves a method without a payment. */
export interface Setup {
  id: string
  status:
    | 'requires_payment_method'
    | 'requires_confirmation'
    | 'requires_action'
    | 'succeeded'
    | 'canceled'
  created: number
  livemode: boolean
  customer: string | null
  payment_method: string | null
  payment_method_types: string[]
  usage: string
  metadata: Record<string, string>
  description: string | null
  client_secret: string
  return_url: string | null
  last_setup_error: Record<string, unknown> | null
  three_d_secure: Record<string, unknown> | null
}

export interface Charge {
  id: string
  payment_intent: string
  amount: number
  amount_captured: number
  amount_refunded: number
  currency: string
  created: number
  livemode: boolean
  captured: boolean
  paid: boolean
  status: 'succeeded' | 'failed' | 'pending'
  payment_method: string
  three_d_secure: Record<string, unknown> | null
  balance_transaction: string | null
  disputed: boolean
  /** When Stripe booked it; null before. */
  booked: number | null
}

export interface Refund {
  id: string
  payment_intent: string
  charge: string
  amount: number
  currency: string
  created: number
  status: 'pending' | 'succeeded' | 'failed' | 'canceled' | 'requires_action'
  metadata: Record<string, string>
  failure_reason?: string
}

export interface Dispute {
  id: string
  charge: string
  payment_intent: string
  amount: number
  currency: string
  created: number
  livemode: boolean
  reason: string
  status: string
  due_by: number | null
}

/** What a payer allows to be charged again. */
export interface Mandate {
  id: string
  payment_method: string
  status: 'active' | 'inactive' | 'pending'
  livemode: boolean
}

export interface Event {
  id: string
  type: string
  created: number
  livemode: boolean
  object: Record<string, unknown>
  /** Members that have changed, as they were. */
  before?: Record<string, unknown>
}

export interface Endpoint {
  id: string
  url: string
  secret: string
  enabled_events: string[]
  created: number
  metadata: Record<string, string>
}

export interface Account {
  methods: Map<string, Method>
  customers: Map<string, { id: string; created: number; name: string | null; email: string | null }>
  intents: Map<string, Intent>
  setups: Map<string, Setup>
  charges: Map<string, Charge>
  refunds: Map<string, Refund>
  disputes: Map<string, Dispute>
  mandates: Map<string, Mandate>
  events: Event[]
  endpoints: Map<string, Endpoint>
  /** Security codes by `cvctok_…`. */
  cscTokens: Map<string, string>
}

export function newAccount(): Account {
  return {
    methods: new Map(),
    customers: new Map(),
    intents: new Map(),
    setups: new Map(),
    charges: new Map(),
    refunds: new Map(),
    disputes: new Map(),
    mandates: new Map(),
    events: [],
    endpoints: new Map(),
    cscTokens: new Map(),
  }
}
