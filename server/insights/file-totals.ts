import type { TotalsTable } from '../db/tables/insights.ts'
import type { Tx } from '../db/tables.ts'
import { type FiledTotal, totalOfPayment, totalOfRefund, totalOfReversal } from './cell.ts'
import type { Source } from './sources.ts'

const COUNTED = ['id', 'instance_id', 'amount', 'currency', 'created'] as const

/** Returns what records add to the totals now. */
const READ: Partial<Record<Source, (tx: Tx, ids: readonly string[]) => Promise<FiledTotal[]>>> = {
  async payments(tx, ids) {
    const rows = await tx
      .selectFrom('payments')
      .select([...COUNTED, 'type', 'status', 'processed'])
      .where('id', 'in', ids)
      .execute()
    return rows.flatMap((row) => totalOfPayment(row) ?? [])
  },
  async refunds(tx, ids) {
    const rows = await tx
      .selectFrom('refunds')
      .select([...COUNTED, 'status', 'failed_later', 'processed'])
      .where('id', 'in', ids)
      .execute()
    return rows.flatMap((row) => totalOfRefund(row) ?? [])
  },
  async reversals(tx, ids) {
    const rows = await tx
      .selectFrom('reversals')
      .select([...COUNTED, 'type', 'status'])
      .where('id', 'in', ids)
      .execute()
    return rows.flatMap((row) => totalOfReversal(row) ?? [])
  },
}

/**
 * Brings the totals up to date with some records of a table. Safe to repeat: only the difference to what
 * was filed before is added. The caller holds the lock of the filing.
 */
export async function fileTotals(tx: Tx, source: Source, ids: readonly string[]): Promise<void> {
  const read = READ[source]
  if (read === undefined || ids.length === 0) return
  const now = await read(tx, ids)
  const filed = (await tx
    .selectFrom('filed_totals')
    .selectAll()
    .where('record_id', 'in', ids)
    .execute()) as FiledTotal[]
  const before = new Map(filed.map((each) => [each.record_id, each]))
  const after = new Map(now.map((each) => [each.record_id, each]))
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter(
    (id) => textOf(before.get(id)) !== textOf(after.get(id)),
  )
  if (changed.length === 0) return
  await addToTotals(tx, [
    ...changed.flatMap((id) => before.get(id) ?? []).map((each) => ({ each, sign: -1 })),
    ...changed.flatMap((id) => after.get(id) ?? []).map((each) => ({ each, sign: 1 })),
  ])
  await tx.deleteFrom('filed_totals').where('record_id', 'in', changed).execute()
  const rows = changed.flatMap((id) => after.get(id) ?? [])
  if (rows.length > 0) await tx.insertInto('filed_totals').values(rows).execute()
}

function textOf(total: FiledTotal | undefined): string {
  return total ? [total.slot, total.currency, total.kind, total.amount].join() : ''
}

async function addToTotals(
  tx: Tx,
  changes: readonly { each: FiledTotal; sign: number }[],
): Promise<void> {
  const sums = new Map<string, TotalsTable>()
  for (const { each, sign } of changes) {
    const { instance_id, slot, currency, kind } = each
    const key = [instance_id, slot, currency, kind].join()
    const sum = sums.get(key) ?? { instance_id, slot, currency, kind, n: 0, amount: 0 }
    sum.n += sign
    sum.amount += sign * each.amount
    sums.set(key, sum)
  }
  const rows = [...sums.values()].filter(({ n, amount }) => n !== 0 || amount !== 0)
  if (rows.length === 0) return
  await tx
    .insertInto('totals')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['instance_id', 'slot', 'currency', 'kind']).doUpdateSet((eb) => ({
        n: eb(eb.ref('totals.n'), '+', eb.ref('excluded.n')),
        amount: eb(eb.ref('totals.amount'), '+', eb.ref('excluded.amount')),
      })),
    )
    .execute()
}
