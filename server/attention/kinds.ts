import { type RawBuilder, sql, type SqlBool } from 'kysely'
import type { Permission } from '../../shared/rules/permissions.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { AttentionKind } from '../../shared/schemas/attention.ts'
import { listCharges } from '../charges/store.ts'
import { CHARGE_FILTERS } from '../charges/filters.ts'
import type { Fields } from '../criteria/fields.ts'
import type { ListTurn } from '../deps.ts'
import type { ListQuery, Page } from '../http/list-query.ts'
import type { RestrictedCaller } from '../http/scopes.ts'
import { paymentLinkFilters } from '../payment-links/filters.ts'
import { listLinks } from '../payment-links/queries.ts'
import { PAYMENT_FILTERS, REFUND_FILTERS, REVERSAL_FILTERS } from '../payments/filters.ts'
import { listRefunds } from '../payments/refunds.ts'
import { listReversals } from '../payments/reversals.ts'
import { listPayments } from '../payments/store.ts'
import { PROCESSOR_FILTERS } from '../processor-connections/filters.ts'
import { listConnections } from '../processor-connections/store.ts'
import { SECRET_KEY_FILTERS } from '../secret-keys/filters.ts'
import { readSecretKeys } from '../secret-keys/store.ts'
import { viewerOf } from '../user-management/caller.ts'
import { USER_FILTERS } from '../user-management/filters.ts'
import { readUsers } from '../user-management/store.ts'
import { WEBHOOK_FILTERS } from '../webhooks/filters.ts'
import { listWebhooks } from '../webhooks/store.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const LINK_WARNING_MS = 2 * DAY_MS
const KEY_WARNING_MS = 7 * DAY_MS

/** Records of one list that need attention. */
export interface ListedKind {
  /** The path of their list. */
  path: string
  needs: Permission
  filters: (now: number) => Fields
  /** They end by the real time, whatever the test clock of the instance says. */
  realTime?: true
  /** The criteria that list them at `now`, in epoch milliseconds. */
  criteria: (now: number) => string
  /** The exact condition of the partial index that finds them; the criteria imply it. */
  indexed?: RawBuilder<SqlBool>
  list: (
    turn: ListTurn,
    instanceId: string,
    list: ListQuery,
    caller: RestrictedCaller | undefined,
  ) => Promise<Page<unknown>>
}

export const LISTED_KINDS: Readonly<Record<Exclude<AttentionKind, 'stale_strings'>, ListedKind>> = {
  unresolved: {
    path: '/payments',
    needs: 'payments:read',
    filters: () => PAYMENT_FILTERS,
    criteria: (now) => `status=UNRESOLVED,created<${formatInstant(now - MINUTE_MS)}`,
    indexed: sql`payments.status = 'UNRESOLVED'`,
    list: (turn, id, list) => listPayments(turn, id, ['PAYMENT', 'AUTH'], list),
  },
  manual_refunds: {
    path: '/refunds',
    needs: 'payments:read',
    filters: () => REFUND_FILTERS,
    criteria: () => 'manual=Y,status=PENDING',
    indexed: sql`refunds.manual = 1 and refunds.status = 'PENDING'`,
    list: listRefunds,
  },
  open_disputes: {
    path: '/reversals',
    needs: 'payments:read',
    filters: () => REVERSAL_FILTERS,
    criteria: () => 'type=DISPUTE;INQUIRY,status=OPEN',
    indexed: sql`reversals.status = 'OPEN'`,
    list: listReversals,
  },
  failed_charges: {
    path: '/charges',
    needs: 'charges:read',
    filters: () => CHARGE_FILTERS,
    criteria: () => 'status=ACTIVE,attempts>=3',
    indexed: sql`charges.status = 'ACTIVE' and charges.attempts >= 3`,
    list: listCharges,
  },
  links_ending: {
    path: '/payment_links',
    needs: 'payment_links:read',
    filters: paymentLinkFilters,
    criteria: (now) =>
      `status=ACTIVE,expires>${formatInstant(now)},expires<=${formatInstant(now + LINK_WARNING_MS)}`,
    indexed: sql`payment_links.status = 'ACTIVE' and payment_links.expires is not null`,
    list: (turn, id, list) => listLinks(turn, id, list),
  },
  failing_webhooks: {
    path: '/instance_webhooks',
    needs: 'webhooks:read',
    filters: () => WEBHOOK_FILTERS,
    criteria: () => 'failing_since!!',
    list: listWebhooks,
  },
  broken_processors: {
    path: '/processors',
    needs: 'processors:read',
    filters: () => PROCESSOR_FILTERS,
    criteria: () => 'status=BROKEN',
    list: listConnections,
  },
  expiring_keys: {
    path: '/secret_keys',
    needs: 'keys:read',
    realTime: true,
    filters: () => SECRET_KEY_FILTERS,
    criteria: (now) =>
      `revoked!,expires>${formatInstant(now)},expires<=${formatInstant(now + KEY_WARNING_MS)}`,
    list: readSecretKeys,
  },
  owners_without_factor: {
    path: '/users',
    needs: 'users:read',
    filters: () => USER_FILTERS,
    criteria: () => 'role=OWNER,second_factor=N,disabled=N',
    list: (turn, id, list, caller) => readUsers(turn, viewerOf(id, caller), list),
  },
}
