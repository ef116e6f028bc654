import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { sqlitePath } from '../db/open.ts'
import { copyDatabase } from '../db/sqlite-file.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { setInstanceDisabled } from '../instances/store.ts'
import { syncDueSetups } from '../method-setups/sync.ts'
import { collectDue } from '../payments/collect-due-charges.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { reopenShop, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { testFolder } from '../../test/folder.ts'
import { stubProcessor, DAY_MS, type Json, openPaymentsClient } from '../../test/payments-client.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { prepareAfterRestore } from './after-restore.ts'

/**
 * Scenario: a backup, two days of payments, a lost disk and a restore. The processor has the records
 * of both days.
 */

const app = await startTestApp()
const { deps } = app.checkstand
const till = openPaymentsClient(app)
const path = sqlitePath(deps.config.databaseUrl)

/** Runs the jobs of a server that move money. */
async function runJobs(on: Deps): Promise<void> {
  await reconcileDue(on)
  await createDueCharges(on)
  await collectDue(on)
}

/** Opens the backup as a shop of its own whose processor is the one that went on working. */
async function restoreBeside(backup: string) {
  const restored = new Database(backup)
  restored.pragma('foreign_keys = OFF')
  restored.prepare('attach ? as present').run(path)
  const tables = restored
    .prepare<[], string>(
      "select name from sqlite_schema where type = 'table' and name like 'sandbox%'",
    )
    .pluck()
    .all()
  expect(tables.length).toBeGreaterThan(5)
  for (const table of tables) {
    restored.exec(
      `delete from main.${table}; insert into main.${table} select * from present.${table}`,
    )
  }
  restored.close()
  return reopenShop(app, `file:${backup}`)
}

/** Everything that the processor has ever taken, by operation: amounts in minor units. */
function chargesOf(file: string): Record<string, number> {
  const db = new Database(file, { readonly: true })
  const rows = db
    .prepare<[], { operation: string; amount: number }>(
      'select operation, amount from sandbox_charges',
    )
    .all()
  db.close()
  return Object.fromEntries(rows.map(({ operation, amount }) => [operation, amount]))
}

const newBackup = async () => join(await testFolder(), 'backup.db')

it('takes no money twice after a restore, and reads every missing outcome', async () => {
  const backup = await newBackup()
  const { account, method } = await till.storeCard()
  const stored = { account, payment_method: method }
  const later = { due: new Date(app.now() + DAY_MS).toISOString() }
  const scheduled = await till.pay(undefined, { amount: '20.00', ...stored, ...later })
  const monthly = await till.pay(undefined, {
    amount: '7.00',
    ...stored,
    recurring: { frequency: 'DAY', count: 9 },
  })
  const pending = await till.pay(CARDS.pendingSuccess)
  const link = await newLink(app.merchant, { amount: '12.50' })
  const payer = await openPayerClient(app, link.id)
  await payer.payByCard(CARDS.noAnswerTaken)
  copyDatabase(path, backup)

  app.pass(2 * DAY_MS)
  for (let round = 0; round < 4; round += 1) await runJobs(deps)
  const taken = chargesOf(path)
  const amounts = Object.values(taken).toSorted((a, b) => a - b)
  expect(amounts).toEqual([100, 700, 700, 700, 1000, 1250, 2000])

  const shop = await restoreBeside(backup)
  const { to_reconcile, on_hold } = await prepareAfterRestore(shop.deps)
  expect(to_reconcile).toBe(2)
  expect(on_hold).toHaveLength(3)
  expect(on_hold).toContain(scheduled.charge)
  for (let round = 0; round < 4; round += 1) await runJobs(shop.deps)

  expect(chargesOf(backup)).toEqual(taken)
  expect((await shop.api(`/payments/${pending.id}`)).json.payment.status).toBe('SUCCESS')
  expect((await shop.api(`/payment_links/${link.id}`)).json.payment_link.status).toBe(
    'PAYMENT_SUCCESS',
  )
  const { charges } = (await shop.api('/charges?limit=100')).json
  const open = charges.filter(({ status }: Json) => status === 'ACTIVE')
  const openIds: string[] = open.map(({ id }: Json) => id)
  expect(openIds.toSorted()).toEqual(on_hold.toSorted())
  expect(monthly.contract).toBe(charges.find(({ contract }: Json) => contract)?.contract)

  // The merchant has looked: this one was not collected in the two days that were lost.
  const due = new Date(app.now()).toISOString()
  await shop.api(`/charges/${scheduled.charge}`, { method: 'PUT', body: { charge: { due } } })
  await runJobs(shop.deps)
  expect(Object.keys(chargesOf(backup))).toHaveLength(Object.keys(taken).length + 1)
  expect(await prepareAfterRestore(shop.deps)).toEqual({ to_reconcile: 0, on_hold: [] })
})

