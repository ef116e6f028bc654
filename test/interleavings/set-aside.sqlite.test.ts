import { describe, it } from 'vitest'
import type { Processor } from '../../server/processors/port.ts'
import { startTestApp } from '../app.ts'
import { unendable } from '../unendable-processor.ts'
import { openEveryMoment } from './every-moment.ts'
import { challengedLink, leftLink, type Scenario } from './scenarios.ts'

/** As the exhaustive interleavings, with a processor that cannot end what the payer may confirm. */

const app = await startTestApp()
const { builtIn } = app.checkstand.deps.processors
builtIn.set('sandbox', unendable(builtIn.get('sandbox') as Processor))
// A payment of a payer has some thirty points, so that every run of the tests tries several of each pair.
const interleave = await openEveryMoment(app, { stride: 6 })

const THINGS: [thing: string, scenario: Scenario, interrupted: string[]][] = [
  [
    'a link whose payer is at a bank that cannot be stopped',
    challengedLink,
    ['the payer comes back', 'they pay with another card'],
  ],
  [
    'a link whose payer has left such a bank',
    leftLink,
    ['the payer comes back', 'they pay with another card'],
  ],
]

describe.each(THINGS)('%s', async (_thing, scenario, interrupted) => {
  const operations = Object.keys(await scenario(app, await app.newMerchant()))
  it.each(interrupted)(
    'is paid at most once, net of refunds, whatever else happens while %s',
    async (one) => {
      for (const other of operations) await interleave(scenario, one, other)
    },
  )
})
