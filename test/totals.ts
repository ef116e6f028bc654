import type { Selectable } from 'kysely'
import type { Db, Tables } from '../server/db/tables.ts'

type Rows<T extends keyof Tables> = readonly Selectable<Tables[T]>[]

export interface TotalledRecords {
  payments: Rows<'payments'>
  refunds: Rows<'refunds'>
  reversals: Rows<'reversals'>
  totals: Rows<'totals'>
  filed: Rows<'filed_totals'>
  unfiled: Rows<'insight_changes'>
}

/** Returns what each record adds to the totals, apart from the program. */
function recount({ payments, refunds, reversals }: TotalledRecords): Map<string, string> {
  const found = new Map<string, string>()
  const add = (
    row: { id: string; instance_id: string; currency: string; amount: number },
    kind: string,
    at: string,
  ) => {
    const slot = Math.floor(Date.parse(at) / 1000 / 60 / 15)
    found.set(row.id, [row.instance_id, slot, row.currency, kind, row.amount].join('|'))
  }
  for (const row of payments) {
    const at = row.processed ?? row.created
    if (row.status === 'SUCCESS' && row.type === 'AUTH') add(row, 'authorization', at)
    else if (row.status === 'SUCCESS') add(row, row.type.toLowerCase(), at)
    if (row.status === 'DECLINE' && row.type !== 'CAPTURE') add(row, 'decline', at)
  }
  for (const row of refunds) {
    if (row.status === 'SUCCESS' && !row.failed_later)
      add(row, 'refund', row.processed ?? row.created)
  }
  for (const row of reversals) {
    const isGone = row.status === 'OPEN' || row.status === 'LOST'
    const took = row.type !== 'INQUIRY' && row.type !== 'REFUND_FAILED'
    if (isGone && took) add(row, 'reversal', row.created)
  }
  return found
}

/**
 * Returns a line for each difference between the totals and the records. Records that are still to be
 * filed may differ.
 */
export function totalDifferences(records: TotalledRecords): string[] {
  const expected = recount(records)
  const filed = new Map(
    records.filed.map((row) => [
      row.record_id,
      [row.instance_id, row.slot, row.currency, row.kind, row.amount].join('|'),
    ]),
  )
  const unfiled = new Set(records.unfiled.map(({ record_id }) => record_id))
  const sums = new Map<string, [n: number, amount: number]>()
  for (const row of records.filed) {
    const key = [row.instance_id, row.slot, row.currency, row.kind].join('|')
    const [n, amount] = sums.get(key) ?? [0, 0]
    sums.set(key, [n + 1, amount + row.amount])
  }
  const totals = new Map(
    records.totals.map((row) => [
      [row.instance_id, row.slot, row.currency, row.kind].join('|'),
      [row.n, row.amount] as const,
    ]),
  )
  return [
    ...[...new Set([...expected.keys(), ...filed.keys()])]
      .filter((id) => !unfiled.has(id) && expected.get(id) !== filed.get(id))
      .map((id) => `${id} is filed as ${filed.get(id)} instead of ${expected.get(id)}`),
    ...[...new Set([...sums.keys(), ...totals.keys()])]
      .filter((key) => String(sums.get(key) ?? [0, 0]) !== String(totals.get(key) ?? [0, 0]))
      .map((key) => `${key} is ${String(totals.get(key))} instead of ${String(sums.get(key))}`),
  ]
}

export async function readTotalledRecords(db: Db): Promise<TotalledRecords> {
  const all = <T extends keyof Tables>(table: T) =>
    db
      .selectFrom(table as 'payments')
      .selectAll()
      .execute() as unknown as Promise<Rows<T>>
  return {
    payments: await all('payments'),
    refunds: await all('refunds'),
    reversals: await all('reversals'),
    totals: await all('totals'),
    filed: await all('filed_totals'),
    unfiled: await all('insight_changes'),
  }
}
