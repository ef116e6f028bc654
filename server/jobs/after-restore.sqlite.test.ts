import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { makeDueCharges } from '../charges/from-contract.ts'
import { readConfig } from '../config.ts'
import { sqlitePath } from '../db/open.ts'
import { copyDatabase } from '../db/sqlite-file.ts'
import type { Deps } from '../deps.ts'
import { createCheckstand } from '../index.ts'
import { createLog } from '../observe/log.ts'
import { collectDue } from '../payments/collect.ts'
import { reconcileDue } from '../payments/reconcile.ts'
import { BASE, basic, caller, startTestApp } from '../testing/app.ts'
import { DAY_MS, openTill } from '../testing/merchant.ts'
import type { Json } from '../testing/merchant.ts'
import { CARDS, newLink, openPayer } from '../testing/payer.ts'
import { prepareAfterRestore } from './after-restore.ts'

/**
 * The drill: a backup, two days of business, a disk that is lost, and the backup put back. The
 * processor's books are in another house, and know all of the two days.
 */

const app = await startTestApp()
const { deps } = app.checkstand
const till = openTill(app)
const path = sqlitePath(deps.config.databaseUrl)

/** What a running server does by itself, as far as money goes. */
async function runJobs(on: Deps): Promise<void> {
  await reconcileDue(on)
  await makeDueCharges(on)
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
  const checkstand = await createCheckstand({
    config: readConfig({ BASE_URL: BASE, DATABASE_URL: `file:${backup}`, PAYER_PAUSE_MS: '0' }),
    now: app.now,
    log: createLog('silent'),
  })
  onTestFinished(() => checkstand.close())
  const call = caller(checkstand)
  const authorization = basic(`${app.merchant.secretKey}:`)
  const api = (url: string, body?: unknown, method?: string) =>
    call(`/c/api/instances/${app.merchant.instance.key}${url}`, {
      headers: { authorization },
      ...(body === undefined ? {} : { body }),
      ...(method === undefined ? {} : { method }),
    })
  return { deps: checkstand.deps, api }
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

it('takes no money twice after a restore, and learns every outcome that it had not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'checkstand-restore-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const backup = join(folder, 'backup.db')

  const { account, method } = await till.storeCard()
  const stored = { account, payment_method: method }
  const later = { due: new Date(app.now() + DAY_MS).toISOString() }
  const scheduled = await till.take(undefined, { amount: '20.00', ...stored, ...later })
  const monthly = await till.take(undefined, {
    amount: '7.00',
    ...stored,
    recurring: { frequency: 'DAY', count: 9 },
  })
  const pending = await till.take(CARDS.pendingSuccess)
  const link = await newLink(app.merchant, { amount: '12.50' })
  const payer = await openPayer(app, link.id)
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
  await shop.api(`/charges/${scheduled.charge}`, { charge: { due } }, 'PUT')
  await runJobs(shop.deps)
  expect(Object.keys(chargesOf(backup))).toHaveLength(Object.keys(taken).length + 1)
  expect(await prepareAfterRestore(shop.deps)).toEqual({ to_reconcile: 0, on_hold: [] })
})
