import { formatInstant } from '../../shared/rules/time.ts'
import type { Instance } from '../db/tables/instances.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { getInstance } from '../instances/store.ts'
import { expiringCard, findNextNotice, listExpiringCards } from './expiring-card.ts'
import { queueMail } from './outbox.ts'
import { accountLocale } from './payer-locale.ts'

const BATCH = 100

/**
 * Queues a mail about each stored card that expires before the next charge of an active contract, once
 * for a contract, a card and its expiry. With `moved`, only of the instance with that id, whose test clock
 * was moved. Returns the number.
 */
export async function queueExpiringCards(deps: Deps, moved?: string): Promise<number> {
  if (deps.config.mail === undefined) return 0
  const expiring = await listExpiringCards(deps.db, { now: deps.now(), moved, limit: BATCH })
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
        subject: expiringCard(contract_id, card),
        record_id: contract_id,
        ...locale,
      }),
    )
    if (mail) queued += 1
  }
  return queued
}

/**
 * Returns when the next card of an instance is to be announced, later than `after` and not later than
 * `until` (date-times), or undefined.
 */
export async function nextExpiringCard(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  instanceId: string,
  { after, until }: { after: string; until: string },
): Promise<string | undefined> {
  if (config.mail === undefined) return undefined
  const next = await findNextNotice(db, instanceId, Date.parse(after))
  const at = next === undefined ? undefined : formatInstant(next)
  return at === undefined || at > until ? undefined : at
}
