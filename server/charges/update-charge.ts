import type { ChargeRow } from '../db/tables/charges.ts'
import type { ContractRow } from '../db/tables/contracts.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { countPaidCharge } from '../contracts/update-contract.ts'
import { lockContract } from '../contracts/store.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializeCharge, outstandingE4 } from './serialize.ts'
import { lockCharge, listChargesByIds, updateCharge } from './store.ts'

/** A locked charge and its locked contract. */
export interface LockedCharge {
  charge: ChargeRow
  contract: ContractRow | undefined
}

/** Locks the contract first and then the charge, as every transaction does. */
export async function lockWithContract(tx: Tx, read: ChargeRow): Promise<LockedCharge> {
  // A charge never changes its contract, so the contract is known before the lock.
  const contract = read.contract_id === null ? undefined : await lockContract(tx, read.contract_id)
  return { charge: await lockCharge(tx, read.id), contract }
}

/**
 * Locks several charges in lock order before the first of them is written, and their contracts before
 * them. Ids of other instances are left out.
 */
export async function lockCharges(
  tx: Tx,
  instanceId: string,
  ids: readonly string[],
): Promise<void> {
  // A single charge is locked by its own update.
  if (ids.length > 1) await lockEachCharge(tx, instanceId, ids)
}

/** Like `lockCharges`, but also locks a single charge, for rows that are locked after it. */
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
 * Writes the next version of a locked charge with its derived columns, counts it in its contract when
 * it becomes paid, and records the event. Without `by`, the id of the caller's session,
 * `updated_session` stays. `now` is epoch milliseconds. Returns the row as it is now.
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
  await recordChargeEvent(tx, eventType(before, after), after, now)
  const paid = Number(after.status === 'PAID') - Number(before.status === 'PAID')
  if (contract && paid !== 0) {
    await countPaidCharge(tx, contract, { by: paid > 0 ? 1 : -1, now })
  }
  return after
}

export async function recordChargeEvent(
  tx: Tx,
  type: EventType,
  charge: ChargeRow,
  now: number,
): Promise<void> {
  const data = { charge: serializeCharge(charge) }
  await recordEvent(tx, { instanceId: charge.instance_id, type, data, now })
}

function eventType(before: ChargeRow, after: ChargeRow): EventType {
  if (before.status !== after.status) {
    if (after.status === 'PAID') return 'charge.paid'
    if (after.status === 'WRITTENOFF') return 'charge.writtenoff'
    if (before.status === 'WRITTENOFF' && after.status === 'ACTIVE') return 'charge.reactivated'
  }
  const needsPayer = after.retry_advice === 'WITH_PAYER' && before.retry_advice !== 'WITH_PAYER'
  return needsPayer ? 'charge.payer_needed' : 'charge.updated'
}
