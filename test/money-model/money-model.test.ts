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
const LIMIT_MS = 60_000 + RUNS * 20_000

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { newWorld, putAway } = await prepareWorld(app)

const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) }

/** The clock may pass months while the request for a void is lost, which is when operators are told. */
const TOLD = 'remainder of a final capture is not voided after three days'

/** Returns the logged failures of the program itself. */
const failuresIn = (log: string): string[] =>
  log.split('\n').filter((line) => line.includes('"level":50') && !line.includes(TOLD))

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
            expect(failuresIn(app.logged().slice(logged))).toEqual([])
          } finally {
            await putAway(world)
          }
        }),
        // A failure that takes longer to shorten still prints its seed.
        { numRuns: RUNS, interruptAfterTimeLimit: LIMIT_MS, ...seed },
      )
    },
    LIMIT_MS + 60_000,
  )
})
