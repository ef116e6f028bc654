import { sql, type Updateable } from 'kysely'
import type { DeliveryRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, DeliveriesTable, Tx } from '../db/tables.ts'
import { withRowLock } from '../db/row-locks.ts'
import { afterCommit } from '../db/transaction.ts'
import { outbox } from '../events/outbox.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { ListTurn } from '../deps.ts'
import { newId } from '../ids.ts'
import type { Due } from './delivery-slots.ts'

/** What is to be sent where. */
export type NewDelivery = Pick<DeliveryRow, 'instance_id' | 'endpoint_id' | 'event_id'>

/** Rows in one statement. Few sizes serve every number, because each is a statement of its own. */
const PIECES = [256, 32, 4, 1]

/**
 * Has events sent, due at `now` (epoch ms). Where one was sent before, `again` says whether it is
 * sent once more; otherwise that stays as it is.
 */
export async function queueDeliveries(
  tx: Tx,
  pairs: readonly NewDelivery[],
  { now, again }: { now: number; again: boolean },
): Promise<void> {
  const rows = pairs.map((pair) => newDelivery(pair, now))
  if (rows.length > 0) afterCommit(tx, emitDelivery)
  const { attempts, status, next_attempt, updated } = newDelivery(EMPTY, now)
  for (const size of PIECES) {
    while (rows.length >= size) {
      await tx
        .insertInto('deliveries')
        .values(rows.splice(0, size))
        .onConflict((conflict) => {
          const same = conflict.columns(['event_id', 'endpoint_id'])
          // The lease stays: whoever is sending it now must not be joined by another.
          return again
            ? same.doUpdateSet({ attempts, status, next_attempt, updated })
            : same.doNothing()
        })
        .execute()
    }
  }
}

const emitDelivery = () => void outbox.emit('delivery')

const EMPTY: NewDelivery = { instance_id: '', endpoint_id: '', event_id: '' }

function newDelivery(pair: NewDelivery, now: number): DeliveryRow {
  const created = formatInstant(now)
  return {
    id: newId('dlv', now),
    ...pair,
    status: 'WAITING',
    attempts: 0,
    next_attempt: created,
    leased_until: null,
    last_attempt: null,
    response_status: null,
    error: null,
    delivered: null,
    created,
    updated: created,
  }
}

/** Its time has come, and nobody is sending it. */
const isDue = (now: string) => sql<boolean>`
  deliveries.next_attempt <= ${now}
  and (deliveries.leased_until is null or deliveries.leased_until <= ${now})
`

/** Enabled webhooks, of all instances, that something is due for; who waits longest comes first. */
export async function listDueWebhooks(db: Db, now: string): Promise<Due[]> {
  const enabled = db
    .selectFrom('webhook_endpoints')
    .select((eb) => [
      'webhook_endpoints.id',
      'webhook_endpoints.instance_id',
      'webhook_endpoints.failing_since',
      eb
        .selectFrom('deliveries')
        .select('deliveries.next_attempt')
        .whereRef('deliveries.endpoint_id', '=', 'webhook_endpoints.id')
        .where(isDue(now))
        .orderBy('deliveries.next_attempt')
        .limit(1)
        .as('due'),
    ])
    .where('webhook_endpoints.enabled', '=', 1)
  return db
    .selectFrom(enabled.as('webhooks'))
    .select(['webhooks.id', 'webhooks.instance_id', 'webhooks.failing_since'])
    .where('webhooks.due', 'is not', null)
    .orderBy('webhooks.due')
    .execute()
}

/**
 * Leases at most `limit` deliveries that are due to one webhook, oldest first, and returns their
 * ids. No two processes get the same; one that dies loses its own at `until`. Those that somebody
 * writes at this moment, such as a replay, are not waited for and left to the next round.
 */
