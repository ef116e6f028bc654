import { sql } from 'kysely'
import { EXPANSIONS } from '../../server/expansions.ts'
import type { Db } from '../../server/db/tables.ts'
import { type Census, rowsOf } from './rows.ts'
import type { Tenant } from './tenant.ts'

/** Where the records of each kind are kept. */
const TABLES: Record<string, string> = {
  account: 'accounts',
  payment_method: 'payment_methods',
  contract: 'contracts',
  charge: 'charges',
  payment: 'payments',
  deep_link: 'deep_links',
  payment_link: 'payment_links',
  refund: 'refunds',
  reversal: 'reversals',
  void: 'voids',
  checkout: 'checkouts',
  checkout_monitor: 'checkout_alerts',
  stuck: 'checkouts',
  instance_webhook: 'webhook_endpoints',
  secret_key: 'secret_keys',
  oauth_grant: 'oauth_grants',
  audit_entry: 'audit',
  user: 'users',
  user_session: 'user_sessions',
  legal_entity: 'legal_entities',
  legal_entity_route: 'legal_entity_routes',
  string_ack: 'string_acks',
  view: 'views',
  string_override: 'strings',
  string_revision: 'string_revisions',
  processor: 'processor_connections',
}

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
  for (const [kind, { members }] of Object.entries(EXPANSIONS)) {
    // `created_session` is a column of that name, and `account` one that ends in `_id`.
    const columns = Object.keys(members).flatMap((member) => [member, `${member}_id`])
    const table = TABLES[kind]
    if (table === undefined && columns.length > 0) throw new Error(`${kind} has no table here`)
    for (const row of own(table ?? '')) {
      const key = 'id' in row ? 'id' : 'instance_id'
      for (const column of columns) {
        const value = row[column]
        if (typeof value !== 'string') continue
        await sql`update ${sql.table(table ?? '')} set ${sql.ref(column)} = ${forgery(value)}
          where ${sql.ref(key)} = ${String(row[key])}`.execute(db)
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
