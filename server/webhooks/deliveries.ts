import { sql, type Updateable } from 'kysely'
import type { DeliveryRow, DeliveriesTable } from '../db/tables/webhooks.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import { withRowLock } from '../db/row-locks.ts'
import { afterCommit } from '../db/transaction.ts'
import { jobSignals } from '../events/job-signals.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { ListTurn } from '../deps.ts'
import { newId } from '../ids.ts'
import type { DueWebhook } from './delivery-slots.ts'

export type NewDelivery = Pick<DeliveryRow, 'instance_id' | 'endpoint_id' | 'event_id'>

/** Rows per statement. Each size is a prepared statement, so few sizes serve every number. */
const INSERT_BATCH_SIZES = [256, 32, 4, 1]

/**
 * Inserts deliveries that are due at `now`, epoch milliseconds. An existing delivery of the same
 * event to the same webhook restarts with `resend` and otherwise stays as it is.
 */
export async function queueDeliveries(
  tx: Tx,
  deliveries: readonly NewDelivery[],
  { now, resend }: { now: number; resend: boolean },
): Promise<void> {
  const rows = deliveries.map((delivery) => newDeliveryRow(delivery, now))
  if (rows.length > 0) afterCommit(tx, emitDelivery)
  const { attempts, status, next_attempt, updated } = newDeliveryRow(EMPTY, now)
  for (const size of INSERT_BATCH_SIZES) {
    while (rows.length >= size) {
      await tx
        .insertInto('deliveries')
        .values(rows.splice(0, size))
        .onConflict((conflict) => {
          const same = conflict.columns(['event_id', 'endpoint_id'])
          // The lease stays, so that an attempt in flight is not sent twice at once.
          return resend
            ? same.doUpdateSet({ attempts, status, next_attempt, updated })
            : same.doNothing()
        })
        .execute()
    }
  }
}

const emitDelivery = () => void jobSignals.emit('delivery')

const EMPTY: NewDelivery = { instance_id: '', endpoint_id: '', event_id: '' }

function newDeliveryRow(delivery: NewDelivery, now: number): DeliveryRow {
  const created = formatInstant(now)
  return {
    id: newId('dlv', now),
    ...delivery,
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

/** Due, and not leased. */
const isDue = (now: string) => sql<boolean>`
  deliveries.next_attempt <= ${now}
  and (deliveries.leased_until is null or deliveries.leased_until <= ${now})
`

/** Returns the enabled webhooks of all instances with due deliveries, longest waiting first. */
export async function listDueWebhooks(db: Db, now: string): Promise<DueWebhook[]> {
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
 * Leases at most `limit` due deliveries of one webhook until `until`, oldest first, and returns
 * their ids. Two processes never lease the same one. Deliveries that another transaction is
 * writing, such as a replay, are skipped.
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

/** A leased delivery with its event, webhook and instance. */
export type DeliveryMessage = NonNullable<Awaited<ReturnType<typeof findDeliveryMessage>>>

/** Returns undefined when the webhook was disabled or deleted after the lease. */
export async function findDeliveryMessage(db: Db, id: string) {
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

/** Records a successful attempt, even when its lease was lost meanwhile. */
export async function markDelivered(
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
 * Records a failed attempt. Returns false, and changes nothing, when its lease was lost or a replay
 * restarted the delivery meanwhile.
 */
export async function updateLeasedDelivery(
  tx: Tx,
  { id, attempts, leased_until }: Pick<DeliveryMessage, 'id' | 'attempts' | 'leased_until'>,
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

/** Returns the delivery of an event to a webhook. */
export async function findDelivery(tx: Tx, delivery: NewDelivery): Promise<DeliveryRow> {
  return tx
    .selectFrom('deliveries')
    .selectAll()
    .where((eb) => eb.and(delivery))
    .executeTakeFirstOrThrow()
}

/** Returns a page of deliveries, to one webhook or to all, with the types of their events. */
export function listDeliveries(
  turn: ListTurn,
  of: { instanceId: string; webhook?: string },
  list: ListQuery,
): Promise<Page<DeliveryRow & { type: string }>> {
  return readPage(turn, list, (db) =>
    db
      .selectFrom('deliveries')
      .innerJoin('events', 'events.id', 'deliveries.event_id')
      .selectAll('deliveries')
      .select('events.type')
      .where('deliveries.instance_id', '=', of.instanceId)
      .$if(of.webhook !== undefined, (query) =>
        query.where('deliveries.endpoint_id', '=', of.webhook ?? ''),
      )
      .where(list.where),
  )
}

/** Deletes at most `limit` deliveries of a webhook. Returns the number. */
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

/** Returns the number of waiting deliveries to enabled webhooks, and when the oldest was created. */
export async function countWaitingDeliveries(
  db: Db,
): Promise<{ count: number; oldest: string | null }> {
  return db
    .selectFrom('deliveries')
    .innerJoin('webhook_endpoints', 'webhook_endpoints.id', 'deliveries.endpoint_id')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .select((eb) => eb.fn.min('deliveries.created').as('oldest'))
    .where('deliveries.next_attempt', 'is not', null)
    .where('webhook_endpoints.enabled', '=', 1)
    .executeTakeFirstOrThrow()
}
