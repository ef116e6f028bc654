import {
  answered,
  byId,
  type Evidence,
  type Invariant,
  recordOf,
  repeated,
  sum,
} from './evidence.ts'

/** Money: taken once, never more than allowed, and the same in both books. */

type Attempt = Evidence['records']['attempts'][number]
type Operation = Evidence['later']['operations'][number]

const MONEY_OPS = ['pay', 'capture', 'refund', 'void']
const FAILED = new Set(['DECLINE', 'DECLINED', 'CANCELLED', 'INVALID_PAYMENT_METHOD'])
const isOpenOrDone = ({ status }: { status: string }) => !FAILED.has(status)

export const MONEY: Invariant[] = [
  {
    id: 'I2',
    description: 'one idempotency key makes one record, and one call that moves money',
    findViolations(evidence) {
      const { records } = evidence
      const calls = MONEY_OPS.flatMap((op) => answered(evidence, op))
      const answers = [...Map.groupBy(calls, ({ key }) => key)].filter(
        ([, own]) => new Set(own.map((call) => recordOf(call).id)).size > 1,
      )
      // Captures carry the name of their authorisation, so only what was taken is counted.
      const taken = records.payments.filter(({ type }) => type !== 'CAPTURE')
      const paid = repeated(taken, ({ alt_key }) => alt_key)
      // A collection that failed is made again, with another payment and its own key.
      return [
        ...answers.map(([key]) => `the key ${key} was answered with different records`),
        ...paid
          .filter(([, own]) => own.filter(isOpenOrDone).length > 1)
          .map(([key]) => `the key ${key} made several payments`),
      ]
    },
  },
  {
    id: 'I3',
    description: 'captures, also those under way, are never more than was authorised',
    findViolations({ records, later }) {
      const captures = Map.groupBy(records.payments, (row) => row.authorisation_id)
      const ours = records.payments
        .filter(({ type }) => type === 'AUTH')
        .flatMap(({ id, captured_amount, amount, released_amount }) => {
          const own = (captures.get(id) ?? []).filter(isOpenOrDone)
          return miscounted(id, own, { counts: captured_amount, most: amount - released_amount })
        })
      const theirs = later.authorisations
        .filter((row) => row.captured + row.released > row.reserved)
        .map((row) => `the processor captured too much of ${row.id}`)
      return [...ours, ...theirs]
    },
  },
  {
    id: 'I4',
    description: 'refunds that have not failed are never more than was paid',
    findViolations({ records, later }) {
      const refunds = Map.groupBy(records.refunds, (row) => row.refunded_id)
      const ours = records.payments.flatMap(({ id, refunded_amount, amount }) => {
        const own = (refunds.get(id) ?? []).filter(isOpenOrDone)
        return miscounted(id, own, { counts: refunded_amount, most: amount })
      })
      const theirs = later.charges
        .filter(({ amount, refunded }) => refunded > amount)
        .map(({ id }) => `the processor refunded too much of ${id}`)
      return [...ours, ...theirs]
    },
  },
  {
    id: 'I5',
    description: 'a link is paid once at most',
    findViolations({ records }) {
      const paid = records.payments.filter(({ status }) => status === 'SUCCESS')
      return repeated(paid, (row) => row.payment_link_id).map(
        ([link, own]) => `${link} was paid ${own.length} times`,
      )
    },
  },
  {
    id: 'I6',
    description:
      'what we hold for taken is what the processor took, operation by operation and in total',
    findViolations: (evidence) => [
      ...comparedOneByOne(evidence),
      ...comparedInTotal(evidence),
      ...comparedSetups(evidence),
    ],
  },
  {
    id: 'I7',
    description: 'whatever has no outcome gets one once the processor can be asked',
    findViolations: ({ settled, records }) =>
      settled
        ? [
            ...records.attempts
              .filter(({ state }) => state !== 'DONE')
              .map(({ id, kind, state }) => `the ${kind} ${id} stays ${state}`),
            ...[...records.payments, ...records.refunds, ...records.voids, ...records.setups]
              .filter(({ status }) => status === 'PENDING' || status === 'UNRESOLVED')
              .map(({ id, status }) => `${id} stays ${status}`),
          ]
        : [],
  },
  {
    id: 'I8',
    description:
      'a declined operation never succeeds later, and one that succeeded is never declined',
    findViolations({ records, finals }) {
      const seen = [...records.payments, ...records.refunds, ...records.voids]
      return seen.flatMap(({ id, status }) => {
        // A reserved amount that was let go of had been reserved successfully.
        const now = status === 'VOIDED' ? 'SUCCESS' : status
        if (now !== 'SUCCESS' && !FAILED.has(now)) {
          const before = finals.get(id)
          return before === undefined ? [] : [`${id} was ${before} and is ${status}`]
        }
        const before = finals.get(id) ?? now
        finals.set(id, before)
        return before === now ? [] : [`${id} was ${before} and is ${now}`]
      })
    },
  },
  {
    id: 'I17',
    description:
      'a charge is never paid beyond its amount, and counts exactly what was paid for it',
    findViolations({ records }) {
      const payments = byId(records.payments)
      const parts = Map.groupBy(records.parts, (part) => part.charge_id)
      return records.charges.flatMap(({ id, paid_amount, amount }) => {
        const paid = (parts.get(id) ?? []).filter(
          (part) => payments.get(part.payment_id)?.status === 'SUCCESS',
        )
        return miscounted(id, paid, { counts: paid_amount, most: amount })
      })
    },
  },
]

