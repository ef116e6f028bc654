import type { ContractRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializeContract } from './serialize.ts'
import { updateContract } from './store.ts'

/**
 * Writes a change of a contract that the transaction holds, as its next version, and tells
 * merchants of it. `by` is the session of whoever asked for the change; without it the record keeps
 * the last one. `now` is epoch milliseconds. Answers the row as it is now.
 */
export async function updateContractAndRecord(
  tx: Tx,
  before: ContractRow,
  change: Partial<ContractRow>,
  at: { now: number; by?: string | null },
): Promise<ContractRow> {
  const written = {
    ...change,
    ...(at.by == null ? {} : { updated_session: at.by }),
    updated: formatInstant(at.now),
    v: before.v + 1,
  }
  await updateContract(tx, before.id, written)
  const after = { ...before, ...written }
  await recordContractChange(tx, before.status, after, at.now)
  return after
}

/** Tells merchants of a contract that was written, by what became of its status. */
export async function recordContractChange(
  tx: Tx,
  before: ContractRow['status'],
  after: ContractRow,
  now: number,
): Promise<void> {
  const ended = after.status === 'ENDED' || after.status === 'CANCELLED'
  await recordEvent(tx, {
    instanceId: after.instance_id,
    type: ended && after.status !== before ? 'contract.ended' : 'contract.updated',
    data: { contract: serializeContract(after) },
    now,
  })
}
