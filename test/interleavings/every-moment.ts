import type { TestApp } from '../app.ts'
import { openInterruptibleServer } from './interleave.ts'
import { openStage } from './play.ts'
import type { Scenario } from './scenarios.ts'

/**
 * Returns what runs the operation `other` of a scenario at every point of `one`, each time on new
 * records, and checks the end. With `stride`, at one point in so many, of which the first is chosen at
 * random.
 */
export async function openEveryMoment(
  app: TestApp,
  { stride = 1 }: { stride?: number } = {},
): Promise<(scenario: Scenario, one: string, other: string) => Promise<void>> {
  const play = await openStage(app)
  const moments = openInterruptibleServer(app)
  return async (scenario, one, other) => {
    const first = 1 + Math.floor(Math.random() * stride)
    for (let moment = first, seen = first; moment <= seen; moment += stride) {
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