/** A record must count exactly what its captures, refunds or parts come to, and no more than `most`. */
function miscounted(
  id: string,
  own: readonly { amount: number }[],
  { counts, most }: { counts: number; most: number },
): string[] {
  const total = sum(own.map(({ amount }) => amount))
  if (total !== counts) return [`${id} counts ${counts}, and there is ${total}`]
  return total > most ? [`${id} has ${total} of ${most}`] : []
}

/** Read in this order: their books, our records, their books. So each line below is certain. */
function comparedOneByOne({ records, earlier, later }: Evidence): string[] {
  const transactions = byId(records.transactions)
  const attempts = byId(records.attempts)
  const laterOperations = new Map(later.operations.map((row) => [row.operation, row]))
  const theirs = earlier.operations.flatMap((row) => {
    if (row.state !== 'APPROVED' || row.kind === 'SETUP') return []
    const attempt = attempts.get(row.operation)
    if (!attempt) return [`the processor made ${row.kind} ${row.operation}, unknown to us`]
    const amount = transactions.get(attempt.transaction_id)?.amount
    return attempt.kind === row.kind && amount === row.amount
      ? []
      : [`${row.operation} is ${row.kind} ${row.amount} there, ${attempt.kind} ${amount} here`]
  })
  const ours = records.attempts.flatMap((attempt) => {
    const status = statusOf(attempt, transactions)
    const approved = laterOperations.get(attempt.id)?.state === 'APPROVED'
    if (status === 'SUCCESS' && !approved) return [`${attempt.id} succeeded here and not there`]
    if (status === 'DECLINE' && approved) return [`${attempt.id} was declined here and made there`]
    return []
  })
  return [...theirs, ...ours]
}

/** As above, for methods that are saved without a payment. What a customer left is forgotten. */
function comparedSetups({ records, earlier, later }: Evidence): string[] {
  const setups = byId(records.setups)
  const isApproved = ({ kind, state }: Operation) => kind === 'SETUP' && state === 'APPROVED'
  const unknown = earlier.operations.filter((row) => isApproved(row) && !setups.has(row.operation))
  const approved = new Set(later.operations.filter(isApproved).map(({ operation }) => operation))
  // Stripe's books, as they are read here, have no set-ups.
  const broken = records.setups.filter(({ id, state, status, set_aside }) => {
    if (state !== 'DONE' || approved.size === 0) return false
    return status === 'SUCCESS' ? !approved.has(id) : set_aside === 0 && approved.has(id)
  })
  return [
    ...unknown.map(({ operation }) => `the processor saved ${operation}, unknown to us`),
    ...broken.map(({ id, status }) => `the set-up ${id} is ${status} here and not there`),
  ]
}

function statusOf(
  attempt: Attempt,
  transactions: Map<string, Evidence['records']['transactions'][number]>,
): string | undefined {
  return attempt.state === 'DONE' ? transactions.get(attempt.transaction_id)?.status : undefined
}

const KINDS = ['PAY', 'AUTHORISE', 'CAPTURE', 'REFUND', 'VOID']

function comparedInTotal({ settled, records, later }: Evidence): string[] {
  if (!settled) return []
  const transactions = byId(records.transactions)
  return KINDS.flatMap((kind) => {
    const theirs = later.operations.filter((row) => row.kind === kind && row.state === 'APPROVED')
    const ours = records.attempts.filter(
      (attempt) => attempt.kind === kind && statusOf(attempt, transactions) === 'SUCCESS',
    )
    const here = sum(ours.map((attempt) => transactions.get(attempt.transaction_id)?.amount ?? 0))
    const there = sum(theirs.map(({ amount }) => amount ?? 0))
    return here === there ? [] : [`${kind} comes to ${here} here and to ${there} there`]
  })
}
