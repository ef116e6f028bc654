import { sql } from 'kysely'
import type { ChargeRow } from '../db/tables/charges.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { findContract } from '../contracts/store.ts'
import type { Db, Tx } from '../db/tables.ts'
import { onTestClock } from '../instances/test-clock-store.ts'
import { enabledInstanceOf, enabledInstances } from '../instances/store.ts'
import { lockPaymentMethod, type PaymentMethodWithStatus } from '../payment-methods/store.ts'
import type { RetryAdvice } from '../processors/port.ts'
import { outstanding } from './serialize.ts'
import { lockCharge } from './store.ts'
import { recordChargeEvent, updateChargeAndRecord } from './update-charge.ts'

/** When charges are collected: `next_attempt`. A charge without it waits for its merchant. */

const DAY_MS = 86_400_000
/** Days to wait after the first declined collection, the second and so on. */
const RETRY_DAYS = [1, 3, 5, 7]
const POSTPONE_MS = 3_600_000

/**
 * Returns charges to collect at `now` (date-time), longest due first, of the instances on the real
 * clock or, with `moved`, of the one with that id, whose test clock was moved.
 */
export async function listDueCharges(
  db: Db | Tx,
  now: string,
  limit: number,
  moved?: string,
): Promise<ChargeRow[]> {
  return (
    scheduledUntil(db, now)
      // A charge with a payment in progress must not be charged a second time.
      .where('in_flight_amount', '=', 0)
      .where('instance_id', 'in', enabledInstances)
      .where(onTestClock('charges.instance_id', moved))
      .limit(limit)
      .execute()
  )
}

/**
 * Returns every charge that is scheduled until `now` (date-time), including those that cannot be
 * collected yet because a payment is in progress or their instance is disabled. Instances with a
 * moved test clock are left out.
 */
export async function listScheduledCharges(
  db: Db | Tx,
  now: string,
  limit: number,
): Promise<ChargeRow[]> {
  return scheduledUntil(db, now)
    .where(onTestClock('charges.instance_id', undefined))
    .limit(limit)
    .execute()
}

function scheduledUntil(db: Db | Tx, now: string) {
  return db
    .selectFrom('charges')
    .selectAll()
    .where('next_attempt', 'is not', null)
    .where('next_attempt', '<=', now)
    .where('status', '=', 'ACTIVE')
    .orderBy('next_attempt')
}

/**
 * Reserves all that is outstanding of a listed charge for one collection. Returns undefined when the
 * charge has changed since it was listed. One statement decides, so only one process gets the charge.
 * `now` is epoch milliseconds.
 */
export async function reserveForCollection(
  tx: Tx,
  charge: ChargeRow,
  now: number,
): Promise<ChargeRow | undefined> {
  const reserved = await tx
    .updateTable('charges')
    .set({
      in_flight_amount: sql<number>`amount - paid_amount`,
      attempts: sql<number>`attempts + 1`,
      next_attempt: null,
      retry_advice: null,
      updated: formatInstant(now),
      v: sql<number>`v + 1`,
    })
    .where('id', '=', charge.id)
    .where('instance_id', '=', charge.instance_id)
    .where('status', '=', 'ACTIVE')
    .where('in_flight_amount', '=', 0)
    .where('next_attempt', '=', charge.next_attempt)
    .where((eb) => eb.exists(enabledInstanceOf('charges.instance_id')))
    .where(sql`amount - paid_amount`, '>', 0)
    .returningAll()
    .executeTakeFirst()
  if (reserved) await recordChargeEvent(tx, 'charge.updated', reserved, now)
  return reserved
}

/**
 * Locks and returns the stored method to collect a charge from at `now` (epoch milliseconds): its own,
 * or its contract's when its own has expired or was removed and the contract's is active. Returns
 * undefined when there is none.
 */
export async function lockCollectionMethod(
  tx: Tx,
  charge: Pick<ChargeRow, 'instance_id' | 'payment_method_id' | 'contract_id'>,
  now: number,
): Promise<PaymentMethodWithStatus | undefined> {
  const { instance_id: instanceId, contract_id: contractId } = charge
  const lock = (id: string | null | undefined) =>
    id == null ? undefined : lockPaymentMethod(tx, instanceId, id, now)
  const own = await lock(charge.payment_method_id)
  if (own?.status_at === 'ACTIVE' || contractId === null) return own
  const contract = await findContract(tx, instanceId, contractId)
  const shared = await lock(contract?.payment_method_id)
  return shared?.status_at === 'ACTIVE' ? shared : (own ?? shared)
}

/**
 * Schedules the next collection after a declined one: after 1, 3, 5 and 7 days, and then none, because
 * the merchant has to decide. A due time later than that is used instead, and a charge without a due
 * time is not retried. Nor is one that the processor advises not to retry, unless the merchant has
 * meanwhile set a due time that is to come. Ignores charges that are not active. `now` is epoch
 * milliseconds.
 */
export async function scheduleRetry(
  tx: Tx,
  chargeId: string,
  { advice, now }: { advice: RetryAdvice | null; now: number },
): Promise<void> {
  const charge = await lockCharge(tx, chargeId)
  if (charge.status !== 'ACTIVE' || outstanding(charge) === 0) return
  const isAhead = charge.due !== null && charge.due > formatInstant(now)
  if (advice === null || advice === 'LATER' || isAhead) {
    await schedule(tx, charge, nextRetry(charge, now), now)
  } else {
    const change = { next_attempt: null, retry_advice: advice }
    await updateChargeAndRecord(tx, { charge, contract: undefined }, change, { now })
  }
}

/** Returns when to retry a declined charge, date-time; null for never. `now` is epoch milliseconds. */
export function nextRetry({ attempts, due }: ChargeRow, now: number): string | null {
  const days = RETRY_DAYS[attempts - 1]
  const retry = days === undefined ? null : formatInstant(now + days * DAY_MS)
  if (due === null) return null
  return due > (retry ?? formatInstant(now)) ? due : retry
}

/** Ends the schedule of a listed charge, unless that has changed. Returns the charge. */
export function skipCollection(tx: Tx, charge: ChargeRow, now: number): Promise<ChargeRow> {
  return reschedule(tx, charge, null, now)
}

/** Postpones a listed charge by an hour, unless its schedule has changed. */
export async function postponeCollection(tx: Tx, charge: ChargeRow, now: number): Promise<void> {
  await reschedule(tx, charge, formatInstant(now + POSTPONE_MS), now)
}

async function reschedule(
  tx: Tx,
  listed: ChargeRow,
  next_attempt: string | null,
  now: number,
): Promise<ChargeRow> {
  const charge = await lockCharge(tx, listed.id)
  return charge.next_attempt === listed.next_attempt
    ? schedule(tx, charge, next_attempt, now)
    : charge
}

async function schedule(
  tx: Tx,
  charge: ChargeRow,
  next_attempt: string | null,
  now: number,
): Promise<ChargeRow> {
  if (charge.next_attempt === next_attempt) return charge
  return updateChargeAndRecord(tx, { charge, contract: undefined }, { next_attempt }, { now })
}
