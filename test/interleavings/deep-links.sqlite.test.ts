import { startTestApp } from '../app.ts'
import { describeEveryMoment } from './every-moment.ts'
import { linkedCharge, owedCharge } from './scenarios/charges.ts'
import { lastUse } from './scenarios/deep-links.ts'
import { managedContract, newMethod, SAVES, SAVES_SAME } from './scenarios/tasks.ts'

/** As the exhaustive interleavings: deep links, their tasks, and charges that links pay. */

await describeEveryMoment(
  await startTestApp(),
  [
    [
      'the last use of a deep link',
      lastUse,
      [
        'a payer pays',
        'a payer’s card is declined',
        'a payer’s card is answered late',
        'it is archived',
        'its amount changes',
        'it may be used once more',
      ],
    ],
    [
      'a charge that links pay',
      linkedCharge,
      ['a payer pays', 'it is paid by request', 'it is collected'],
    ],
    ['a charge that a deep link settles', owedCharge, ['a payer pays', 'it is paid by request']],
    [
      'a link by which a customer saves a card',
      newMethod,
      [SAVES, SAVES_SAME, 'the stored card is removed', 'the account is anonymised'],
    ],
    [
      'a link by which a customer manages a contract',
      managedContract,
      [
        SAVES,
        'the customer cancels it',
        'its former card is removed',
        'its charge is made and collected',
      ],
    ],
  ],
  // A submit of a payer has some thirty points.
  { stride: 40, others: 4 },
)
