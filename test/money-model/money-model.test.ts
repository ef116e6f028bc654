import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { repetitions } from '../depth.ts'
import { expectSameRecords } from './compare.ts'
import { expectLists } from './lists.ts'
import { storeFirstCard } from './create-payment.ts'
import { commandsOf } from './arbitraries.ts'
import { prepareWorld } from './world.ts'

/**
 * Compares random sequences of merchant requests with a model of plain objects: same responses, same
 * records, and the invariants after each step. A failure prints its seed; `SEED=…` repeats it, and
 * `RUNS=1000` tries more.
 */

// On PostgreSQL a run takes four times as long.
const quick = process.env['CHECKSTAND_TEST_DATABASE'] === 'sqlite' ? 5 : 2
const RUNS = Number(process.env['RUNS'] ?? repetitions(quick, 50))
const COMMANDS_MAX = 120

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { newWorld, putAway } = await prepareWorld(app)

const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) }

describe('money', () => {
  it(
    'moves as the model predicts, whatever merchants request',
    async () => {
      await fc.assert(
        fc.asyncProperty(commandsOf(COMMANDS_MAX), async (commands) => {
          const { world, model } = await newWorld()
          const logged = app.logged().length
          try {
            await storeFirstCard(model, world)
            await fc.asyncModelRun(() => ({ model, real: world }), commands)
            await expectSameRecords(model, world)
            await expectLists(model, world)
            expect(app.logged().slice(logged)).not.toContain('"level":50')
          } finally {
            await putAway(world)
          }
        }),
        { numRuns: RUNS, ...seed },
      )
    },
    120_000 + RUNS * 20_000,
  )
})
