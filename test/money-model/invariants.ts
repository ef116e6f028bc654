import { expect } from 'vitest'
import type { LedgerRows } from './books.ts'
import { expectPayees } from './payees.ts'

/** What holds at every moment, independent of the model. */
export function expectInvariants(books: LedgerRows): void {
  expectSums(books)
  expectCharges(books)
  expectLinks(books)
  expectPayees(books)
  expectSameOperations(books)
  if (books.attempts.every(({ state }) => state === 'DONE')) expectSameTotals(books)
}

const COUNTED = ['SUCCESS', 'PENDING', 'UNRESOLVED']

/** Captured, voided and refunded amounts equal the sums of their records, within the payment. */
function expectSums({ payments, refunds, voids, reversals, attempts }: LedgerRows): void {
  for (const payment of payments) {
    const captured = payments.filter(({ authorisation_id: of }) => of === payment.id)
    const released = releasedByCapture(payment, captured, attempts)
    const voided = voids.filter(({ payment_id: of }) => of === payment.id)
    const back = reversals.filter(({ payment_id: of }) => of === payment.id)
    const disputed = back.filter(({ type }) => type === 'DISPUTE' || type === 'RETURN')
    const external = back.filter(({ type }) => type === 'EXTERNAL_REFUND')
    const refunded = refunds.filter(
      ({ refunded_id: of, failed_later }) => of === payment.id && failed_later === 0,
    )
    expect([
      payment.id,
      payment.captured_amount,
      payment.released_amount,
      payment.refunded_amount,
      payment.disputed_amount,
      payment.external_refund_amount,
    ]).toEqual([
      payment.id,
      counted(captured),
      released ?? counted(voided),
      counted(refunded),
      withdrawn(disputed),
      withdrawn(external),
    ])
    expect(payment.captured_amount + payment.released_amount).toBeLessThanOrEqual(payment.amount)
    expect(payment.refunded_amount).toBeLessThanOrEqual(payment.amount)
  }
}

/** Where a processor captures once, the capture releases what it leaves. Undefined without such a capture. */
function releasedByCapture(
  authorization: Row<'payments'>,
  captures: Row<'payments'>[],
  attempts: Row<'attempts'>[],
): number | undefined {
  const only = captures.find(
    ({ id, status }) =>
      status === 'SUCCESS' &&
      attempts.some(({ payment_id: of, rest }) => of === id && rest === 'RELEASED'),
  )
  return only && authorization.amount - only.amount
}

type Row<Table extends keyof LedgerRows> = LedgerRows[Table][number]

function withdrawn(rows: readonly { status: string; amount: number }[]): number {
  return rows.filter(({ status }) => status !== 'WON').reduce((sum, { amount }) => sum + amount, 0)
}

function counted(rows: readonly { status: string; amount: number }[]): number {
  return rows
    .filter(({ status }) => COUNTED.includes(status))
    .reduce((sum, { amount }) => sum + amount, 0)
}

/**
 * A charge's paid amount equals its payments less what banks returned, never exceeds it, and makes it PAID
 * when complete.
 */
function expectCharges({ charges, parts, payments }: LedgerRows): void {
  const statusOf = new Map(payments.map(({ id, status }) => [id, status]))
  for (const charge of charges) {
    const own = parts.filter(({ charge_id: of }) => of === charge.id)
    const sum = (...statuses: string[]) =>
      own
        .filter(({ payment_id: of }) => statuses.includes(statusOf.get(of) ?? ''))
        .reduce((total, { amount, returned_amount: back }) => total + amount - back, 0)
    expect([charge.id, charge.paid_amount, charge.in_flight_amount]).toEqual([
      charge.id,
      sum('SUCCESS'),
      sum('PENDING', 'UNRESOLVED'),
    ])
    expect(charge.paid_amount + charge.in_flight_amount).toBeLessThanOrEqual(charge.amount)
    if (charge.status !== 'CANCELLED') {
      expect(charge.status === 'PAID', charge.id).toBe(charge.paid_amount === charge.amount)
    }
  }
}

/**
 * A paid link names its successful payment, with its contract and its first charge, or the one contract of
 * its free trial; a claim has a payment or set-up under way. A deep link counts each success once, reserves a use for each payment under way, and stays within its limit.
 */
