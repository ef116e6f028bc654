import { describe, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { openInterruptibleServer } from './interleave.ts'
import { openStage } from './play.ts'
import {
  authorisation,
  challengedLink,
  contract,
  dueCharge,
  openLink,
  payment,
  type Scenario,
  writtenOff,
} from './scenarios.ts'

/**
 * Runs one operation completely at each interruption point of another, each time on new records.
 * State that was read before the point is stale by then, and must decide nothing.
 *
 * On SQLite only: between transactions PostgreSQL behaves the same, and takes three times as long.
 */

const app = await startTestApp()
const play = await openStage(app)
const moments = openInterruptibleServer(app)

/** The records, and which of their operations are interrupted at every point. */
const THINGS: [thing: string, scenario: Scenario, interrupted: string[]][] = [
  ['a link', openLink, ['a payer pays', 'a payer’s card is declined', 'it is archived']],
  [
    'a link whose payer is at their bank',
    challengedLink,
    ['the payer comes back', 'they pay with another card', 'they are given up'],
  ],
  [
    'an authorisation',
    authorisation,
    ['a part is captured', 'the last part is captured', 'it is let go'],
  ],
  ['a payment', payment, ['a part is given back']],
  ['a charge that is due', dueCharge, ['it is collected', 'a part is paid']],
  ['a charge that was written off', writtenOff, ['the collector comes by']],
  ['a contract', contract, ['its charge is made and collected']],
]

/** Runs `other` at every point of `one`. */
async function interleave(scenario: Scenario, one: string, other: string): Promise<void> {
  for (let moment = 1, seen = 1; moment <= seen; moment += 1) {
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

describe.each(THINGS)('%s', async (_thing, scenario, interrupted) => {
  const operations = Object.keys(await scenario(app, await app.newMerchant()))
  it.each(interrupted)(
    'moves money at most once and stays consistent, whatever else happens while %s',
    async (one) => {
      for (const other of operations) await interleave(scenario, one, other)
    },
  )
})
