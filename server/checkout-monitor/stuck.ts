import { sql } from 'kysely'
import type { StuckOperation } from '../../shared/schemas/checkout-monitor.ts'
import { amountText } from '../../shared/rules/currency.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Fields } from '../criteria/fields.ts'
import { literal } from '../db/partial-index.ts'
import type { Db } from '../db/tables.ts'
import type { ListTurn } from '../deps.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'

/** How long a session may wait for its processor. */
const PATIENCE_MS = 600_000

export interface StuckRow extends Omit<StuckOperation, 'payment_link' | 'account' | 'amount'> {
  payment_link_id: string | null
  account_id: string | null
  /** Minor units of the currency. */
  amount: number | null
}

export const STUCK_FILTERS: Fields = {
  id: { type: 'id', column: 'stuck.id', notNull: true },
  type: { type: 'enum', column: 'stuck.type', values: ['CHECKOUT', 'PAYMENT'] },
  status: {
    type: 'enum',
    column: 'stuck.status',
    values: ['SUBMITTED', 'PENDING', 'UNRESOLVED'],
  },
  payment_link: { type: 'id', column: 'stuck.payment_link_id' },
  account: { type: 'id', column: 'stuck.account_id' },
  currency: { type: 'text', column: 'stuck.currency' },
  since: { type: 'date', column: 'stuck.since', notNull: true },
  created: { type: 'date', column: 'stuck.created', notNull: true },
}

/**
 * Lists sessions that have waited for their processor for ten minutes at `now` (epoch ms), and payments
 * whose outcome is unknown.
 */
export function listStuck(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
  now: number,
): Promise<Page<StuckRow>> {
  return readPage(turn, list, (db) => stuckOf(db, instanceId, now).where(list.where))
}

function stuckOf(db: Db, instanceId: string, now: number) {
  const checkouts = db
    .selectFrom('checkouts')
    .select(['id', sql.lit('CHECKOUT').as('type')])
    .select(['status', 'payment_link_id', 'account_id', 'amount', 'currency'])
    .select(['updated as since', 'created'])
    .where('instance_id', '=', instanceId)
    // The exact condition of the partial index.
    .where(sql<boolean>`status in ('SUBMITTED', 'PENDING')`)
    .where('updated', '<=', formatInstant(now - PATIENCE_MS))
    .$castTo<StuckRow>()
  const payments = db
    .selectFrom('payments')
    .select(['id', sql.lit('PAYMENT').as('type')])
    .select(['status', 'payment_link_id', 'account_id', 'amount', 'currency'])
    .select(['created as since', 'created'])
    .where('instance_id', '=', instanceId)
    .where('status', '=', literal('UNRESOLVED'))
    .$castTo<StuckRow>()
  return db.selectFrom(checkouts.unionAll(payments).as('stuck')).selectAll()
}

export function serializeStuck(row: StuckRow): StuckOperation {
  const { id, type, status, amount, currency } = row
  return {
    id,
    type,
    status,
    payment_link: row.payment_link_id,
    account: row.account_id,
    amount: amount === null || currency === null ? null : amountText(amount, currency),
    currency,
    since: row.since,
    created: row.created,
  }
}
