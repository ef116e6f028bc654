import type { Processor } from '../../server/processors/port.ts'
import { startTestApp } from '../app.ts'
import { unendable } from '../unendable-processor.ts'
import { describeEveryMoment } from './every-moment.ts'
import { challengedLink, leftLink } from './scenarios/links.ts'

/** As the exhaustive interleavings, with a processor that cannot end what the payer may confirm. */

const app = await startTestApp()
const { builtIn } = app.checkstand.deps.processors
builtIn.set('sandbox', unendable(builtIn.get('sandbox') as Processor))

await describeEveryMoment(
  app,
  [
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
  ],
  // A payment of a payer has some thirty points, so that every run of the tests tries several of each pair.
  { stride: 12 },
)
