import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { createInstance } from '../../server/admin/create-instance.ts'
import type { TestApp } from '../app.ts'
import { countDifferences, readCountedRecords } from '../checkout-counts.ts'
import { type Client, merchantApi } from '../client.ts'
import { readTotalledRecords, totalDifferences } from '../totals.ts'
import { testFolder } from '../folder.ts'
import { guardTables } from '../money-model/guards.ts'
import { expectInvariants } from '../money-model/invariants.ts'
import { ACTIONS, INITIAL_ACTIONS, repeatEveryRequest, runJobs } from './actions.ts'
import { type Action, newMemory, type Simulation } from './client-memory.ts'
import { openTestServer } from './test-server.ts'
import { NORMAL, NetworkError, DEGRADED, type Network, newNetwork } from './network.ts'
import { expectPaidOnce, simulateSandbox, type SimulatedProcessor } from './processor.ts'
import { createRandom, type Random } from '../random.ts'
import { eventLoopTurns } from './event-loop.ts'

const ROUNDS = 12
const CRASH = 0.25
/** Clock changes between rounds, in milliseconds. Clocks are also set back. */
const STEPS = [0, 40, 1000, 1000, 6000, 40_000, 3_600_000, -30_000]
/** Long enough for the reconciler to query every attempt. */
const CALM_ROUNDS = 40
const CALM_STEP_MS = 3_600_000

/** Opens the processor of a simulation. */
export type OpenProcessor = (context: {
  random: Random
  network: Network
  now: () => number
}) => Promise<SimulatedProcessor>

const openSandbox: OpenProcessor = async ({ network }) => simulateSandbox(network)

/** What happened in a simulation. A test expects that something did. */
export interface SimulationCounts {
  crashes: number
  payments: number
  paidLinks: number
  /** Uses of deep links. */
  uses: number
  /** Charges that links have paid. */
  paidCharges: number
}

/**
 * Runs the whole product in this process. One seed decides everything random: requests, the clock,
 * network faults and power cuts. While faults happen, the invariants hold; after they stop, every
 * operation is settled. `template` holds the bytes of a migrated database.
 */
export async function simulate(
  seed: number,
  template: Buffer,
  openProcessor: OpenProcessor = openSandbox,
): Promise<SimulationCounts> {
  const random = createRandom(seed)
  const network = newNetwork(random)
  const folder = await testFolder()
  let clock = Date.parse('2030-05-01T12:00:00.000Z')
  let lives = 0
  let keys = 0
  const file = () => join(folder, `${lives}.db`)
  const now = () => clock
  const processor = await openProcessor({ random, network, now })
  const open = async () => {
    const opened = await openTestServer(file(), { processor, now })
    await guardTables({ checkstand: opened.checkstand } as TestApp)
    return opened
  }
  await writeFile(file(), template)
  let server = await open()
  try {
    const { instance, secretKey } = await createInstance(server.checkstand.deps, {
      merchant: 'Merchant',
      key: 'shop',
      name: 'Corner Shop',
    })
    const processorId = await processor.connect(server.checkstand, instance)
    const memory = newMemory()
    const call: Client['call'] = async (path, options) => {
      const response = await network.request(() => server.call(path, options))
      expect(response.status, `${path}: ${response.text}`).toBeLessThan(500)
      return response
    }
    const scene = (): Simulation => ({
      server,
      processor,
      processorId,
      call,
      api: merchantApi(call, { instance, secretKey }),
      random,
      now,
      memory,
      nextKey: () => `key-${(keys += 1)}`,
    })
    const check = async () => {
      const books = await processor.readLedger(server.checkstand, instance)
      expectInvariants(books)
      const paid = expectPaidOnce(books)
      const linkOf = await readLinksOfSessions(server)
      for (const press of memory.attempts) {
        if (press.outcome === 'COMPLETED') expect(paid).toContain(linkOf.get(press.checkout))
      }
      const { db } = server.checkstand.deps
      expect(countDifferences(await readCountedRecords(db))).toEqual([])
      expect(totalDifferences(await readTotalledRecords(db))).toEqual([])
      expect(server.logged()).not.toContain('"level":50')
    }

    const actions: Action[] = [
      ...ACTIONS,
      ...processor.actions.map((act) => () => act(server.checkstand)),
    ]
    network.faultRates = NORMAL
    for (const act of INITIAL_ACTIONS) await act(scene())
    network.faultRates = DEGRADED
    for (let round = 0; round < ROUNDS; round += 1) {
      const acting = Array.from({ length: 1 + random.between(0, 6) }, () =>
        random.pick(actions)(scene()).catch(ignoreLost),
      )
      const all = Promise.all(acting)
      // Awaited below.
      all.catch(() => {})
      if (random.chance(CRASH)) {
        await eventLoopTurns(random.between(0, 30))
        lives += 1
        const dead = server
        dead.crash(file())
        await all.catch(() => {})
        await dead.close()
        server = await open()
        await expectSoundFile(server)
      } else {
        await all
      }
      await processor.quiet()
      await check()
      clock += random.pick(STEPS)
    }

    network.faultRates = NORMAL
    // What never arrived begins only when it is asked for again, and is then settled as well; what a
    // crash left behind counts as running for a while.
    const refused = [400, 404]
    for (const allowed of [
      [200, 409, ...refused],
      [200, ...refused],
    ]) {
      await repeatEveryRequest(scene(), allowed)
      for (let round = 0; round < CALM_ROUNDS; round += 1) {
        processor.settle()
        await runJobs(scene())
        await processor.quiet()
        clock += CALM_STEP_MS
        if ((await openAttempts(server)) === 0) break
      }
      expect(await openAttempts(server), 'open attempts').toBe(0)
    }
    await check()
    await processor.expectEnd(server.checkstand)
    await expectSoundFile(server)
    return {
      crashes: lives,
      payments: memory.payments.size,
      paidLinks: memory.attempts.filter(({ outcome }) => outcome === 'COMPLETED').length,
      ...(await countUses(server)),
    }
  } finally {
    await server.close()
    await processor.close()
    await rm(folder, { recursive: true, force: true })
  }
}

function ignoreLost(error: unknown): void {
  if (!(error instanceof NetworkError)) throw error
}

async function openAttempts({ checkstand }: Simulation['server']): Promise<number> {
  const open = await checkstand.deps.db
    .selectFrom('attempts')
    .select('id')
    .where('state', '!=', 'DONE')
    .execute()
  return open.length
}

async function countUses({ checkstand }: Simulation['server']) {
  const { db } = checkstand.deps
  const links = await db.selectFrom('deep_links').select('uses').execute()
  const charges = await db
    .selectFrom('charges')
    .select('id')
    .where('payment_link_id', 'is not', null)
    .where('contract_id', 'is', null)
    .execute()
  return { uses: links.reduce((sum, { uses }) => sum + uses, 0), paidCharges: charges.length }
}

/** Returns the payment link of each session, which a first submit makes on a deep link. */
async function readLinksOfSessions({ checkstand }: Simulation['server']) {
  const { db } = checkstand.deps
  const rows = await db.selectFrom('checkouts').select(['id', 'payment_link_id']).execute()
  return new Map(rows.map((row) => [row.id, row.payment_link_id]))
}

/** The file passes SQLite's integrity and foreign key checks. */
async function expectSoundFile({ checkstand }: Simulation['server']): Promise<void> {
  const { db } = checkstand.deps
  const checks = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  expect(checks.rows).toEqual([{ integrity_check: 'ok' }])
  expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([])
}
