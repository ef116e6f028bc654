import type { Selectable } from 'kysely'
import type { CheckoutRecord } from '../../shared/schemas/checkout-record.ts'
import type { Tables } from './tables.ts'

type Row<Name extends keyof Tables> = Selectable<Tables[Name]>

// Rows as they are read, one type for each table.

export type ActorSessionRow = Row<'actor_sessions'>
export type AttemptRow = Row<'attempts'>
export type ProcessorConnectionRow = Row<'processor_connections'>
export type ChargeRow = Row<'charges'>
export type CheckoutRow = Row<'checkouts'>
export type ClientRow = Row<'oauth_clients'>
export type CodeRow = Row<'oauth_codes'>
export type ContractRow = Row<'contracts'>
export type CounterRow = Row<'limit_counters'>
export type DeepLinkRow = Row<'deep_links'>
export type DeliveryRow = Row<'deliveries'>
export type EventRow = Row<'events'>
export type GrantRow = Row<'oauth_grants'>
export type Instance = Row<'instances'>
export type KeyRow = Row<'idempotency_keys'>
export type LegalEntityRow = Row<'legal_entities'>
export type LegalEntityRouteRow = Row<'legal_entity_routes'>
export type LinkRow = Row<'payment_links'>
export type DeepLinkSessionRow = Row<'deep_link_sessions'>
export type MailRow = Row<'mails'>
export type MethodSetupRow = Row<'method_setups'>
export type PartRow = Row<'payment_parts'>
export type PaymentMethodRow = Row<'payment_methods'>
export type PaymentRow = Row<'payments'>
export type RefundRow = Row<'refunds'>
export type ReversalRow = Row<'reversals'>
export type TokenRow = Row<'oauth_tokens'>
export type TokenToForgetRow = Row<'tokens_to_forget'>
export type TransactionRow = Row<'transactions'>
export type User = Row<'users'>
export type VoidRow = Row<'voids'>

/**
 * The payment link that a session pays. On a deep link its `id` is null until the first submit stores
 * it.
 */
export type SessionLink = Omit<LinkRow, 'id'> & { id: string | null }

/** A link with data derived from its sessions and payments. */
export interface LinkWithHistory extends LinkRow {
  opened: string | null
  last_opened: string | null
  attempts: number
}

/** A session with the hash of its bundle. */
export interface CheckoutWithBundle extends CheckoutRow {
  /** SHA-256, hex; null after the bundle was deleted. */
  strings_hash: string | null
}

/** A session with its payment attempts. */
export interface CheckoutWithHistory extends CheckoutWithBundle {
  /** Oldest first. */
  attempts: CheckoutRecord['attempts']
  /** The payer's input of the newest attempt, as JSON. */
  payer_details: string | null
}

/** The JSON in `checkouts.milestones`: instants by name. */
export type CheckoutMilestones = Partial<
  Record<'details_done' | 'method_chosen' | 'submitted' | 'challenged' | 'completed', string>
>
