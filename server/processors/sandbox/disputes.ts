import type { Kysely } from 'kysely'
import type { ProcessorReversal } from '../port.ts'
import { disputeOf, type DisputeStep } from './scenarios.ts'
import type { DisputeRow, OperationRow, SandboxTables } from './tables.ts'

type Db = Kysely<SandboxTables>

/**
 * Disputes of charges. One is planned with its charge and takes each step of its scenario when it is
 * looked at after the step's time, since nothing runs in the background here.
 */

/** How many disputes are moved on before those that are due are looked up again. */
const BATCH = 50

/** Plans the dispute of the charge that `row` took, where its method has one. */
export async function planDispute(trx: Db, row: OperationRow): Promise<void> {
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
      next_change: timeOf(updated, first.after_ms),
      changed: null,
      created: updated,
    })
    .execute()
}

/**
 * Has disputes take the steps whose time has come, each in a transaction of its own; several
 * processes may do this at the same time. `now` is epoch milliseconds.
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
      .where('next_change', '<=', timeOf(now))
      .orderBy('next_change')
      .limit(BATCH)
      .execute()
    if (due.length === 0) return
    for (const row of due) await db.transaction().execute((trx) => takeStep(trx, row, now))
  }
}

/** Moves a dispute one step on from where it was read, unless another call was faster. */
async function takeStep(trx: Db, row: DisputeRow, now: number): Promise<void> {
  const steps = disputeOf(row.scenario)?.steps ?? []
  const [step, next] = [steps[row.steps], steps[row.steps + 1]]
  const moved = await trx
    .updateTable('sandbox_disputes')
    .set({
      steps: row.steps + 1,
      next_change: next ? timeOf(row.created, next.after_ms) : null,
      changed: timeOf(now),
    })
    .where('id', '=', row.id)
    .where('steps', '=', row.steps)
    .executeTakeFirst()
  if (moved.numUpdatedRows !== 1n) return
  if (row.steps === 0) await withdraw(trx, row)
  else if (step?.status === 'WON') await giveBack(trx, row)
}

/** Takes what the charge has left. Where all of it was refunded, there is nothing to dispute. */
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

async function giveBack(trx: Db, { charge }: DisputeRow): Promise<void> {
  await trx.updateTable('sandbox_charges').set({ disputed: 0 }).where('id', '=', charge).execute()
}

/** Returns a merchant's disputes that changed at `since` or later; all that have opened for null. */
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

/** Returns a dispute that has opened in the words of the port. Throws for one that has not. */
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
    due: due_after_ms === undefined ? null : timeOf(row.created, due_after_ms),
    changed,
  }
}

/** A date-time so many milliseconds after another one, which may be given in epoch milliseconds. */
function timeOf(from: string | number, afterMs = 0): string {
  return new Date(new Date(from).getTime() + afterMs).toISOString()
}
