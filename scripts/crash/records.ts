import { type Selectable, sql } from 'kysely'
import { openDatabase } from '../../server/db/open.ts'
import type { Db, Tables, Tx } from '../../server/db/tables.ts'
import { inTransaction } from '../../server/db/transaction.ts'

/** What our own database holds at one moment. */
export type Records = Awaited<ReturnType<typeof readAll>> & {
  /** What SQLite's own checks of the file complain about. */
  damage: string[]
}

/** Reads everything that an invariant speaks of, as it is at one moment. */
export async function readRecords(databaseUrl: string): Promise<Records> {
  const { db, kind, close } = await openDatabase<Tables>(databaseUrl)
  try {
    const records = await inTransaction(db, readAll, {
      ...(kind === 'postgres' && { isolation: 'repeatable read' }),
    })
    return { ...records, damage: kind === 'sqlite' ? await damageOf(db) : [] }
  } finally {
    await close()
  }
}

async function readAll(tx: Tx) {
  const all = <T extends keyof Tables>(table: T) =>
    tx
      .selectFrom(table as 'payments')
      .selectAll()
      .execute() as unknown as Promise<Rows<T>>
  return {
    attempts: await all('attempts'),
    transactions: await all('transactions'),
    payments: await all('payments'),
    parts: await all('payment_parts'),
    refunds: await all('refunds'),
    voids: await all('voids'),
    links: await all('payment_links'),
    deepLinks: await all('deep_links'),
    taskSessions: await all('deep_link_sessions'),
    setups: await all('method_setups'),
    methods: await all('payment_methods'),
    charges: await all('charges'),
    contracts: await all('contracts'),
    accounts: await all('accounts'),
    entities: await all('legal_entities'),
    strings: await all('strings'),
    events: await all('events'),
    deliveries: await all('deliveries'),
    mails: await all('mails'),
    webhooks: await all('webhook_endpoints'),
    tokens: await all('oauth_tokens'),
    checkouts: await all('checkouts'),
    counts: await all('checkout_counts'),
    changes: await all('checkout_count_changes'),
    reversals: await all('reversals'),
    totals: await all('totals'),
    filed: await all('filed_totals'),
    unfiled: await all('insight_changes'),
  }
}

type Rows<T extends keyof Tables> = Selectable<Tables[T]>[]

/** The pages and indexes of the file, and every reference from one table to another. */
async function damageOf(db: Db): Promise<string[]> {
  const pages = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  const references = await sql<{ table: string; parent: string }>`
    pragma foreign_key_check`.execute(db)
  return [
    ...pages.rows.map((row) => row.integrity_check).filter((said) => said !== 'ok'),
    ...references.rows.map((row) => `a row of ${row.table} without its ${row.parent}`),
  ]
}
