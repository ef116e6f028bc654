import { sql } from 'kysely'
import type { ChargeRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { findContract } from '../contracts/store.ts'
import type { Db, Tx } from '../db/tables.ts'
import { ofClock } from '../instances/test-clock-store.ts'
import { openInstanceOf, openInstances } from '../instances/store.ts'
import { lockPaymentMethod, type PaymentMethodWithStatus } from '../payment-methods/store.ts'
import { outstanding } from './serialize.ts'
import { lockCharge } from './store.ts'
import { recordChargeEvent, updateChargeAndRecord } from './update-charge.ts'

/**
 * Which charges the server collects by itself, and when (contract section 11). `next_attempt` is
 * the whole of the plan: a charge without one waits for its merchant.
 */

const DAY_MS = 86_400_000
/** Days to wait after the first declined collection, the second, and so on. */
const RETRY_DAYS = [1, 3, 5, 7]
const POSTPONED_MS = 3_600_000

/**
 * Charges that are to be collected at `now` (stored form), longest due first: of all instances whose
 * clock was not moved, or of the one whose clock was.
 */
export async function listDueCharges(
  db: Db | Tx,
  now: string,
  limit: number,
  moved?: string,
): Promise<ChargeRow[]> {
  return (
    plannedUntil(db, now)
      // While it is being paid nobody else may take money for it; it comes again if it has to.
      .where('in_flight_amount', '=', 0)
      .where('instance_id', 'in', openInstances)
      .where(ofClock('charges.instance_id', moved))
      .limit(limit)
      .execute()
  )
}

/**
 * Every charge whose time has come at `now` (stored form): also one that cannot be collected yet,
 * because it is being paid or its instance is shut. Those of an instance whose test clock was moved are
 * due by that, and are none of them.
 */
export async function listPlannedCharges(
  db: Db | Tx,
  now: string,
  limit: number,
): Promise<ChargeRow[]> {
  return plannedUntil(db, now)
    .where(ofClock('charges.instance_id', undefined))
    .limit(limit)
    .execute()
}

function plannedUntil(db: Db | Tx, now: string) {
  return db
    .selectFrom('charges')
    .selectAll()
    .where('next_attempt', 'is not', null)
    .where('next_attempt', '<=', now)
    .where('status', '=', 'ACTIVE')
    .orderBy('next_attempt')
}

/**
 * Takes a charge that was listed for collection by the caller alone: all that is outstanding counts
 * as being paid from now on. Undefined when another process or a request was faster in any way.
 * One statement decides, so that no two ever both get it. `now` is epoch milliseconds.
 */
export async function lockForCollection(
  tx: Tx,
  charge: ChargeRow,
  now: number,
): Promise<ChargeRow | undefined> {
  const claimed = await tx
    .updateTable('charges')
    .set({
      in_flight_amount: sql<number>`amount - paid_amount`,
      attempts: sql<number>`attempts + 1`,
      next_attempt: null,
      updated: formatInstant(now),
      v: sql<number>`v + 1`,
    })
    .where('id', '=', charge.id)
    .where('instance_id', '=', charge.instance_id)
    .where('status', '=', 'ACTIVE')
    .where('in_flight_amount', '=', 0)
    .where('next_attempt', '=', charge.next_attempt)
    .where((eb) => eb.exists(openInstanceOf('charges.instance_id')))
    .where(sql`amount - paid_amount`, '>', 0)
    .returningAll()
    .executeTakeFirst()
  if (claimed) await recordChargeEvent(tx, 'charge.updated', claimed, now)
  return claimed
}

/**
 * The stored method to collect a charge from at `now` (epoch ms): its own, unless that has expired or
 * was removed and its contract has one that may be charged. Undefined when it has none at all. The
 * method stays as it is until the transaction ends.
 */
export async function methodToCollect(
  tx: Tx,
  charge: Pick<ChargeRow, 'instance_id' | 'payment_method_id' | 'contract_id'>,
  now: number,
): Promise<PaymentMethodWithStatus | undefined> {
  const { instance_id: instanceId, contract_id: contractId } = charge
  const held = (id: string | null | undefined) =>
    id == null ? undefined : lockPaymentMethod(tx, instanceId, id, now)
  const own = await held(charge.payment_method_id)
  if (own?.status_at === 'ACTIVE' || contractId === null) return own
  const contract = await findContract(tx, instanceId, contractId)
  const shared = await held(contract?.payment_method_id)
  return shared?.status_at === 'ACTIVE' ? shared : (own ?? shared)
}

/**
 * Plans what follows a collection that was declined and settled: another one after 1, 3, 5 and 7
 * days, and then none, because the merchant has to decide. A due time that was moved beyond that
 * is waited for, and one that was taken away ends the plan. Charges that are not active are left
 * alone.
 */
export async function scheduleRetry(tx: Tx, chargeId: string, now: number): Promise<void> {
  const charge = await lockCharge(tx, chargeId)
  if (charge.status !== 'ACTIVE' || outstanding(charge) === 0) return
  await plan(tx, charge, retryAfter(charge, now), now)
}

function retryAfter({ attempts, due }: ChargeRow, now: number): string | null {
  const days = RETRY_DAYS[attempts - 1]
  const retry = days === undefined ? null : formatInstant(now + days * DAY_MS)
  if (due === null) return null
  return due > (retry ?? formatInstant(now)) ? due : retry
}

/**
 * Ends the plan of a listed charge, unless it has changed: its merchant has to decide. Returns the
 * charge as it is now.
 */
export function skipCollection(tx: Tx, charge: ChargeRow, now: number): Promise<ChargeRow> {
  return replan(tx, charge, null, now)
}

/**
 * Plans a listed charge for an hour from now, unless its plan has changed: what is in the way is no
 * business of its merchant, and must not be in the way of other charges either.
 */
export async function postponeCollection(tx: Tx, charge: ChargeRow, now: number): Promise<void> {
  await replan(tx, charge, formatInstant(now + POSTPONED_MS), now)
}

async function replan(
  tx: Tx,
  listed: ChargeRow,
  next_attempt: string | null,
  now: number,
): Promise<ChargeRow> {
  const held = await lockCharge(tx, listed.id)
  return held.next_attempt === listed.next_attempt ? plan(tx, held, next_attempt, now) : held
}

async function plan(
  tx: Tx,
  charge: ChargeRow,
  next_attempt: string | null,
  now: number,
): Promise<ChargeRow> {
  if (charge.next_attempt === next_attempt) return charge
  return updateChargeAndRecord(tx, { charge, contract: undefined }, { next_attempt }, { now })
}