/** Days of business, with whatever falls due in them. */
async function passDays(on: Deps, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    app.pass(DAY_MS)
    for (let round = 0; round < 3; round += 1) await runJobs(on)
  }
}

/** Number of charges at the processor of an amount, in minor units, that only one test uses. */
const timesTaken = (file: string, amount: number): number =>
  Object.values(chargesOf(file)).filter((taken) => taken === amount).length

/** Loses all further responses of the processor, which declines payments of `amount`. */
function loseResponses(amount?: number): { stop: () => void } {
  let isLost = true
  stubProcessor(app, (real) => ({
    async pay(order) {
      const declines = isLost && order.amount === amount
      const response = await (declines ? real.cancel(order.operation) : real.pay(order))
      if (isLost) throw new Error('connection reset')
      return response
    },
  }))
  return {
    stop: () => {
      isLost = false
    },
  }
}

const inDays = (days: number) => new Date(app.now() + days * DAY_MS).toISOString()

it('charges no free trial twice that was being begun at the backup', async () => {
  const backup = await newBackup()
  const recurring = { frequency: 'DAY', trial_days: 1, count: 4 }
  const link = await newLink(app.merchant, { amount: '39.00', recurring })
  const payer = await openPayerClient(app, link.id)
  await payer.payByCard(CARDS.noAnswerTaken)
  copyDatabase(path, backup)
  app.pass(60_000)
  await syncDueSetups(deps)
  await passDays(deps, 2)
  expect(timesTaken(path, 3_900)).toBe(2)

  const shop = await restoreBeside(backup)
  expect((await prepareAfterRestore(shop.deps)).to_reconcile).toBe(1)
  await syncDueSetups(shop.deps)
  await runJobs(shop.deps)
  expect(timesTaken(backup, 3_900)).toBe(2)
  const { contract } = (await shop.api(`/payment_links/${link.id}`)).json.payment_link
  const { charges } = (await shop.api(`/charges?criteria=contract%3D${contract}`)).json
  expect(charges).toMatchObject([
    { status: 'ACTIVE', next_attempt: null },
    { status: 'ACTIVE', next_attempt: null },
  ])
  // Those that are due after the restore are collected.
  await passDays(shop.deps, 1)
  expect(timesTaken(backup, 3_900)).toBe(3)
})

