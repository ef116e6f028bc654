import { describe, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { openEveryMoment } from './every-moment.ts'
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
 * Runs one operation completely at each interruption point of another, each time on new records;
 * `npm test` takes a third of the points. State that was read before the point is stale by then, and must decide nothing.
 *
 * On SQLite only: between transactions PostgreSQL behaves the same, and takes three times as long.
 */

const app = await startTestApp()
const interleave = await openEveryMoment(app)

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

describe.each(THINGS)('%s', async (_thing, scenario, interrupted) => {
  const operations = Object.keys(await scenario(app, await app.newMerchant()))
  it.each(interrupted)(
    'moves money at most once and stays consistent, whatever else happens while %s',
    async (one) => {
      for (const other of operations) await interleave(scenario, one, other)
    },
  )
})
