import fc from 'fast-check'
import {
  singleCommand,
  inSequence,
  job,
  passTime,
  concurrentCommand,
  type Request,
} from './commands.ts'
import type { TrialRequest } from './begin-trial.ts'
import type { CaptureRequest } from './capture.ts'
import type { ChargeChangeRequest } from './change-charge.ts'
import type { DeepLinkRequest } from './change-deep-link.ts'
import { type Card, DAY_MS, type Fault, type Model } from './model.ts'
import { RARE_KEY } from './operation.ts'
import type { LinkRequest } from './pay-link.ts'
import type { RefundRequest } from './refund.ts'
import type { ScheduleRequest, SubscriptionRequest } from './schedule.ts'
import type { PaymentRequest } from './create-payment.ts'
import type { VoidRequest } from './void.ts'
import type { World } from './world.ts'

/** What people do, in which measure. Few values of each kind, so that they meet. */

const drawn = fc.nat({ max: 19 })
const amount = fc.constantFrom(100, 60, 50, 40, 40, 10, 10, 1)
const part = fc.option(amount, { freq: 3 })
const key = fc.option(fc.nat({ max: 2 }), { freq: 2 })
const rarely = fc.nat({ max: 9 }).map((n) => n === 9)
const sometimes = fc.nat({ max: 3 }).map((n) => n === 3)
const fault = fc.oneof(
  { arbitrary: fc.constant<Fault>('none'), weight: 8 },
  { arbitrary: fc.constantFrom<Fault>('lost', 'silent', 'declined'), weight: 3 },
)
const card = fc.oneof(
  { arbitrary: fc.constant<Card>('approve'), weight: 9 },
  {
    arbitrary: fc.constantFrom<Card>('decline', 'taken', 'lost', 'succeeds', 'fails'),
    weight: 3,
  },
  {
    arbitrary: fc.constantFrom<Card>(
      'refund succeeds',
      'refund fails',
      'capture succeeds',
      'capture fails',
    ),
    weight: 3,
  },
)

const take = fc.record<PaymentRequest>({
  kind: fc.constant('take'),
  action: fc.constantFrom('AUTH', 'AUTH', 'PAYMENT'),
  amount: fc.constantFrom(100, 60),
  card,
  stored: fc.option(drawn, { freq: 1 }),
  save: sometimes,
  key,
  parts: fc.constant([]),
  stray: fc.constant(false),
  fault,
})
const pay = fc.record<PaymentRequest>({
  kind: fc.constant('take'),
  action: fc.constant('PAYMENT'),
  amount: fc.constant(100),
  card,
  stored: fc.option(drawn, { freq: 1 }),
  save: fc.constant(false),
  key: fc.constant(null),
  parts: fc.array(fc.record({ charge: drawn, amount }), { minLength: 1, maxLength: 2 }),
  stray: rarely,
  fault,
})
const capture = fc.record<CaptureRequest>({
  kind: fc.constant('capture'),
  target: drawn,
  stray: rarely,
  byKey: rarely,
  amount: part,
  final: sometimes,
  key,
  fault,
})
const refund = fc.record<RefundRequest>({
  kind: fc.constant('refund'),
  target: drawn,
  stray: rarely,
  byKey: sometimes,
  amount: part,
  offline: sometimes,
  fault,
})
const release = fc.record<VoidRequest>({
  kind: fc.constant('void'),
  target: drawn,
  stray: rarely,
  byKey: rarely,
  fault,
})
const schedule = fc.record<ScheduleRequest>({
  kind: fc.constant('schedule'),
  amount: fc.constantFrom(100, 60),
  days: fc.constantFrom(1, 3),
  method: drawn,
  key,
})
const subscribe = fc.record<SubscriptionRequest>({
  kind: fc.constant('subscribe'),
  amount: fc.constantFrom(100, 60),
  method: drawn,
  unit: fc.constantFrom('DAY', 'WEEK', 'MONTH'),
  interval: fc.constantFrom(1, 2),
  count: fc.constantFrom(1, 2, 3),
  fault,
})
const link = fc.record<LinkRequest>({
  kind: fc.constant('link'),
  pays: fc.constantFrom('charges', 'owed', 'contract', 'deep link', 'deep link'),
  charges: fc.array(drawn, { minLength: 1, maxLength: 3 }),
  amount: fc.constantFrom(100, 60),
  method: drawn,
  fault,
  again: sometimes,
  isRaced: fc.constant(false),
})
const deepLink = fc.record<DeepLinkRequest>({
  kind: fc.constant('deep link'),
  change: fc.constantFrom('one more use', 'one more use', 'amount', 'archive'),
  amount: fc.constantFrom(100, 60),
})
const trial = fc.record<TrialRequest>({
  kind: fc.constant('trial'),
  amount: fc.constantFrom(100, 60),
  card,
  fault,
})
const change = fc.record<ChargeChangeRequest>({
  kind: fc.constant('change'),
  charge: drawn,
  status: fc.option(fc.constantFrom('WRITTENOFF', 'ACTIVE'), { freq: 3 }),
  amount: fc.option(fc.constantFrom(0, 10, 40, 60, 100, 150)),
  days: fc.option(fc.constantFrom<number | 'NEVER'>(-1, 0, 1, 5, 'NEVER')),
})
const wait = fc.record({
  kind: fc.constant('pass' as const),
  ms: fc.constantFrom(
    1,
    2_000,
    5_000,
    5_000,
    3_600_000,
    DAY_MS,
    DAY_MS,
    3 * DAY_MS,
    8 * DAY_MS,
    // Half a year but for some days, and a little more.
    180 * DAY_MS,
    184 * DAY_MS,
  ),
})
const jobs = fc.record({
  kind: fc.constantFrom('reconcile' as const, 'collect', 'collect', 'make charges'),
  fault,
})