function expectLinks(books: LedgerRows): void {
  const { links, deepLinks, payments, parts, setups } = books
  for (const link of links) {
    const own = payments.filter(({ payment_link_id: of }) => of === link.id)
    const trials = setups.filter(({ payment_link_id: of }) => of === link.id)
    if (link.claim !== null) {
      expect([...own, ...trials].map(({ status }) => status)).toContainEqual(
        expect.stringMatching(/^(PENDING|UNRESOLVED)$/),
      )
    }
    if (link.status !== 'PAYMENT_SUCCESS') continue
    if (trials.length > 0) {
      expectTrial(books, link)
      continue
    }
    const paid = own.find(({ id }) => id === link.payment_id)
    const first = parts.find(({ payment_id: of }) => of === paid?.id)
    expect([link.id, paid?.status, link.claim, link.contract_id, link.charge_id]).toEqual([
      link.id,
      'SUCCESS',
      null,
      paid?.contract_id ?? null,
      first?.charge_id ?? null,
    ])
  }
  for (const deepLink of deepLinks) {
    const limit = deepLink.max_uses ?? Infinity
    expect(deepLink.uses + deepLink.reserved_uses, deepLink.id).toBeLessThanOrEqual(limit)
    // The uses of other deep links are the tasks of customers.
    if (!deepLink.action.startsWith('PAY')) continue
    const made = links.filter(({ deep_link_id: of }) => of === deepLink.id)
    const count = (is: (link: Row<'links'>) => boolean) => made.filter(is).length
    expect([deepLink.id, deepLink.uses, deepLink.reserved_uses]).toEqual([
      deepLink.id,
      count(({ status }) => status === 'PAYMENT_SUCCESS'),
      count(({ claim }) => claim !== null),
    ])
  }
}

/** A free trial has begun one contract, by one saved method, and without a payment. */
function expectTrial({ setups, contracts, payments }: LedgerRows, link: Row<'links'>): void {
  const isOwn = ({ payment_link_id: of }: { payment_link_id: string | null }) => of === link.id
  const saved = setups.filter(isOwn).filter(({ status }) => status === 'SUCCESS')
  expect([link.claim, link.payment_id, link.charge_id, link.contract_id]).toEqual([
    null,
    null,
    null,
    contracts.find(isOwn)?.id,
  ])
  expect([saved.length, contracts.filter(isOwn).length, payments.filter(isOwn).length]).toEqual([
    1, 1, 0,
  ])
}

/** Per operation: a success moved money at the processor, any other final outcome did not. */
function expectSameOperations({ attempts, operations }: LedgerRows): void {
  const theirs = new Map(operations.map((each) => [each.operation, each]))
  for (const { id, kind, state, status, amount } of attempts) {
    if (state !== 'DONE') continue
    const their = theirs.get(id)
    const moved = their?.state === 'APPROVED' ? their.amount : 0
    expect([kind, id, status, moved]).toEqual([kind, id, status, status === 'SUCCESS' ? amount : 0])
  }
}

/** In total: with nothing open, our sums equal the processor's. */
function expectSameTotals({ payments, refunds, taken, reserved }: LedgerRows): void {
  const all = (rows: readonly { amount: number; status: string }[]) =>
    rows.filter(({ status }) => status === 'SUCCESS').reduce((sum, { amount }) => sum + amount, 0)
  const total = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
    rows.reduce((sum, row) => sum + of(row), 0)
  const captures = payments.filter(({ type }) => type === 'CAPTURE')
  expect({
    taken: all(payments.filter(({ type }) => type === 'PAYMENT')) + all(captures),
    refunded: all(refunds.filter(({ offline }) => offline === 0)),
    captured: all(captures),
    released: total(payments, ({ released_amount }) => released_amount),
  }).toEqual({
    taken: total(taken, ({ amount }) => amount),
    refunded: total(taken, ({ refunded }) => refunded),
    captured: total(reserved, ({ captured }) => captured),
    released: total(reserved, ({ released }) => released),
  })
}

/** Internal columns, which change without a new version. */
const HIDDEN = new Set(['in_flight_amount', 'cancelling', 'set_aside', 'v'])

/** No record changes without a new version. */
export function expectVersions(before: LedgerRows | undefined, after: LedgerRows): void {
  if (!before) return
  for (const table of ['payments', 'refunds', 'voids', 'charges', 'contracts'] as const) {
    const rowsBefore = new Map<string, { v: number }>(before[table].map((row) => [row.id, row]))
    for (const row of after[table]) {
      const old = rowsBefore.get(row.id)
      if (!old) continue
      if (seen(old) !== seen(row)) expect(row.v, seen(row)).toBeGreaterThan(old.v)
    }
  }
}

function seen(row: object): string {
  return JSON.stringify(Object.entries(row).filter(([name]) => !HIDDEN.has(name)))
}
