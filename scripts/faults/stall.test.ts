import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import type { ApiResponse } from '../../test/client.ts'
import { until } from '../../test/program.ts'
import { expectOutcomes, newFolder, startTestServer, type TestServer } from './test-server.ts'

/** A stopped process, and a database locked by another process. */

/** Payments one after another in several lines, until they are stopped. */
function keepPaying(shop: TestServer, name: string) {
  const results: [string, ApiResponse][] = []
  const load = { on: true }
  const line = async (n: number) => {
    for (let turn = 0; load.on; turn += 1) {
      const key = `${name}-${n}-${turn}`
      results.push([key, await shop.pay(key)])
    }
  }
  const lines = Promise.all([0, 1, 2, 3].map(line))
  return {
    results,
    async stop() {
      load.on = false
      await lines
    },
  }
}

it('a process that stood still for five seconds goes on, and every payment is made once', async () => {
  const shop = await startTestServer(join(await newFolder(), 'shop.db'))
  const paying = keepPaying(shop, 'stall')
  await until('payments', async () => paying.results.length > 8)
  shop.program.process.kill('SIGSTOP')
  await pause(5000)
  shop.program.process.kill('SIGCONT')
  const before = paying.results.length
  await until('more payments', async () => paying.results.length > before + 8)
  await paying.stop()
  await expectOutcomes(shop, paying.results)
})

it('a file that is locked for six seconds is waited for: reads are answered, and no payment fails', async () => {
  const shop = await startTestServer(join(await newFolder(), 'shop.db'))
  const paying = keepPaying(shop, 'lock')
  await until('payments', async () => paying.results.length > 8)
  const other = new Database(shop.path)
  other.exec('begin immediate')
  await until('readiness to go red', async () => (await shop.ready()) === 503)
  const read = await shop.api('/payments')
  expect(read.status).toBe(200)
  await pause(1000)
  other.exec('rollback')
  other.close()
  const before = paying.results.length
  await until('more payments', async () => paying.results.length > before + 8)
  await paying.stop()
  expect(await shop.ready()).toBe(200)
  await expectOutcomes(shop, paying.results)
})