describe('work that followed the backup from an attempt that was open then', () => {
  it('is not collected again: a declined collection is not retried', async () => {
    const backup = await newBackup()
    const { account, method } = await till.storeCard()
    const announced = { account, payment_method: method, due: inDays(1) }
    const payment = await till.pay(undefined, { amount: '31.00', ...announced })
    const lost = loseResponses(3_100)
    app.pass(DAY_MS)
    await collectDue(deps)
    lost.stop()
    expect((await till.read(payment.id)).status).toBe('UNRESOLVED')
    copyDatabase(path, backup)
    await passDays(deps, 2)
    expect((await till.read(payment.id)).status).toBe('DECLINE')
    expect(timesTaken(path, 3_100)).toBe(1)

    const shop = await restoreBeside(backup)
    await prepareAfterRestore(shop.deps)
    await passDays(shop.deps, 9)
    expect(timesTaken(backup, 3_100)).toBe(1)
    const { charge } = (await shop.api(`/charges/${payment.charge}`)).json
    expect(charge).toMatchObject({ status: 'ACTIVE', attempts: 1, next_attempt: null })
    // The merchant has looked: for this drill, it is still owed.
    await shop.api(`/charges/${payment.charge}`, {
      method: 'PUT',
      body: { charge: { due: inDays(0) } },
    })
    await runJobs(shop.deps)
    expect(timesTaken(backup, 3_100)).toBe(2)
  })

  it('is not collected again for a request of the merchant', async () => {
    const backup = await newBackup()
    const { account, method } = await till.storeCard()
    const stored = { account, payment_method: method }
    const announced = await till.pay(undefined, { amount: '32.00', ...stored, due: inDays(1) })
    const lost = loseResponses(3_200)
    const parts = [{ charge: announced.charge, amount: '32.00' }]
    const early = await till.pay(undefined, { amount: '32.00', ...stored, parts })
    lost.stop()
    app.pass(DAY_MS)
    expect(early.status).toBe('UNRESOLVED')
    copyDatabase(path, backup)
    await passDays(deps, 1)
    expect(timesTaken(path, 3_200)).toBe(1)

    const shop = await restoreBeside(backup)
    const { on_hold } = await prepareAfterRestore(shop.deps)
    expect(on_hold).toContain(announced.charge)
    await passDays(shop.deps, 2)
    expect(timesTaken(backup, 3_200)).toBe(1)
  })

  it('does not charge a contract twice that its first payment started', async () => {
    const backup = await newBackup()
    const { account, method } = await till.storeCard()
    const lost = loseResponses()
    const { contract, id } = await till.pay(undefined, {
      amount: '33.00',
      account,
      payment_method: method,
      recurring: { frequency: 'DAY', count: 5 },
    })
    lost.stop()
    copyDatabase(path, backup)
    await passDays(deps, 2)
    expect(timesTaken(path, 3_300)).toBe(3)

    const shop = await restoreBeside(backup)
    await prepareAfterRestore(shop.deps)
    for (let round = 0; round < 3; round += 1) await runJobs(shop.deps)
    expect((await shop.api(`/payments/${id}`)).json.payment.status).toBe('SUCCESS')
    expect(timesTaken(backup, 3_300)).toBe(3)
    const { charges } = (await shop.api(`/charges?criteria=contract=${contract}`)).json
    const states = charges.map(({ status, next_attempt }: Json) => [status, next_attempt])
    expect(states.toSorted()).toEqual([
      ['ACTIVE', null],
      ['ACTIVE', null],
      ['PAID', null],
    ])
    // What falls due from now on is collected as ever.
    await passDays(shop.deps, 1)
    expect(timesTaken(backup, 3_300)).toBe(4)
  })
})

it('suspends the charges of an instance that was disabled at the backup', async () => {
  const backup = await newBackup()
  const { account, method } = await till.storeCard()
  const stored = { account, payment_method: method }
  const { id } = app.merchant.instance
  const shut = (on: Deps, since: string | null) =>
    inTransaction(on.db, (tx) => setInstanceDisabled(tx, id, since))
  const announced = await till.pay(undefined, { amount: '34.00', ...stored, due: inDays(1) })
  const daily = { recurring: { frequency: 'DAY', count: 9 } }
  await till.pay(undefined, { amount: '35.00', ...stored, ...daily })
  await shut(deps, inDays(0))
  copyDatabase(path, backup)
  await shut(deps, null)
  await passDays(deps, 2)
  expect([timesTaken(path, 3_400), timesTaken(path, 3_500)]).toEqual([1, 3])

  const shop = await restoreBeside(backup)
  const { on_hold } = await prepareAfterRestore(shop.deps)
  expect(on_hold).toContain(announced.charge)
  await shut(shop.deps, null)
  for (let round = 0; round < 3; round += 1) await runJobs(shop.deps)
  expect([timesTaken(backup, 3_400), timesTaken(backup, 3_500)]).toEqual([1, 3])
})