/** The same without anything that goes wrong on the way, and without a second step. */
const plain = <T extends Request>(wish: fc.Arbitrary<T>): fc.Arbitrary<Request> =>
  wish.map((given): Request => {
    if (given.kind === 'take') return { ...given, card: 'approve', stored: null, fault: 'none' }
    // By a key, the second of two requests may have read the open amount before the first.
    if (given.kind === 'capture') return { ...given, byKey: false, final: false, fault: 'none' }
    if (given.kind === 'void') return { ...given, byKey: false, fault: 'none' }
    return 'fault' in given ? { ...given, fault: 'none' } : given
  })
/** Two wishes that mean the same record. */
const pairOf = (one: fc.Arbitrary<Request>, other: fc.Arbitrary<Request>) =>
  fc.tuple(one, other, drawn).map(([first, second, target]) => [
    { ...first, target },
    { ...second, target },
  ])
/** Two payers, or a payer and the merchant, who mean the same deep link or charge. */
const racedLinks = fc
  .tuple(link, fc.constantFrom('charges' as const, 'deep link'), drawn)
  .map(([wish, pays, charge]) => ({
    ...wish,
    pays,
    charges: [charge],
    fault: 'none' as const,
    again: false,
    isRaced: true,
  }))
const oneCharge = plain(pay).map((wish) =>
  'parts' in wish ? { ...wish, parts: wish.parts.slice(0, 1) } : wish,
)
const pairs = fc.oneof(
  pairOf(plain(capture), plain(capture)),
  pairOf(plain(capture), plain(release)),
  pairOf(plain(refund), plain(refund)),
  pairOf(plain(refund), plain(refund)),
  pairOf(plain(release), plain(release)),
  fc.tuple(oneCharge, oneCharge).map((pair): Request[] => pair),
  fc.tuple(racedLinks, drawn).map(([one, method]): Request[] => [one, { ...one, method }]),
  fc.tuple(racedLinks, oneCharge).map(([one, other]): Request[] => [one, sameCharge(one, other)]),
)

/** A payment of the charge that a link pays. */
function sameCharge({ charges: [charge = 0] }: LinkRequest, other: Request): Request {
  if (!('parts' in other)) return other
  return { ...other, parts: other.parts.map((each) => ({ ...each, charge })) }
}

/** A key that comes again after half a year, or almost. */
const sameKeyLater = fc
  .tuple(take, fc.constantFrom(180, 183, 184, 185, 190), take, refund)
  .map(([first, days, second, given]) => [
    singleCommand({ ...first, action: 'PAYMENT', key: RARE_KEY }),
    passTime({ kind: 'pass', ms: days * DAY_MS }),
    singleCommand({ ...second, action: 'PAYMENT', key: RARE_KEY }),
    singleCommand({ ...given, byKey: true, target: RARE_KEY }),
  ])

/** Sequences of commands for `fc.asyncModelRun`. */
export function commandsOf(most: number) {
  const weigh = (weight: number, arbitrary: fc.Arbitrary<fc.AsyncCommand<Model, World>>) =>
    Array.from({ length: weight }, () => arbitrary)
  return fc.commands(
    [
      ...weigh(5, take.map(singleCommand)),
      ...weigh(6, capture.map(singleCommand)),
      ...weigh(5, refund.map(singleCommand)),
      ...weigh(2, release.map(singleCommand)),
      ...weigh(2, schedule.map(singleCommand)),
      ...weigh(1, subscribe.map(singleCommand)),
      ...weigh(3, pay.map(singleCommand)),
      ...weigh(4, link.map(singleCommand)),
      ...weigh(1, deepLink.map(singleCommand)),
      ...weigh(2, trial.map(singleCommand)),
      ...weigh(3, change.map(singleCommand)),
      ...weigh(4, wait.map(passTime)),
      ...weigh(4, jobs.map(job)),
      ...weigh(5, pairs.map(concurrentCommand)),
      ...weigh(1, sameKeyLater.map(inSequence)),
    ],
    { maxCommands: most, size: 'max' },
  )
}
