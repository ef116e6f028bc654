import type { TestApp } from '../app.ts'
import { repetitions } from '../depth.ts'
import { openInterruptibleServer } from './interleave.ts'
import { openStage } from './play.ts'
import type { Scenario } from './scenarios.ts'

/**
 * Returns what runs the operation `other` of a scenario at the points of `one`, each time on new
 * records, and checks the end. `npm test` takes the first point and one in `stride` of the others, not
 * the same for each pair of operations; `npm run test:deep` takes all.
 */
export async function openEveryMoment(
  app: TestApp,
  { stride = 3 }: { stride?: number } = {},
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
        },
        `${other}, in moment ${moment}`,
      )
    }
  }
}
