import fc from 'fast-check'
import { expect, it } from 'vitest'
import { repetitions } from '../depth.ts'
import { commandsOf } from './commands.ts'
import type { StripeModel } from './model.ts'
import { expectSamePayments, prepareStripeWorld } from './world.ts'

/**
 * Compares random histories of links paid through Stripe with a model of plain objects, after each step. A
 * failure prints its seed; `SEED=…` repeats it, and `RUNS=1000` tries more.
 */

const RUNS = Number(process.env['RUNS'] ?? repetitions(3, 60))
const COMMANDS_MAX = repetitions(30, 60)

const { app, newWorld, putAway } = await prepareStripeWorld()
const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) }

it(
  'what can be refunded of a payment is right at every moment, whatever comes back of it',
  async () => {
    await fc.assert(
      fc.asyncProperty(commandsOf(COMMANDS_MAX), async (commands) => {
        const world = await newWorld()
        const model: StripeModel = { payments: [] }
        const logged = app.logged().length
        try {
          await fc.asyncModelRun(() => ({ model, real: world }), commands)
          await expectSamePayments(model, world)
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
