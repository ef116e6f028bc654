import type { Selectable } from 'kysely'
import type { CheckoutRecord } from '../../shared/schemas/checkout-record.ts'
import type {
  ActorSessionsTable,
  AttemptsTable,
  ChargesTable,
  CheckoutsTable,
  ContractsTable,
  DeliveriesTable,
  EventsTable,
  IdempotencyKeysTable,
  InstancesTable,
  LimitCountersTable,
  OauthClientsTable,
  OauthCodesTable,
  OauthGrantsTable,
  OauthTokensTable,
  PaymentLinksTable,
  PaymentMethodsTable,
  PaymentPartsTable,
  PaymentsTable,
  RefundsTable,
  ReversalsTable,
  TransactionsTable,
  UsersTable,
  VoidsTable,
} from './tables.ts'
import type { ProcessorConnectionsTable } from './processor-tables.ts'

// Rows as they are read, one type for each table.

export type ActorSessionRow = Selectable<ActorSessionsTable>
export type AttemptRow = Selectable<AttemptsTable>
export type ProcessorConnectionRow = Selectable<ProcessorConnectionsTable>
export type ChargeRow = Selectable<ChargesTable>
export type CheckoutRow = Selectable<CheckoutsTable>
export type ClientRow = Selectable<OauthClientsTable>
export type CodeRow = Selectable<OauthCodesTable>
export type ContractRow = Selectable<ContractsTable>
export type CounterRow = Selectable<LimitCountersTable>
export type DeliveryRow = Selectable<DeliveriesTable>
export type EventRow = Selectable<EventsTable>
export type GrantRow = Selectable<OauthGrantsTable>
export type Instance = Selectable<InstancesTable>
export type KeyRow = Selectable<IdempotencyKeysTable>
export type LinkRow = Selectable<PaymentLinksTable>
export type PartRow = Selectable<PaymentPartsTable>
export type PaymentMethodRow = Selectable<PaymentMethodsTable>
export type PaymentRow = Selectable<PaymentsTable>
export type RefundRow = Selectable<RefundsTable>
export type ReversalRow = Selectable<ReversalsTable>
export type TokenRow = Selectable<OauthTokensTable>
export type TransactionRow = Selectable<TransactionsTable>
export type User = Selectable<UsersTable>
export type VoidRow = Selectable<VoidsTable>

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
