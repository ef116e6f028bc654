import { sql } from 'kysely'
import type { Db } from '../../db/tables.ts'
import { rowsOf } from './rows.ts'
import type { Census } from './rows.ts'
import type { Tenant } from './tenant.ts'

/** Tables whose rows refer to others that can be expanded. */
const TABLES = [
  'accounts',
  'payment_methods',
  'contracts',
  'charges',
  'payments',
  'payment_links',
  'refunds',
  'voids',
  'checkouts',
  'webhook_endpoints',
] as const

const RELATION = /^(?!instance_id$).+_(id|session)$/

type Row = Record<string, unknown>

/**
 * Has every row of one tenant refer to rows of another, each of its kind: what no request can do,
 * and a defect or a careless script could.
 */
export async function forgeRelations(
  db: Db,
  census: Census,
  forger: Tenant,
  target: Tenant,
): Promise<void> {
  const [own, theirs] = await Promise.all(
    [forger, target].map(async ({ merchant }) => {
      const rows = await rowsOf(db, census, merchant.instance.id)
      return (table: string) => (rows[table] ?? []).map((row) => JSON.parse(row) as Row)
    }),
  )
  if (!own || !theirs) throw new Error('there are two tenants')
  const ids = census.ofInstances.flatMap((table) => theirs(table).map(({ id }) => String(id)))
  const forgery = (id: string) =>
    ids.find((other) => other.split('_')[0] === id.split('_')[0]) ?? id
  // Each charge of a contract has a number, and the contract has those already.
  const contract_n = null
  await db.updateTable('charges').set({ contract_n }).execute()
  for (const table of TABLES) {
    for (const row of own(table)) {
      for (const [column, value] of Object.entries(row)) {
        if (!RELATION.test(column) || typeof value !== 'string') continue
        await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${forgery(value)}
          where id = ${row['id']}`.execute(db)
      }
    }
  }
  const charge_id = forgery(forger.names.charge)
  const payments = own('payments').map(({ id }) => String(id))
  await db
    .updateTable('payment_parts')
    .set({ charge_id })
    .where('payment_id', 'in', payments)
    .execute()
}
