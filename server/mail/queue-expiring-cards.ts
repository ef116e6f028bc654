import { sql } from 'kysely'
import type { Instance } from '../db/tables/instances.ts'
import type { Db } from '../db/tables.ts'
import { literal } from '../db/partial-index.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { enabledInstances, getInstance } from '../instances/store.ts'
import { onTestClock } from '../instances/test-clock-store.ts'
import { expiringCard } from './expiring-card.ts'
import { queueMail } from './outbox.ts'
import { accountLocale } from './payer-locale.ts'

/** How long before a card's last day its customer is asked for another one. */
const NOTICE_MS = 30 * 86_400_000
const BATCH = 100

/**
 * Queues a mail about each stored card that expires before the next charge of an active contract, once
 * for a card and its expiry. With `moved`, only of the instance with that id, whose test clock was
 * moved. Returns the number.
 */
export async function queueExpiringCards(deps: Deps, moved?: string): Promise<number> {
  if (deps.config.mail === undefined) return 0
  const expiring = await listExpiringCards(deps.db, { until: deps.now() + NOTICE_MS, moved })
  const instances = new Map<string, Instance>()
  let queued = 0
  for (const { contract_id, instance_id, account_id, ...card } of expiring) {
    const instance = instances.get(instance_id) ?? (await getInstance(deps.db, instance_id))
    instances.set(instance_id, instance)
    const locale = await accountLocale(deps.db, instance, account_id)
    const mail = await inTransaction(deps.db, (tx) =>
      queueMail(deps, tx, {
        instance_id,
        kind: 'CARD_EXPIRING',
        subject: expiringCard(card),
        record_id: contract_id,
        ...locale,
      }),
    )
    if (mail) queued += 1
  }
  return queued
}

/** Returns cards whose last month begins until `until` and that have no mail about that yet. */
async function listExpiringCards(
  db: Db,
  { until, moved }: { until: number; moved: string | undefined },
) {
  const date = new Date(until)
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth() + 1
  const lastMonth = sql<number>`payment_methods.exp_year * 12 + payment_methods.exp_month`
  const dueMonth = sql<number>`cast(substr(contracts.next_due, 1, 4) as integer) * 12
    + cast(substr(contracts.next_due, 6, 2) as integer)`
  return db
    .selectFrom('contracts')
    .innerJoin('payment_methods', 'payment_methods.id', 'contracts.payment_method_id')
    .innerJoin('accounts', 'accounts.id', 'contracts.account_id')
    .select([
      'contracts.id as contract_id',
      'contracts.instance_id',
      'contracts.account_id',
      'payment_methods.id',
      'payment_methods.exp_year',
      'payment_methods.exp_month',
    ])
    .where('contracts.status', '=', literal('ACTIVE'))
    .where('contracts.started', '=', literal(1))
    .where('contracts.next_due', 'is not', null)
    .where('contracts.instance_id', 'in', enabledInstances)
    .where(onTestClock('contracts.instance_id', moved))
    .where('payment_methods.type', '=', 'CARD')
    .where('payment_methods.status', '=', 'ACTIVE')
    .where('accounts.email', 'is not', null)
    .where(lastMonth, '<=', month)
    .where(lastMonth, '<', dueMonth)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('mails')
            .select('mails.id')
            .where('mails.kind', '=', 'CARD_EXPIRING')
            .where(
              'mails.subject',
              '=',
              sql<string>`payment_methods.id || ' ' || payment_methods.exp_year || '-' || payment_methods.exp_month`,
            ),
        ),
      ),
    )
    .orderBy('contracts.next_due')
    .limit(BATCH)
    .execute()
}
