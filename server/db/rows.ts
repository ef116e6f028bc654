import type { Selectable } from 'kysely'
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

// Rows as they are read, one type for each table.

export type ActorSessionRow = Selectable<ActorSessionsTable>
export type AttemptRow = Selectable<AttemptsTable>
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
