import { type SqlBool, sql } from 'kysely'
import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'
import { literal } from '../db/partial-index.ts'
import type { Db } from '../db/tables.ts'
import { enabledInstances } from '../instances/store.ts'
import { onTestClock } from '../instances/test-clock-store.ts'

/** How long before a card's last month its customer is asked for another one. */
const NOTICE_MS = 30 * 86_400_000

/**
 * Returns the subject of the mail about the card of a contract and its expiry, so that a renewed card has
 * its own.
 */
export function expiringCard(
  contractId: string,
  { id, exp_year, exp_month }: Pick<PaymentMethodRow, 'id' | 'exp_year' | 'exp_month'>,
): string {
  return `${contractId} ${id} ${exp_year}-${exp_month}`
}

const subject = sql<string>`contracts.id || ' ' || payment_methods.id || ' '
  || payment_methods.exp_year || '-' || payment_methods.exp_month`

/** Months since the year 0, as `monthOf` counts them. */
const lastMonth = sql<number>`payment_methods.exp_year * 12 + payment_methods.exp_month`
const dueMonth = sql<number>`cast(substr(contracts.next_due, 1, 4) as integer) * 12
  + cast(substr(contracts.next_due, 6, 2) as integer)`

function monthOf(ms: number): number {
  const date = new Date(ms)
  return date.getUTCFullYear() * 12 + date.getUTCMonth() + 1
}

/**
 * Selects the contracts whose card expires before their next charge, and whose customers wish and can get
 * a mail about it that does not exist yet. With `moved`, only those of the instance with that id, whose
 * test clock was moved.
 */
function selectExpiring(db: Db, moved: string | undefined) {
  return db
    .selectFrom('contracts')
    .innerJoin('payment_methods', 'payment_methods.id', 'contracts.payment_method_id')
    .innerJoin('accounts', 'accounts.id', 'contracts.account_id')
    .where('contracts.status', '=', literal('ACTIVE'))
    .where('contracts.started', '=', literal(1))
    .where('contracts.next_due', 'is not', null)
    .where('contracts.instance_id', 'in', enabledInstances)
    .where(onTestClock('contracts.instance_id', moved))
    .where('payment_methods.type', '=', 'CARD')
    .where('payment_methods.status', '=', 'ACTIVE')
    .where('accounts.email', 'is not', null)
    .where('accounts.mail_notices', '=', 1)
    .where(sql<SqlBool>`${lastMonth} < ${dueMonth}`)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('mails')
            .select('mails.id')
            .where('mails.kind', '=', 'CARD_EXPIRING')
            .where('mails.subject', '=', subject),
        ),
      ),
    )
}

/** Returns the contracts with a card that is to be announced at `now` (epoch milliseconds). */
export function listExpiringCards(
  db: Db,
  { now, moved, limit }: { now: number; moved: string | undefined; limit: number },
) {
  return selectExpiring(db, moved)
    .select([
      'contracts.id as contract_id',
      'contracts.instance_id',
      'contracts.account_id',
      'payment_methods.id',
      'payment_methods.exp_year',
      'payment_methods.exp_month',
    ])
    .where(lastMonth, '<=', monthOf(now + NOTICE_MS))
    .orderBy('contracts.next_due')
    .limit(limit)
    .execute()
}

/**
 * Returns when the next card after `after` is to be announced, in the instance with the id `moved`.
 * Both are epoch milliseconds; undefined if there is none.
 */
export async function findNextNotice(
  db: Db,
  moved: string,
  after: number,
): Promise<number | undefined> {
  const { month } = await selectExpiring(db, moved)
    .select(sql<number | null>`min(${lastMonth})`.as('month'))
    .where(lastMonth, '>', monthOf(after + NOTICE_MS))
    .executeTakeFirstOrThrow()
  if (month === null) return undefined
  return Date.UTC(Math.floor((Number(month) - 1) / 12), (Number(month) - 1) % 12) - NOTICE_MS
}
