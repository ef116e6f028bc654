import type { Kysely } from 'kysely'
import type { Db } from '../../server/db/tables.ts'
import { listAllRoutes } from '../../server/legal-entity-routes/store.ts'
import type { SandboxTables } from '../../server/processors/sandbox/index.ts'
import type { World } from './world.ts'

/** What both houses have on their books for one merchant: our tables, and the processor's. */
export type LedgerRows = Awaited<ReturnType<typeof readLedger>>

/** What a processor has on its books for operations of ours; amounts in our minor units. */
export interface ProcessorBooks {
  operations: { operation: string; state: string; amount: number | null }[]
  /** Payments and captures. */
  taken: { amount: number; refunded: number }[]
  /** Authorizations. */
  reserved: { reserved: number; captured: number; released: number }[]
}

/** `readProcessor` reads the books of the processor; those of the sandbox when it is left out. */
export async function readLedger(
  { app, merchant }: Pick<World, 'app' | 'merchant'>,
  readProcessor: (db: Db, operations: string[]) => Promise<ProcessorBooks> = readSandbox,
) {
  const { db } = app.checkstand.deps
  const of = merchant.instance.id
  const [
    payments,
    parts,
    refunds,
    voids,
    reversals,
    charges,
    contracts,
    attempts,
    links,
    deepLinks,
    entities,
    entityVersions,
    routes,
    setups,
  ] = await Promise.all([
    db.selectFrom('payments').selectAll().where('instance_id', '=', of).orderBy('id').execute(),
    db
      .selectFrom('payment_parts')
      .innerJoin('payments', 'payments.id', 'payment_parts.payment_id')
      .selectAll('payment_parts')
      .where('payments.instance_id', '=', of)
      .orderBy('payment_id')
      .orderBy('position')
      .execute(),
    db.selectFrom('refunds').selectAll().where('instance_id', '=', of).orderBy('id').execute(),
    db.selectFrom('voids').selectAll().where('instance_id', '=', of).orderBy('id').execute(),
    db.selectFrom('reversals').selectAll().where('instance_id', '=', of).orderBy('id').execute(),
    db.selectFrom('charges').selectAll().where('instance_id', '=', of).orderBy('id').execute(),
    db.selectFrom('contracts').selectAll().where('instance_id', '=', of).orderBy('id').execute(),
    db
      .selectFrom('attempts')
      .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
      .select(['attempts.id', 'attempts.payment_id', 'attempts.state', 'attempts.rest'])
      .select(['kind', 'payment_link_id', 'transactions.amount', 'transactions.status'])
      .where('attempts.instance_id', '=', of)
      .orderBy('attempts.id')
      .execute(),
    db.selectFrom('payment_links').selectAll().where('instance_id', '=', of).execute(),
    db.selectFrom('deep_links').selectAll().where('instance_id', '=', of).execute(),
    db.selectFrom('legal_entities').selectAll().where('instance_id', '=', of).execute(),
    db.selectFrom('legal_entity_versions').selectAll().where('instance_id', '=', of).execute(),
    listAllRoutes(db, of),
    db.selectFrom('method_setups').selectAll().where('instance_id', '=', of).execute(),
  ])
  const keys = attempts.map(({ id }) => id)
  const ours = {
    payments,
    parts,
    refunds,
    voids,
    reversals,
    charges,
    contracts,
    attempts,
    links,
    deepLinks,
    entities,
    entityVersions,
    routes,
    setups,
  }
  return { ...ours, ...(await readProcessor(db, keys)) }
}

async function readSandbox(db: Db, operations: string[]): Promise<ProcessorBooks> {
  // The sandbox keeps tables of its own, outside the schema of the product.
  const sandbox = db as unknown as Kysely<SandboxTables>
  if (operations.length === 0) return { operations: [], taken: [], reserved: [] }
  const [asked, taken, reserved] = await Promise.all([
    sandbox
      .selectFrom('sandbox_operations')
      .select(['operation', 'state', 'amount'])
      .where('operation', 'in', operations)
      .execute(),
    sandbox
      .selectFrom('sandbox_charges')
      .select(['amount', 'refunded'])
      .where('operation', 'in', operations)
      .execute(),
    sandbox
      .selectFrom('sandbox_authorisations')
      .select(['reserved', 'captured', 'released'])
      .where('operation', 'in', operations)
      .execute(),
  ])
  return { operations: asked, taken, reserved }
}
