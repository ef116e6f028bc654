import { expect } from 'vitest'
import { createDueCharges } from '../../server/charges/recurring-charges.ts'
import { recordDeepLinkExpiries } from '../../server/deep-links/expire.ts'
import { syncDueSetups } from '../../server/method-setups/sync.ts'
import { closeExpiredSessions } from '../../server/checkouts/close-sessions.ts'
import { enableInstance } from '../../server/admin/disable-instance.ts'
import { collectDue } from '../../server/payments/collect-due-charges.ts'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import type { Merchant, TestApp } from '../app.ts'
import { type Json, recordedEvents } from '../payments-client.ts'
import { countDifferences, readCountedRecords } from '../checkout-counts.ts'
import { readLedger } from '../money-model/books.ts'
import { expectInvariants } from '../money-model/invariants.ts'
import { expectUses } from './deep-link-checks.ts'
import { expectKeptMethods, readKeptMethods } from './method-checks.ts'

/** Settles everything of one merchant and checks the result. */

interface TestMerchant {
  app: TestApp
  merchant: Merchant
}

/** Longer than a processor call, a challenge, and twice a session. */
const WAITS_MS = [60_000, 20 * 60_000, 2 * 3_600_000, 2 * 3_600_000]

/** Advances the clock and runs the jobs until nothing is left to do. */
export async function settleEverything({ app, merchant }: TestMerchant): Promise<void> {
  const { deps } = app.checkstand
  // Jobs skip a disabled instance.
  await enableInstance(deps, merchant.instance.id)
  for (const ms of WAITS_MS) {
    app.pass(ms)
    await reconcileDue(deps)
    await syncDueSetups(deps)
    await createDueCharges(deps)
    await collectDue(deps)
    await closeExpiredSessions(deps)
    await recordDeepLinkExpiries(deps)
  }
}

/** Reads all records of one merchant. */
async function readAllRecords(shop: TestMerchant) {
  const { db } = shop.app.checkstand.deps
  const of = shop.merchant.instance.id
  const [books, checkouts, attempts, kept, events] = await Promise.all([
    readLedger(shop),
    db.selectFrom('checkouts').selectAll().where('instance_id', '=', of).execute(),
    db.selectFrom('attempts').selectAll().where('instance_id', '=', of).execute(),
    readKeptMethods(db, of),
    recordedEvents(shop.app, shop.merchant),
  ])
  return { ...books, ...kept, checkouts, attempts, operated: books.attempts, events }
}

export type AllRecords = Awaited<ReturnType<typeof readAllRecords>>

/**
 * Expects that nothing is open, that our records equal the processor's, that each link was paid at
 * most once, and that the last event of each record shows its current state. Returns a text in which
 * two end states can be compared.
 */
export async function expectConsistentEnd(shop: TestMerchant): Promise<string> {
  const all = await readAllRecords(shop)
  const counted = await readCountedRecords(shop.app.checkstand.deps.db, shop.merchant.instance.id)
  expect(countDifferences(counted), 'counts of sessions').toEqual([])
  expectInvariants({ ...all, attempts: all.operated })
  expectNothingOpen(all)
  expectPaidOnce(all)
  expectOneEndPerSession(all)
  expectOneOutcome(all)
  expectEventsMatch(all)
  expectUses(all)
  expectKeptMethods(all)
  return summarize(all)
}

function expectNothingOpen({
  attempts,
  setups,
  payments,
  refunds,
  voids,
  charges,
  checkouts,
}: AllRecords) {
  const waiting = [...attempts, ...setups].filter(
    ({ state, next_check }) => state !== 'DONE' || next_check !== null,
  )
  expect(waiting, 'open attempts').toEqual([])
  const open = [...payments, ...refunds, ...voids].filter(({ status }) =>
    ['PENDING', 'UNRESOLVED'].includes(status),
  )
  expect(open, 'operations without an outcome').toEqual([])
  expect(
    charges.filter(({ in_flight_amount: held }) => held !== 0),
    'charges that are still being paid',
  ).toEqual([])
  const alive = checkouts.filter(({ status }) => ['OPEN', 'SUBMITTED', 'PENDING'].includes(status))
  expect(alive, 'sessions that go on').toEqual([])
}

/** The operations by which the processor moved money. */
function movedMoney(operations: AllRecords['operations']): Set<string> {
  return new Set(
    operations.filter(({ state }) => state === 'APPROVED').map(({ operation }) => operation),
  )
}