export async function leaseDue(
  db: Db,
  endpointId: string,
  { now, until, limit }: { now: string; until: string; limit: number },
): Promise<string[]> {
  const leased = await db
    .updateTable('deliveries')
    .set({ leased_until: until })
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('deliveries.id')
        .where('deliveries.endpoint_id', '=', endpointId)
        .where(isDue(now))
        .orderBy('deliveries.next_attempt')
        .limit(limit)
        .$call(withRowLock(db, 'no key update', { skipLocked: true })),
    )
    .returning('id')
    .execute()
  return leased.map(({ id }) => id)
}

/** A leased delivery with all that sending it takes. */
export interface Dispatch {
  id: string
  attempts: number
  leased_until: string
  event_id: string
  event_type: string
  event_created: string
  event_data: string
  instance_id: string
  instance_key: string
  instance_mode: 'TEST' | 'LIVE'
  clock_offset_ms: number | null
  endpoint_id: string
  url: string
  secret: string
  previous_secret: string | null
  previous_until: string | null
  failing_since: string | null
}

/** Undefined when the webhook is disabled or gone since it was leased. */
export async function findDispatch(db: Db, id: string): Promise<Dispatch | undefined> {
  return db
    .selectFrom('deliveries as d')
    .innerJoin('events as e', 'e.id', 'd.event_id')
    .innerJoin('instances as i', 'i.id', 'd.instance_id')
    .innerJoin('webhook_endpoints as w', 'w.id', 'd.endpoint_id')
    .select([
      'd.id',
      'd.attempts',
      'd.event_id',
      'e.type as event_type',
      'e.created as event_created',
      'e.data as event_data',
      'd.instance_id',
      'i.key as instance_key',
      'i.mode as instance_mode',
      'i.clock_offset_ms',
      'd.endpoint_id',
      'w.url',
      'w.secret',
      'w.previous_secret',
      'w.previous_until',
      'w.failing_since',
    ])
    .select((eb) => eb.ref('d.leased_until').$notNull().as('leased_until'))
    .where('d.id', '=', id)
    .where('d.leased_until', 'is not', null)
    .where('w.enabled', '=', 1)
    .executeTakeFirst()
}

/** Ends a delivery that the receiver took, also when the lease was lost over it. */
export async function updateDelivered(
  tx: Tx,
  id: string,
  change: Updateable<DeliveriesTable>,
): Promise<void> {
  await tx
    .updateTable('deliveries')
    .set({ ...change, leased_until: null })
    .where('id', '=', id)
    .execute()
}

/**
 * Records a failed attempt; false when the lease was lost, or a replay has begun it again since it
 * was sent, and then what failed is no longer what counts.
 */
export async function updateLeased(
  tx: Tx,
  { id, attempts, leased_until }: Pick<Dispatch, 'id' | 'attempts' | 'leased_until'>,
  change: Updateable<DeliveriesTable>,
): Promise<boolean> {
  const result = await tx
    .updateTable('deliveries')
    .set({ ...change, leased_until: null })
    .where('id', '=', id)
    .where('leased_until', '=', leased_until)
    .where('attempts', '=', attempts)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/** One page of what goes to one webhook, with the types of its events, and how many match. */
export function listDeliveries(
  turn: ListTurn,
  webhook: { instanceId: string; id: string },
  list: ListQuery,
): Promise<Page<DeliveryRow & { type: string }>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.event_id')
      .selectAll('deliveries')
      .select('events.type')
      .where('deliveries.instance_id', '=', webhook.instanceId)
      .where('deliveries.endpoint_id', '=', webhook.id)
      .where(list.where),
  )
}

/** Deletes at most `limit` deliveries to a webhook. Answers how many. */
export async function deleteDeliveries(
  db: Db,
  instanceId: string,
  endpointId: string,
  limit: number,
): Promise<number> {
  const result = await db
    .deleteFrom('deliveries')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('deliveries')
        .select('id')
        .where('instance_id', '=', instanceId)
        .where('endpoint_id', '=', endpointId)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
