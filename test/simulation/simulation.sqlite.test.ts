import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { MIGRATED } from '../app.ts'
import { openTestDatabase } from '../database.ts'
import { isDeep, repetitions } from '../depth.ts'
import { type OpenProcessor, type SimulationCounts, simulate } from './simulate.ts'
import { simulateStripe } from './stripe.ts'

/**
 * `SEED=17 npx vitest run test/simulation` plays one seed again, `SEEDS=5000` looks for
 * longer, from a seed that differs each time (`FROM=…` sets it). With Stripe, which is reached over HTTP,
 * a seed repeats what is sent and lost, and not always what meets what.
 */

/** Seeds that failed before. They run first. */
const CASES: readonly number[] = []

const SEEDS = Number(process.env['SEEDS'] ?? repetitions(3, 200))
const FROM = Number(process.env['FROM'] ?? Math.floor(Math.random() * 1e9))
const SLICES = 5

const migrated = await openTestDatabase(MIGRATED)
const template = await readFile(migrated.url.slice('file:'.length))
await migrated.drop()

const seedSetting = process.env['SEED']

describe.each<[name: string, openProcessor: OpenProcessor | undefined, seeds: number]>([
  ['the sandbox', undefined, SEEDS],
  ['Stripe', simulateStripe, Math.ceil(SEEDS / 3)],
])(
  'a simulated history with %s keeps every invariant and settles all',
  (_, openProcessor, seeds) => {
    const total: SimulationCounts = {
      crashes: 0,
      payments: 0,
      paidLinks: 0,
      uses: 0,
      paidCharges: 0,
    }

    async function play(seed: number): Promise<SimulationCounts> {
      try {
        return await simulate(seed, template, openProcessor)
      } catch (error) {
        throw new Error(`The simulation failed. Repeat it with SEED=${seed}`, { cause: error })
      }
    }

    if (seedSetting !== undefined) {
      it(`with seed ${seedSetting}`, async () => void (await play(Number(seedSetting))))
      return
    }
    it.each(CASES)('with seed %d, which failed before', async (seed) => void (await play(seed)))
    it.each(Array.from({ length: Math.min(SLICES, seeds) }, (_none, slice) => slice))(
      'with random seeds, part %d',
      { timeout: 120_000 + seeds * 5000 },
      async (slice) => {
        for (let n = slice; n < seeds; n += SLICES) {
          const counts = await play(FROM + n)
          for (const name of Object.keys(total) as (keyof SimulationCounts)[]) {
            total[name] += counts[name]
          }
        }
      },
    )
    // Few histories have all of them.
    it.runIf(isDeep)('includes uses of deep links, and charges that links pay', () => {
      expect([total.uses, total.paidCharges]).not.toContain(0)
    })
    it.runIf(seeds >= SLICES)('includes crashes, payments and paid links', () => {
      expect([total.crashes, total.payments, total.paidLinks]).not.toContain(0)
    })
  },
)
