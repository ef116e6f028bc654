import { startTestApp } from '../app.ts'
import { describeEveryMoment } from './every-moment.ts'
import { contract, dueCharge, writtenOff } from './scenarios/charges.ts'
import { challengedLink, openLink } from './scenarios/links.ts'
import { authorisation, payment } from './scenarios/money.ts'

/**
 * Runs one operation completely at each interruption point of another; `npm test` takes one
 * in sixteen of the points.
 *
 * On SQLite only: between transactions PostgreSQL behaves the same, and takes three times as long.
 */

await describeEveryMoment(
  await startTestApp(),
  [
    // What else payers do is interrupted on deep links, whose uses are payment links.
    ['a link', openLink, ['a payer pays', 'it is archived']],
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
  ],
  { stride: 16 },
)
