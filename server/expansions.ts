import { loadAccounts } from './accounts/load.ts'
import { loadActorSessions } from './actor-sessions/load.ts'
import { loadCharges } from './charges/load.ts'
import { loadContracts } from './contracts/load.ts'
import type { ExpandGraph } from './http/expand.ts'
import { loadPaymentLinks } from './payment-links/load.ts'
import { loadPaymentMethods } from './payment-methods/load.ts'
import { loadPayments, loadTransactions } from './payments/load.ts'

const SESSIONS = { created_session: 'session', updated_session: 'session' }

/**
 * Which member of which record can be expanded, and into what (specification: Expandable). The
 * kinds are named as the interface names their records, and captures are payments. Each kind names
 * only kinds above it, so that no expansion can come round to where it began, and a schema can
 * import the schemas of all that it may contain.
 */
export const EXPANSIONS: ExpandGraph = {
  session: { load: loadActorSessions, members: {} },
  transaction: { load: loadTransactions, members: {} },
  account: {
    load: loadAccounts,
    members: { last_transaction: 'transaction', ...SESSIONS },
  },
  payment_method: { load: loadPaymentMethods, members: { account: 'account' } },
  contract: {
    load: loadContracts,
    members: { account: 'account', payment_method: 'payment_method', ...SESSIONS },
  },
  charge: {
    load: loadCharges,
    members: {
      account: 'account',
      contract: 'contract',
      payment_method: 'payment_method',
      ...SESSIONS,
    },
  },
  payment: {
    load: loadPayments,
    members: {
      account: 'account',
      charge: 'charge',
      contract: 'contract',
      parts: { kind: 'charge', inEach: 'charge' },
      payment_method: 'payment_method',
      transaction: 'transaction',
    },
  },
  payment_link: {
    load: loadPaymentLinks,
    members: {
      account: 'account',
      charge: 'charge',
      contract: 'contract',
      payment: 'payment',
      payment_method: 'payment_method',
      transaction: 'transaction',
    },
  },
  refund: {
    members: { account: 'account', payment: 'payment', source_transaction: 'transaction' },
  },
  reversal: { members: { payment: 'payment' } },
  void: { members: { payment: 'payment', transaction: 'transaction' } },
  checkout: { members: { account: 'account', payment_link: 'payment_link' } },
  instance_webhook: { members: SESSIONS },
}
