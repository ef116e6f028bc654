import type { TestApp } from '../app.ts'
import { repetitions } from '../depth.ts'
import { openInterruptibleServer } from './interleave.ts'
import { openStage } from './play.ts'
import type { Scenario } from './scenarios.ts'

/** `npm test` takes the first point and one of so many others, not the same for each pair of operations. */
const STRIDE = repetitions(3, 1)

/**
 * Returns what runs the operation `other` of a scenario at the points of `one`, each time on new
 * records, and checks the end.
 */
export async function openEveryMoment(
  app: TestApp,
): Promise<(scenario: Scenario, one: string, other: string) => Promise<void>> {
  const play = await openStage(app)
  const moments = openInterruptibleServer(app)
  let pairs = 0
  return async (scenario, one, other) => {
    const second = 2 + (pairs % STRIDE)
    pairs += 1
    const after = (moment: number) => (moment === 1 ? second : moment + STRIDE)
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
