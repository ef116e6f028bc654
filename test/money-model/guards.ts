import { sql } from 'kysely'
import type { TestApp } from '../app.ts'

/**
 * Rules checked at every write, not only at the end: a version never goes back or
 * skips one, and what is decided stays decided. The database itself refuses the rest,
 * so a defect that lasts for a moment within a transaction is found too.
 */

const VERSIONED = [
  'accounts',
  'charges',
  'contracts',
  'payment_methods',
  'payments',
  'refunds',
].concat(['reversals', 'transactions', 'voids'])

/** From which states a record never moves on, and the one way out of SUCCESS. */
const DECIDED: Record<string, string> = {
  payments: `(old.status in ('DECLINE', 'CANCELLED', 'VOIDED') and new.status <> old.status)
    or (old.status = 'SUCCESS' and new.status not in ('SUCCESS', 'VOIDED'))`,
  refunds: `old.status in ('SUCCESS', 'DECLINED', 'INVALID_PAYMENT_METHOD')
    and new.status <> old.status`,
  transactions: `old.status in ('SUCCESS', 'DECLINE') and new.status <> old.status`,
  voids: `old.status in ('SUCCESS', 'DECLINED') and new.status <> old.status`,
  contracts: `old.status = 'CANCELLED' and new.status <> old.status`,
}

/** On SQLite for as long as the product has the file open. */
export async function guardTables(app: TestApp): Promise<void> {
  for (const table of VERSIONED) {
    await guard(app, table, 'version', 'new.v not in (old.v, old.v + 1)')
  }
  for (const [table, breach] of Object.entries(DECIDED)) {
    await guard(app, table, 'decided', breach)
  }
}

async function guard(app: TestApp, table: string, rule: string, breach: string): Promise<void> {
  const { db, kind } = app.checkstand.database
  const name = `guard_${table}_${rule}`
  const message = `${table} broke the rule: ${rule}`
  if (kind === 'sqlite') {
    await sql
      .raw(
        // Of the connection that writes, and not of the file: a server opens none with triggers.
        `create temp trigger ${name} before update on ${table} when ${breach}
          begin select raise(abort, '${message}'); end`,
      )
      .execute(db)
    return
  }
  await sql
    .raw(
      `create function ${name}() returns trigger language plpgsql as
        $$ begin raise exception '${message}'; end $$`,
    )
    .execute(db)
  await sql
    .raw(
      `create trigger ${name} before update on ${table} for each row when (${breach})
        execute function ${name}()`,
    )
    .execute(db)
}