/** Each link has at most one payment that is not refunded as surplus, and its status says so. */
function expectPaidOnce({ links, attempts, operations, payments, parts }: AllRecords): void {
  const moved = movedMoney(operations)
  const surplus = new Set(payments.filter((row) => row.surplus === 1).map(({ id }) => id))
  for (const payment of payments) {
    const refunded = surplus.has(payment.id) ? payment.amount : 0
    if (payment.payment_link_id !== null) expect(payment.refunded_amount).toBe(refunded)
  }
  const sumOfParts = (id: string) =>
    parts.reduce((sum, { payment_id, amount }) => sum + (payment_id === id ? amount : 0), 0)
  for (const link of links) {
    const paid = attempts.filter(
      ({ id, payment_link_id: of, payment_id }) =>
        of === link.id && moved.has(id) && !surplus.has(payment_id),
    )
    expect(paid.length, `${link.id} was paid`).toBeLessThanOrEqual(1)
    expect([link.id, link.status, link.payment_id, link.claim]).toEqual([
      link.id,
      paid[0] ? 'PAYMENT_SUCCESS' : 'ACTIVE',
      paid[0]?.payment_id ?? null,
      null,
    ])
    const payment = payments.find(({ id }) => id === link.payment_id)
    if (payment) {
      // The sum of charges moves until the payment reserves it.
      const { amount, charges } = JSON.parse(link.options) as { amount: string; charges?: string[] }
      expect(payment.amount, 'what was paid is what is asked').toBe(
        charges ? sumOfParts(payment.id) : Math.round(Number(amount) * 100),
      )
    }
  }
}

/**
 * Each session has one final status and one event of it. What its payer had left may pay the link after
 * it has ended.
 */
function expectOneEndPerSession(all: AllRecords): void {
  const { checkouts, attempts, operations, payments, events } = all
  const moved = movedMoney(operations)
  const surplus = new Set(payments.filter((row) => row.surplus === 1).map(({ id }) => id))
  for (const { id, status } of checkouts) {
    const tries = attempts.filter(({ checkout_id: of }) => of === id)
    const paid = tries.filter((each) => moved.has(each.id) && !surplus.has(each.payment_id))
    const ended = tries.length > 0 ? 'ABANDONED' : 'EXPIRED'
    const isLate = paid.every((attempt) => attempt.set_aside === 1)
    expect(paid.length === 0 ? [ended] : isLate ? ['COMPLETED', ended] : ['COMPLETED']).toContain(
      status,
    )
    const ends = events
      .filter(
        ({ type, data }) =>
          /^checkout\.(completed|expired|abandoned)$/.test(type) && data.checkout.id === id,
      )
      .map(({ type }) => type)
    expect([id, ...ends]).toEqual([id, `checkout.${status.toLowerCase()}`])
  }
}

const OUTCOME = /^(payment|capture|refund|void)\.(success|decline|declined|voided)$/

/** Each operation has one event of its outcome, unless it has not begun. */
function expectOneOutcome({ payments, refunds, events }: AllRecords): void {
  for (const { id, status } of [...payments, ...refunds]) {
    const told = events.filter(
      ({ type, data }) => OUTCOME.test(type) && (Object.values(data)[0] as Json).id === id,
    )
    // An authorization has succeeded before it is voided.
    const types = told.map(({ type }) => type).filter((type) => type !== 'payment.voided')
    expect(types.length, `${id}: ${types.join()}`).toBe(
      ['SCHEDULED', 'CANCELLED'].includes(status) ? 0 : 1,
    )
  }
}

/** The event with the highest version shows the record's current status. */
function expectEventsMatch({ events, ...all }: AllRecords): void {
  const last = new Map<string, Json>()
  for (const { data } of events) {
    const record = Object.values(data)[0] as Json
    if (record.v >= (last.get(record.id)?.v ?? 0)) last.set(record.id, record)
  }
  const { payments, refunds, voids, charges, contracts, links, checkouts } = all
  for (const row of [
    ...payments,
    ...refunds,
    ...voids,
    ...charges,
    ...contracts,
    ...links,
    ...checkouts,
  ]) {
    const record = last.get(row.id)
    if (record === undefined) continue
    expect([row.id, record.status], 'as in its event').toEqual([row.id, row.status])
  }
}

/** Every course has accounts and charges of its own. */
const withoutIds = (options: string) => options.replaceAll(/(acc|cg)_[0-9a-z]+_[0-9a-z]+/g, '$1')

/** Returns one line per record, without ids and times. */
function summarize({
  payments,
  refunds,
  voids,
  charges,
  contracts,
  links,
  deepLinks,
  checkouts,
  methods,
  setups,
}: AllRecords): string {
  const lines = [
    ...payments.map((row) => [
      row.type,
      row.status,
      row.amount,
      row.currency,
      {
        captured: row.captured_amount,
        released: row.released_amount,
        refunded: row.refunded_amount,
      },
    ]),
    ...refunds.map((row) => ['refund', row.status, row.amount, row.offline]),
    ...voids.map((row) => ['void', row.status, row.amount]),
    ...charges.map((row) => ['charge', row.status, row.amount, row.paid_amount]),
    ...contracts.map((row) => ['contract', row.status, row.charges_paid]),
    ...links.map((row) => ['link', row.status, withoutIds(row.options), row.archived === null]),
    ...deepLinks.map((row) => [
      'deep link',
      { uses: row.uses, reserved: row.reserved_uses, max: row.max_uses },
      row.options,
      row.archived === null,
    ]),
    ...checkouts.map((row) => ['session', row.status]),
    ...setups.map((row) => ['set-up', row.status, row.method_last4]),
    ...methods.map((row) => ['card', row.status, row.last4]),
  ]
  return lines
    .map((line) => JSON.stringify(line))
    .toSorted()
    .join('\n')
}
