import type { Kysely } from 'kysely'
import type { ProcessorReversal } from '../port.ts'
import { disputeOf, type DisputeStep } from './scenarios.ts'
import type { DisputeRow, OperationRow, SandboxTables } from './tables.ts'

type Db = Kysely<SandboxTables>

/**
 * Disputes of charges. A dispute is scheduled with its charge, and takes each step of its scenario when
 * it is read after the step's time, because the gateway has no background job.
 */

/** Disputes read at a time. */
const BATCH = 50

/** Schedules the dispute of a charge whose scenario has one. */
export async function scheduleDispute(trx: Db, row: OperationRow): Promise<void> {
  const { reference, operation, merchant, scenario, currency, updated } = row
  const first = disputeOf(scenario)?.steps[0]
  if (!first || !scenario || merchant === null || reference === null || currency === null) return
  await trx
    .insertInto('sandbox_disputes')
    .values({
      id: reference.replace(/^[a-z]+_/, 'sdispute_'),
      charge: reference,
      operation,
      merchant,
      scenario,
      steps: 0,
      amount: 0,
      currency,
      next_change: addTime(updated, first.after_ms),
      changed: null,
      created: updated,
    })
    .execute()
}

/**
 * Applies the due steps of disputes, each in its own transaction. Several processes may run this at
 * once. `now` is epoch milliseconds.
 */
export async function advanceDisputes(
  db: Db,
  of: { merchant: string } | { charge: string },
  now: number,
): Promise<void> {
  const [column, value] =
    'charge' in of ? (['charge', of.charge] as const) : (['merchant', of.merchant] as const)
  for (;;) {
    const due = await db
      .selectFrom('sandbox_disputes')
      .selectAll()
      .where(column, '=', value)
      .where('next_change', '<=', addTime(now))
      .orderBy('next_change')
      .limit(BATCH)
      .execute()
    if (due.length === 0) return
    for (const row of due) await db.transaction().execute((trx) => takeStep(trx, row, now))
  }
}

/** Does nothing when the dispute has changed since it was read. */
async function takeStep(trx: Db, row: DisputeRow, now: number): Promise<void> {
  const steps = disputeOf(row.scenario)?.steps ?? []
  const [step, next] = [steps[row.steps], steps[row.steps + 1]]
  const moved = await trx
    .updateTable('sandbox_disputes')
    .set({
      steps: row.steps + 1,
      next_change: next ? addTime(row.created, next.after_ms) : null,
      changed: addTime(now),
    })
    .where('id', '=', row.id)
    .where('steps', '=', row.steps)
    .executeTakeFirst()
  if (moved.numUpdatedRows !== 1n) return
  if (row.steps === 0) await withdraw(trx, row)
  else if (step?.status === 'WON') await returnDisputed(trx, row)
}

/** Withdraws what the charge has left. A dispute of a refunded charge never opens. */
async function withdraw(trx: Db, row: DisputeRow): Promise<void> {
  const charge = await trx
    .updateTable('sandbox_charges')
    .set((eb) => ({ disputed: eb('amount', '-', eb.ref('refunded')) }))
    .where('id', '=', row.charge)
    .whereRef('refunded', '<', 'amount')
    .returning('disputed')
    .executeTakeFirst()
  await trx
    .updateTable('sandbox_disputes')
    .set(charge ? { amount: charge.disputed } : { next_change: null, changed: null })
    .where('id', '=', row.id)
    .execute()
}

async function returnDisputed(trx: Db, { charge }: DisputeRow): Promise<void> {
  await trx.updateTable('sandbox_charges').set({ disputed: 0 }).where('id', '=', charge).execute()
}

/** Returns a merchant's disputes that changed at or after `since`; all that have opened for null. */
export async function listDisputes(
  db: Db,
  merchant: string,
  since: string | null,
): Promise<DisputeRow[]> {
  return db
    .selectFrom('sandbox_disputes')
    .selectAll()
    .where('merchant', '=', merchant)
    .where('changed', '>=', since ?? '')
    .execute()
}

/** Returns when the next of a merchant's disputes opens or changes; null where none does. */
export async function nextDisputeChange(db: Db, merchant: string): Promise<string | null> {
  const first = await db
    .selectFrom('sandbox_disputes')
    .select((eb) => eb.fn.min('next_change').as('next_change'))
    .where('merchant', '=', merchant)
    .where('next_change', 'is not', null)
    .executeTakeFirst()
  return first?.next_change ?? null
}

/** Throws for a dispute that has not opened. */
export function toReversal(row: DisputeRow): ProcessorReversal {
  const { id: reference, operation, amount, currency, changed } = row
  const dispute = disputeOf(row.scenario)
  const step: DisputeStep | undefined = dispute?.steps[row.steps - 1]
  if (!dispute || !step || changed === null) throw new Error(`The dispute ${reference} is not open`)
  const { status, due_after_ms } = step
  return {
    reference,
    operation,
    type: 'DISPUTE',
    status,
    amount,
    currency,
    reason: dispute.reason,
    due: due_after_ms === undefined ? null : addTime(row.created, due_after_ms),
    changed,
  }
}

/** Returns the date-time `afterMs` after `from`, a date-time or epoch milliseconds. */
function addTime(from: string | number, afterMs = 0): string {
  return new Date(new Date(from).getTime() + afterMs).toISOString()
}
