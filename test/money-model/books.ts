import type { Kysely } from 'kysely'
import type { SandboxTables } from '../../server/processors/sandbox/index.ts'
import type { World } from './world.ts'

/** What both houses have on their books for one merchant: our tables, and the sandbox's. */
export type LedgerRows = Awaited<ReturnType<typeof readLedger>>

export async function readLedger({ app, merchant }: Pick<World, 'app' | 'merchant'>) {
  const { db } = app.checkstand.deps
  const of = merchant.instance.id
  const [payments, parts, refunds, voids, reversals, charges, contracts, attempts] =
    await Promise.all([
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
      db.selectFrom('reversals').selectAll().where('instance_id', '=', of).execute(),
      db.selectFrom('charges').selectAll().where('instance_id', '=', of).orderBy('id').execute(),
      db.selectFrom('contracts').selectAll().where('instance_id', '=', of).orderBy('id').execute(),
      db
        .selectFrom('attempts')
        .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
        .select(['attempts.id', 'attempts.state', 'kind', 'transactions.amount'])
        .select('transactions.status')
        .where('attempts.instance_id', '=', of)
        .execute(),
    ])
  const keys = attempts.map(({ id }) => id)
  const ours = { payments, parts, refunds, voids, reversals, charges, contracts, attempts }
  return { ...ours, ...(await theirs(keys)) }

  async function theirs(operations: string[]) {
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
}
