import { expect, it, onTestFinished } from 'vitest'
import { CARDS } from '../test/cards.ts'
import { moveClock } from '../test/test-clock-driver.ts'
import { openTestDatabase } from '../test/database.ts'
import { MIGRATED, startTestApp } from '../test/app.ts'
import { newLink, openPayerClient } from '../test/payer-client.ts'
import { PROGRAM_KEY, freePort, startProgram } from '../test/program.ts'
import { startMetrics } from './metrics.ts'

const app = await startTestApp()
const { deps, database } = app.checkstand

async function scrape(port: number): Promise<Map<string, number>> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  expect(response.headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/)
  const lines = (await response.text()).split('\n').filter((line) => /^\w/.test(line))
  return new Map(
    lines.map((line) => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

it('what waits for a processor or a receiver is counted, with the age of the oldest', async () => {
  const port = await freePort()
  const metrics = await startMetrics(
    { host: '127.0.0.1', port },
    {
      db: deps.db,
      security: deps.security,
      config: deps.config,
      now: app.now,
      stats: database.stats,
    },
  )
  onTestFinished(() => metrics.close())
  const names = ['unresolved_operations', 'unresolved_operations_oldest_seconds'] as const
  const unresolved = async () => {
    const found = await scrape(port)
    return names.map((name) => found.get(`checkstand_${name}`))
  }
  expect(await unresolved()).toEqual([0, 0])

  for (let n = 0; n < 2; n += 1) {
    const link = await newLink(app.merchant, { amount: '12.50' })
    await (await openPayerClient(app, link.id)).payByCard(CARDS.noAnswerTaken)
    app.pass(60_000)
  }
  expect(await unresolved()).toEqual([2, 120])
  // What happened by the clock of a test is not older than nothing.
  const ahead = await app.newMerchant()
  await moveClock(app, { advance: 'P1Y' }, ahead)
  await deps.db.deleteFrom('attempts').execute()
  const link = await newLink(ahead, { amount: '12.50' })
  await (await openPayerClient(app, link.id)).payByCard(CARDS.noAnswerTaken)
  expect(await unresolved()).toEqual([1, 0])
  const { transactions } = database.stats()
  expect((await scrape(port)).get('checkstand_database_transactions_total')).toBe(transactions)
})

it('the metrics port serves them, with the path pattern of requests only', async () => {
  const made = await openTestDatabase(MIGRATED)
  const port = await freePort()
  const program = await startProgram(made.url, { METRICS_PORT: String(port) })
  onTestFinished(async () => {
    program.process.kill()
    await program.ended
  })
  const authorization = `Basic ${btoa(`${PROGRAM_KEY}:`)}`
  const api = `${program.base}/c/api/instances/default/payment_links`
  await fetch(`${api}/pl_secret`, { headers: { authorization } })
  expect((await fetch(`${program.base}/metrics`)).status).toBe(404)
  expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(404)

  const found = await scrape(port)
  const labels =
    'method="GET",route="/c/api/instances/:instance_key/payment_links/:id",status="404"'
  expect(found.get(`checkstand_request_duration_seconds_count{${labels}}`)).toBe(1)
  expect([...found.keys()].join('\n')).not.toContain('pl_secret')
  expect(found.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
})

it.runIf(process.platform === 'linux')(
  'are served on the loopback address alone unless another is named, wherever the rest is',
  async () => {
    const made = await openTestDatabase(MIGRATED)
    for (const [settings, elsewhere] of [
      [{}, false],
      [{ METRICS_HOST: '0.0.0.0' }, true],
    ] as const) {
      const port = await freePort()
      const program = await startProgram(made.url, {
        HOST: '0.0.0.0',
        METRICS_PORT: String(port),
        ...settings,
      })
      const isServed = (address: string) =>
        fetch(`http://${address}:${port}/metrics`).then(
          ({ ok }) => ok,
          () => false,
        )
      // All of 127.0.0.0/8 is this machine, so only a server on all addresses responds.
      expect([await isServed('127.0.0.1'), await isServed('127.0.0.2')]).toEqual([true, elsewhere])
      program.process.kill('SIGTERM')
      await program.ended
    }
  },
)
