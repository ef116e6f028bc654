import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../db/open.ts'
import type { Db } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { ApiResponse } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { startPaymentsApp } from '../../test/payments-app.ts'
import { chargedDuring, createGate } from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'

/** What PostgreSQL does to its clients: it hangs up, and it chooses victims. */

const { app, deps, client, countOpenAttempts } = await startPaymentsApp()

/** Another client of the same database, such as its administrator. */
async function openOther(): Promise<Db> {
  const other = await openDatabase(deps.config.databaseUrl)
  onTestFinished(other.close)
  return other.db
}

/** Returns a function whose first two callers wait for each other. */
function createMeeting(): () => Promise<void> {
  const both = createGate()
  let arrived = 0
  return () => {
    arrived += 1
    if (arrived === 2) both.open()
    return both.passed
  }
}

it('a transaction that PostgreSQL aborts because of a deadlock is retried', async () => {
  const { db } = deps
  const now = new Date(app.now()).toISOString()
  await db
    .insertInto('merchants')
    .values(['a', 'b'].map((id) => ({ id, name: `Locks ${id}`, created: now })))
    .execute()
  const touch = (tx: Db, id: string) =>
    tx
      .updateTable('merchants')
      .set((eb) => ({ name: eb(eb.ref('name'), '||', '+') as never }))
      .where('id', '=', id)
      .execute()
  // Each has one row before either asks for the other's; only the first runs wait for that.
  const meet = createMeeting()
  let runs = 0
  const crossing = (first: string, second: string) =>
    inTransaction(db, async (tx) => {
      runs += 1
      await touch(tx, first)
      await meet()
      await touch(tx, second)
    })
  await Promise.all([crossing('a', 'b'), crossing('b', 'a')])
  expect(runs).toBeGreaterThan(2)
  const rows = await db
    .selectFrom('merchants')
    .select('name')
    .where('id', 'in', ['a', 'b'])
    .execute()
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['Locks a++', 'Locks b++'])
})

it('a serialization failure is retried and not returned as an error', async () => {
  const { db } = deps
  await db
    .insertInto('merchants')
    .values({ id: 's', name: 'Serial', created: new Date(app.now()).toISOString() })
    .execute()
  // Both have read before either writes; only the first runs wait for that.
  const meet = createMeeting()
  let runs = 0
  const count = () =>
    inTransaction(
      db,
      async (tx) => {
        runs += 1
        const { name } = await tx
          .selectFrom('merchants')
          .select('name')
          .where('id', '=', 's')
          .executeTakeFirstOrThrow()
        await meet()
        await tx
          .updateTable('merchants')
          .set({ name: `${name}+` })
          .where('id', '=', 's')
          .execute()
      },
      { isolation: 'serializable' },
    )
  await Promise.all([count(), count()])
  const { name } = await db
    .selectFrom('merchants')
    .select('name')
    .where('id', '=', 's')
    .executeTakeFirstOrThrow()
  expect(name).toBe('Serial++')
  expect(runs).toBeGreaterThan(2)
})

// Last, because connections that were cut may be found out only when they are used.
it('payments whose connections are cut are made once each and get an outcome', async () => {
  const other = await openOther()
  const keys = Array.from({ length: 40 }, (_, n) => `cut-${n}`)
  const tokens = await Promise.all(keys.map(() => cardToken(app, CARDS.approve)))
  const pay = (n: number): Promise<ApiResponse | undefined> =>
    client
      .send(
        {
          amount: '10.00',
          currency: 'EUR',
          alt_key: keys[n],
          payment_method: { token: tokens[n] },
        },
        { headers: { 'idempotency-key': keys[n] ?? '' } },
      )
      // The harness minds an answer of 500, and a connection may be cut anywhere.
      .catch(() => undefined)
  const load = { on: true }
  const cut = async () => {
    while (load.on) {
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`.execute(other)
      await new Promise(setImmediate)
    }
  }
  const charged = await chargedDuring(app, async () => {
    const first: (ApiResponse | undefined)[] = []
    const cutting = cut()
    for (let n = 0; n < keys.length; n += 8) {
      const batch = keys.slice(n, n + 8).map((_, at) => pay(n + at))
      first.push(...(await Promise.all(batch)))
    }
    load.on = false
    await cutting
    // Without a cut connection, nothing was tested.
    expect(first.filter((answer) => answer?.status !== 200).length).toBeGreaterThan(0)
    for (let n = 0; n < keys.length; n += 1) {
      let status = ''
      for (let turn = 0; turn < 10 && !/SUCCESS|DECLINE/.test(status); turn += 1) {
        app.pass(60_000)
        // As the server does, which takes the next round for what one has failed at.
        await reconcileDue(deps).catch(() => 0)
        const response = await pay(n)
        status = response?.json?.payment?.status ?? ''
        // A connection that was cut may be noticed only now.
        if (first[n]?.status === 200 && response?.status === 200) {
          expect(response.json.payment.id).toBe(first[n]?.json.payment.id)
        }
      }
      expect(status, keys[n]).toMatch(/SUCCESS|DECLINE/)
    }
  })
  expect(await countOpenAttempts()).toBe(0)
  const made = await deps.db.selectFrom('payments').select(['alt_key', 'status']).execute()
  expect(new Set(made.map(({ alt_key }) => alt_key)).size).toBe(made.length)
  expect(made.filter(({ status }) => status === 'SUCCESS')).toHaveLength(charged.length)
})
