import type { ChargeRow, ContractRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { countPaidCharge } from '../contracts/lifecycle.ts'
import { lockContract } from '../contracts/store.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializeCharge, outstandingE4 } from './serialize.ts'
import { lockCharge, listChargesByIds, updateCharge } from './store.ts'

/** A charge that the transaction holds, and its contract, which is held too. */
export interface LockedCharge {
  charge: ChargeRow
  contract: ContractRow | undefined
}

/**
 * Holds a charge that was read, together with its contract, which counts what is paid. The contract
 * is taken first, as everywhere.
 */
export async function lockWithContract(tx: Tx, read: ChargeRow): Promise<LockedCharge> {
  // Which contract made a charge never changes, so it is known before anything is held.
  const contract = read.contract_id === null ? undefined : await lockContract(tx, read.contract_id)
  return { charge: await lockCharge(tx, read.id), contract }
}

/**
 * Holds several charges before the first of them is written, whatever order they are named in, and
 * all their contracts before any charge. Ids that the instance does not have are left out.
 */
export async function lockCharges(
  tx: Tx,
  instanceId: string,
  ids: readonly string[],
): Promise<void> {
  // A single one is locked by its own write, and there is nothing to put in order.
  if (ids.length > 1) await lockEachCharge(tx, instanceId, ids)
}

/** Holds charges and their contracts, also where it is one alone, for what is locked after them. */
export async function lockEachCharge(
  tx: Tx,
  instanceId: string,
  ids: readonly string[],
): Promise<void> {
  const charges = await listChargesByIds(tx, instanceId, ids)
  const contracts = new Set(charges.flatMap(({ contract_id }) => contract_id ?? []))
  for (const id of [...contracts].toSorted()) await lockContract(tx, id)
  for (const { id } of charges) await lockCharge(tx, id)
}

/**
 * Writes a change of a charge that the transaction holds, as its next version: what follows from
 * the amounts, the count of its contract, and the event. `by` is the session of whoever asked for
 * the change; without it the record keeps the last one. `now` is epoch milliseconds. Answers the
 * row as it is now.
 */
export async function updateChargeAndRecord(
  tx: Tx,
  { charge: before, contract }: LockedCharge,
  change: Partial<ChargeRow>,
  { now, by }: { now: number; by?: string | null },
): Promise<ChargeRow> {
  const written = {
    ...change,
    ...(by == null ? {} : { updated_session: by }),
    outstanding_e4: outstandingE4({ ...before, ...change }),
    updated: formatInstant(now),
    v: before.v + 1,
  }
  await updateCharge(tx, before.id, written)
  const after = { ...before, ...written }
  await recordChargeEvent(tx, eventType(before.status, after.status), after, now)
  const paid = Number(after.status === 'PAID') - Number(before.status === 'PAID')
  if (contract && paid !== 0) {
    await countPaidCharge(tx, contract, { by: paid > 0 ? 1 : -1, now })
  }
  return after
}

/** Tells merchants of a charge, as it is now (contract section 16). */
export async function recordChargeEvent(
  tx: Tx,
  type: EventType,
  charge: ChargeRow,
  now: number,
): Promise<void> {
  const data = { charge: serializeCharge(charge) }
  await recordEvent(tx, { instanceId: charge.instance_id, type, data, now })
}

function eventType(before: ChargeRow['status'], after: ChargeRow['status']): EventType {
  if (before === after) return 'charge.updated'
  if (after === 'PAID') return 'charge.paid'
  if (after === 'WRITTENOFF') return 'charge.writtenoff'
  if (before === 'WRITTENOFF' && after === 'ACTIVE') return 'charge.reactivated'
  return 'charge.updated'
}
