import type { Kysely, Transaction } from 'kysely'
import type { AccountsTable } from './tables/accounts.ts'
import type { ActorSessionsTable } from './tables/actor-sessions.ts'
import type { AuditTable } from './tables/audit.ts'
import type {
  AttemptsTable,
  PaymentPartsTable,
  PaymentsTable,
  TransactionsTable,
} from './tables/payments.ts'
import type { BucketsTable, LimitCountersTable } from './tables/rate-limits.ts'
import type {
  BundlesTable,
  StringAcksTable,
  StringChangesTable,
  StringRevisionsTable,
  StringsTable,
} from './tables/strings.ts'
import type { ChargesTable } from './tables/charges.ts'
import type {
  CheckoutAlertsTable,
  CheckoutCountChangesTable,
  CheckoutCountsTable,
} from './tables/checkout-monitor.ts'
import type { CheckoutsTable } from './tables/checkouts.ts'
import type { ContractsTable } from './tables/contracts.ts'
import type { DeepLinkSessionsTable, DeepLinksTable } from './tables/deep-links.ts'
import type { DeliveriesTable, WebhookEndpointsTable } from './tables/webhooks.ts'
import type { EventsTable } from './tables/events.ts'
import type {
  PasskeyChallengesTable,
  RecoveryCodesTable,
  SignInStepsTable,
  UserFactorsTable,
} from './tables/factors.ts'
import type { UserPreferencesTable } from './tables/user-preferences.ts'
import type { ViewsTable } from './tables/views.ts'
import type { FirstSignInsTable, UserSessionsTable, UsersTable } from './tables/users.ts'
import type { IdempotencyKeysTable } from './tables/idempotency-keys.ts'
import type {
  FiledTotalsTable,
  InsightBackfillsTable,
  InsightChangesTable,
  SearchWordsTable,
  TotalsTable,
} from './tables/insights.ts'
import type { InstancesTable, MerchantsTable, SecretKeysTable } from './tables/instances.ts'
import type {
  LegalEntitiesTable,
  LegalEntityRoutesTable,
  LegalEntityVersionsTable,
} from './tables/legal-entities.ts'
import type { MailsTable } from './tables/mails.ts'
import type { MethodSetupsTable } from './tables/method-setups.ts'
import type {
  OauthClientsTable,
  OauthCodesTable,
  OauthGrantsTable,
  OauthTokensTable,
} from './tables/oauth.ts'
import type { PaymentLinksTable } from './tables/payment-links.ts'
import type { PaymentMethodsTable, TokensToForgetTable } from './tables/payment-methods.ts'
import type {
  ProcessorConnectionsTable,
  ProcessorNoticesTable,
  ProcessorOperationsTable,
} from './tables/processor-connections.ts'
import type { RefundsTable } from './tables/refunds.ts'
import type { ReversalReadsTable, ReversalsTable } from './tables/reversals.ts'
import type { ServerKeysTable } from './tables/server-keys.ts'
import type { VoidsTable } from './tables/voids.ts'

/**
 * The tables, by name; `tables/` describes their columns and rows. Times are ISO 8601 UTC with
 * milliseconds (sorts as time), amounts are integer minor units of the row's currency, flags are 0 or
 * 1, and JSON is text because no query reads its members.
 */
export interface Tables {
  merchants: MerchantsTable
  instances: InstancesTable
  users: UsersTable
  secret_keys: SecretKeysTable
  accounts: AccountsTable
  payment_methods: PaymentMethodsTable
  payment_links: PaymentLinksTable
  deep_links: DeepLinksTable
  bundles: BundlesTable
  checkouts: CheckoutsTable
  checkout_counts: CheckoutCountsTable
  checkout_count_changes: CheckoutCountChangesTable
  checkout_alerts: CheckoutAlertsTable
  payments: PaymentsTable
  transactions: TransactionsTable
  attempts: AttemptsTable
  method_setups: MethodSetupsTable
  deep_link_sessions: DeepLinkSessionsTable
  strings: StringsTable
  string_revisions: StringRevisionsTable
  string_changes: StringChangesTable
  string_acks: StringAcksTable
  views: ViewsTable
  payment_parts: PaymentPartsTable
  refunds: RefundsTable
  voids: VoidsTable
  reversals: ReversalsTable
  reversal_reads: ReversalReadsTable
  tokens_to_forget: TokensToForgetTable
  contracts: ContractsTable
  charges: ChargesTable
  legal_entities: LegalEntitiesTable
  legal_entity_versions: LegalEntityVersionsTable
  legal_entity_routes: LegalEntityRoutesTable
  actor_sessions: ActorSessionsTable
  audit: AuditTable
  events: EventsTable
  insight_changes: InsightChangesTable
  insight_backfills: InsightBackfillsTable
  search_words: SearchWordsTable
  totals: TotalsTable
  filed_totals: FiledTotalsTable
  webhook_endpoints: WebhookEndpointsTable
  deliveries: DeliveriesTable
  mails: MailsTable
  idempotency_keys: IdempotencyKeysTable
  user_sessions: UserSessionsTable
  user_factors: UserFactorsTable
  user_preferences: UserPreferencesTable
  recovery_codes: RecoveryCodesTable
  passkey_challenges: PasskeyChallengesTable
  sign_in_steps: SignInStepsTable
  first_sign_ins: FirstSignInsTable
  limit_counters: LimitCountersTable
  buckets: BucketsTable
  oauth_clients: OauthClientsTable
  oauth_grants: OauthGrantsTable
  oauth_codes: OauthCodesTable
  oauth_tokens: OauthTokensTable
  server_keys: ServerKeysTable
  processor_connections: ProcessorConnectionsTable
  processor_operations: ProcessorOperationsTable
  processor_notices: ProcessorNoticesTable
}

export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>
