import { readFile } from 'node:fs/promises'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { BASE, reopenShop, startTestApp, type TestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { runCommand } from '../../test/run-command.ts'
import { openTestDatabase } from '../../test/database.ts'
import { seedAll } from '../../test/seed-all.ts'
import { type Json, openPaymentsClient } from '../../test/payments-client.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { moveDatabase } from './sqlite-to-postgres.ts'
import { openDatabase, sqlitePath } from './open.ts'

/** The command, from a real file to a real server. */

/** A shop on SQLite with records of every kind, one payment of them without an outcome. */
async function openShop(): Promise<{ app: TestApp; url: string; path: string; open: string }> {
  vi.stubEnv('CHECKSTAND_TEST_DATABASE', 'sqlite')
  const app = await startTestApp()
  vi.unstubAllEnvs()
  await seedAll(app, app.merchant)
  const till = openPaymentsClient(app)
  const pending = await till.pay(CARDS.pendingSuccess)
  await till.pay(undefined, { amount: '9999999999.99', description: 'Grüße, 漢字, "\\n" 🎉' })
  const url = app.checkstand.deps.config.databaseUrl
  return { app, url, path: sqlitePath(url), open: pending.id }
}

const LISTS = ['payments', 'accounts', 'payment_links', 'charges', 'contracts', 'events']

async function readAll(api: TestApp['merchant']['api']): Promise<Record<string, Json>> {
  const read = async (list: string) => [list, (await api(`/${list}?limit=100`)).json] as const
  return Object.fromEntries(await Promise.all(LISTS.map(read)))
}

const shop = await openShop()
const before = await readAll(shop.app.merchant.api)
await shop.app.checkstand.close()
const bytes = await readFile(shop.path)
/** The database that most tests look at after one move. */
const moved = await moveByCommand()

async function moveByCommand() {
  const { url } = await openTestDatabase()
  const to = new URL(url)
  const PGPASSWORD = decodeURIComponent(to.password)
  to.password = ''
  return {
    url,
    ran: await runCommand(shop.url, ['move', '--to', to.href, '--json'], { PGPASSWORD }),
  }
}

const newTarget = async () => (await openTestDatabase()).url
const move = (target: string) => moveDatabase(shop.path, target)

async function countOf(table: string, target: string): Promise<number> {
  const { db, close } = await openDatabase(target)
  try {
    const { rows } = await sql<{
      n: number
    }>`select count(*) as n from ${sql.table(table)}`.execute(db)
    return rows[0]?.n ?? 0
  } finally {
    await close()
  }
}

describe('moving a database to PostgreSQL', () => {
  it('keeps the response of every list of the API', async () => {
    const { api } = await reopenShop(shop.app, moved.url)
    expect(await readAll(api)).toEqual(before)
  })

  it('compares row counts and sums of money, and leaves the file unchanged', async () => {
    const { ran, url } = moved
    expect(ran.err).toBe('')
    expect(ran.json.moved).toContainEqual({
      table: 'sandbox_refunds',
      rows: 1,
      money: { 'EUR amount': '100' },
    })
    const payments = ran.json.moved.find(({ table }: Json) => table === 'payments')
    expect(payments.rows).toBe(await countOf('payments', url))
    expect(BigInt(payments.money['EUR amount'])).toBeGreaterThan(999_999_999_999n)
    expect(await readFile(shop.path)).toEqual(bytes)
  })

  it('continues work in progress: an open payment is settled there', async () => {
    const { deps, api } = await reopenShop(shop.app, moved.url)
    shop.app.pass(3_600_000)
    await reconcileDue(deps)
    expect((await api(`/payments/${shop.open}`)).json.payment.status).toBe('SUCCESS')
  })
})

describe('moving is rejected and changes nothing', () => {
  it('while a server has the file open', async () => {
    const running = await openDatabase(shop.url)
    onTestFinished(() => running.close())
    const target = await newTarget()
    await expect(move(target)).rejects.toThrow('is in use. Stop the server')
    await expect(countOf('payments', target)).rejects.toThrow('does not exist')
  })

  it('when the target is not empty, and creates no table there', async () => {
    const target = await newTarget()
    const { db, close } = await openDatabase<{ notes: { text: string } }>(target)
    onTestFinished(close)
    await db.schema.createTable('notes').addColumn('text', 'text').execute()
    await db.insertInto('notes').values({ text: 'mine' }).execute()
    await expect(move(target)).rejects.toThrow('not empty: its table notes has rows')
    expect((await db.introspection.getTables()).map(({ name }) => name)).toEqual(['notes'])
  })

  it('when it was moved before', async () => {
    const payments = await countOf('payments', moved.url)
    await expect(move(moved.url)).rejects.toThrow('The target is not empty')
    expect(await countOf('payments', moved.url)).toBe(payments)
  })

  it('when the file has the schema of another version', async () => {
    const [name] = change<[string]>(
      'delete from kysely_migration where name = (select max(name) from kysely_migration) returning name',
    )
    onTestFinished(() => void change('insert into kysely_migration values (?, ?)', name, BASE))
    await expect(move(await newTarget())).rejects.toThrow('checkstand migrate')
  })
})

/** Runs a statement on the file and returns the first row. */
function change<Row extends unknown[]>(statement: string, ...values: unknown[]): Row {
  const file = new Database(shop.path)
  try {
    const prepared = file.prepare<unknown[], Row>(statement)
    return prepared.reader
      ? (prepared.raw().get(...values) as Row)
      : (prepared.run(...values), [] as unknown as Row)
  } finally {
    file.close()
  }
}

it('a move that fails halfway leaves the target empty and can be repeated', async () => {
  const [was] = change<[string | null]>('select description from payments where id = ?', shop.open)
  // PostgreSQL keeps no NUL in a text, so one table of several cannot be copied.
  change("update payments set description = 'a' || char(0) where id = ?", shop.open)
  const target = await newTarget()
  await expect(move(target)).rejects.toThrow('Unicode')
  for (const table of ['merchants', 'accounts', 'payments']) {
    expect(await countOf(table, target)).toBe(0)
  }
  change('update payments set description = ? where id = ?', was, shop.open)
  await move(target)
  expect(await countOf('payments', target)).toBeGreaterThan(0)
})
