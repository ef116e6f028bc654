import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { repetitions } from '../depth.ts'
import { openStage, type Perform } from './play.ts'
import { RECONCILES, type Scenario } from './scenarios/actions.ts'
import { dueCharge, linkedCharge, owedCharge } from './scenarios/charges.ts'
import { lastUse, lastUses } from './scenarios/deep-links.ts'
import { authorisation, newOperation, payment, unansweredPayment } from './scenarios/money.ts'
import { managedContract, newMethod, SAVES, SAVES_ANOTHER, SAVES_SAME } from './scenarios/tasks.ts'
import { createScheduler, schedules } from './scheduler.ts'

/**
 * Runs operations on the same money concurrently, in random orders of their steps: when each starts,
 * when its request reaches the processor, and when the response arrives. `SEED=…` repeats the same
 * orders, `RUNS=1000` tries more.
 */

const RUNS = Number(process.env['RUNS'] ?? repetitions(1, 50))
const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) }

const app = await startTestApp()
const play = await openStage(app)
const { run } = createScheduler(app)

/** The records, and which of their operations run at the same time. */
const RACES: [thing: string, scenario: Scenario, races: string[][]][] = [
  [
    'an authorisation',
    authorisation,
    [
      ['a part is captured', 'a part is captured'],
      ['a part is captured', 'another part is captured'],
      ['a part is captured', 'it is let go'],
      ['the last part is captured', 'it is let go'],
      ['a part is captured', RECONCILES],
      ['it is let go', RECONCILES],
    ],
  ],
  [
    'a payment',
    payment,
    [
      ['a part is given back', 'a part is given back'],
      ['all is given back', 'a part is given back elsewhere'],
      ['a part is given back', RECONCILES],
    ],
  ],
  [
    'a charge that is due',
    dueCharge,
    [
      ['it is collected', 'it is collected'],
      ['it is collected', 'it is written off'],
      ['it is collected', 'a part is paid'],
      ['a part is paid', 'a part is paid'],
      ['it is collected', RECONCILES],
    ],
  ],
  [
    'a charge that links pay',
    linkedCharge,
    [
      ['a payer pays', 'a payer of another link pays'],
      ['a payer pays', 'it is paid by request'],
      ['a payer pays', 'it is written off'],
      ['a payer pays', 'its amount changes'],
      ['a payer’s card is answered late', 'it is collected'],
    ],
  ],
  [
    'a charge that a deep link settles',
    owedCharge,
    [
      ['a payer pays', 'another payer pays'],
      ['a payer pays', 'it is paid by request'],
      ['a payer pays', 'the link is archived'],
    ],
  ],
  [
    'a deep link with one use',
    lastUse,
    [
      ['a payer pays', 'another payer pays'],
      ['a payer’s card is declined', 'another payer pays'],
      ['a payer pays', 'it is archived'],
      ['a payer pays', 'it expires'],
      ['a payer pays', 'its amount changes'],
      ['another payer pays', 'it may be used once more'],
    ],
  ],
  [
    'a deep link with two uses',
    lastUses,
    [
      ['a payer pays', 'another payer pays', 'a third payer pays'],
      ['a payer pays', 'another payer pays', RECONCILES],
    ],
  ],
  [
    'a link by which a customer saves a card',
    newMethod,
    [
      [SAVES_SAME, 'the stored card is removed'],
      [SAVES, SAVES_ANOTHER],
      [SAVES, 'the account is anonymised'],
    ],
  ],
  [
    'a link by which a customer manages a contract',
    managedContract,
    [
      [SAVES, 'its former card is removed'],
      [SAVES, 'the customer cancels it'],
      [SAVES_SAME, 'it keeps its former card'],
    ],
  ],
  [
    'what a merchant begins',
    newOperation,
    [
      ['a payment is taken', RECONCILES, RECONCILES],
      ['an amount is authorised', RECONCILES, RECONCILES],
    ],
  ],
  [
    'a payment without a response',
    unansweredPayment,
    [['it is queried', 'it is given back', 'it is queried']],
  ],
]

describe.each(RACES)('%s', (_thing, scenario, races) => {
  it.each(races.map((names) => [names.join(', and '), names] as const))(
    'moves money at most once and stays consistent when at once %s',
    { timeout: 60_000 + RUNS * 1000 },
    (_names, names) =>
      fc.assert(
        fc.asyncProperty(schedules, async (order) => {
          const acts = (perform: Perform) => names.map((name) => () => perform(name))
          const refused = await play(scenario, names, (perform) => run(order, acts(perform)))
          // Both parts fit.
          if (names.includes('another part is captured')) expect(refused).toEqual(new Set())
        }),
        { numRuns: RUNS, ...seed },
      ),
  )
})
