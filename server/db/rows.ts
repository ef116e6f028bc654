export type { ActorSessionRow } from './tables/actor-sessions.ts'
export type { ChargeRow } from './tables/charges.ts'
export type {
  CheckoutRow,
  CheckoutWithBundle,
  CheckoutWithHistory,
  CheckoutMilestones,
} from './tables/checkouts.ts'
export type { ContractRow } from './tables/contracts.ts'
export type { DeepLinkRow, DeepLinkSessionRow } from './tables/deep-links.ts'
export type { EventRow } from './tables/events.ts'
export type { KeyRow } from './tables/idempotency-keys.ts'
export type { Instance } from './tables/instances.ts'
export type { LegalEntityRow, LegalEntityRouteRow } from './tables/legal-entities.ts'
export type { MailRow } from './tables/mails.ts'
export type { MethodSetupRow } from './tables/method-setups.ts'
export type { ClientRow, CodeRow, GrantRow, TokenRow } from './tables/oauth.ts'
export type { LinkRow, SessionLink, LinkWithHistory } from './tables/payment-links.ts'
export type { PaymentMethodRow, TokenToForgetRow } from './tables/payment-methods.ts'
export type { AttemptRow, PartRow, PaymentRow, TransactionRow } from './tables/payments.ts'
export type { ProcessorConnectionRow } from './tables/processor-connections.ts'
export type { CounterRow } from './tables/rate-limits.ts'
export type { RefundRow } from './tables/refunds.ts'
export type { ReversalRow } from './tables/reversals.ts'
export type { User } from './tables/users.ts'
export type { VoidRow } from './tables/voids.ts'
export type { DeliveryRow } from './tables/webhooks.ts'
