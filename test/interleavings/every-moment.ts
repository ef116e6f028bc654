import { describe, it } from 'vitest'
import type { TestApp } from '../app.ts'
import { repetitions } from '../depth.ts'
import { openInterruptibleServer } from './interleave.ts'
import { openStage } from './play.ts'
import type { Scenario } from './scenarios/actions.ts'

/** Records, and which of their operations are interrupted at every point. */
export type Interrupted = [thing: string, scenario: Scenario, operations: string[]]

/**
 * Defines a test for each interrupted operation: every operation of its scenario runs at the points of
 * it, each time on new records. State that was read before the point is stale by then, and must decide
 * nothing. `npm test` takes the first point and one in `stride` of the others, not the same for each pair
 * of operations, and one in `others` of the operations that run there; `npm run test:deep` takes all.
 */
export async function describeEveryMoment(
  app: TestApp,
  things: readonly Interrupted[],
  { stride, others = 1 }: { stride: number; others?: number },
): Promise<void> {
  const interleave = await openEveryMoment(app, stride)
  const step = repetitions(others, 1)
  describe.each(things)('%s', async (_thing, scenario, interrupted) => {
    const operations = Object.keys(await scenario(app, await app.newMerchant()))
    it.each(interrupted)(
      'moves money at most once and stays consistent, whatever else happens while %s',
      { timeout: 600_000 },
      async (one) => {
        const first = interrupted.indexOf(one)
        for (const [at, other] of operations.entries()) {
          if ((at + first) % step === 0) await interleave(scenario, one, other)
        }
      },
    )
  })
}

async function openEveryMoment(
  app: TestApp,
  stride: number,
): Promise<(scenario: Scenario, one: string, other: string) => Promise<void>> {
  const play = await openStage(app)
  const moments = openInterruptibleServer(app)
  const step = repetitions(stride, 1)
  let pairs = 0
  return async (scenario, one, other) => {
    const second = 2 + (pairs % step)
    pairs += 1
    const after = (moment: number) => (moment === 1 ? second : moment + step)
    for (let moment = 1, seen = 1; moment <= seen; moment = after(moment)) {
      await play(
        scenario,
        [one, other],
        async (perform, merchant) => {
          const act = () => perform(one, moments.serverFor(merchant))
          seen = await moments.during(act, moment, () => perform(other))
          // Not every run has the same number of points.
          if (seen < moment) await perform(other)
        },
        `${other}, in moment ${moment}`,
      )
    }
  }
}
