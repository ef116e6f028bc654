import { expect } from 'vitest'
import { fileInsights } from '../../server/insights/file.ts'
import { readTotalledRecords, totalDifferences } from '../totals.ts'
import { adoptTrial } from './begin-trial.ts'
import { type LedgerRows, readLedger } from './books.ts'
import { expectInvariants, expectVersions } from './invariants.ts'
import { type DeepLink, inFlight, type Model, type Payment } from './model.ts'
import { recordMethodId } from './create-payment.ts'
import type { World } from './world.ts'

const lastSeen = new WeakMap<World, LedgerRows>()

/**
 * Compares everything that is stored for the merchant with everything in the model. What the server
 * made by itself has no id in the model until now; it is found by what it must be.
 */
export async function expectSameRecords(model: Model, world: World): Promise<void> {
  const books = await readLedger(world)
  expectInvariants(books)
  const { deps } = world.app.checkstand
  await fileInsights(deps)
  expect(totalDifferences(await readTotalledRecords(deps.db))).toEqual([])
  expectVersions(lastSeen.get(world), books)
  lastSeen.set(world, books)
  adopt(model, books)
  expect(stored(books)).toEqual(expected(model))
}

function adopt(model: Model, books: LedgerRows): void {
  for (const trial of model.trials) adoptTrial(model, trial, books.contracts)
  const ids = (records: readonly { id: string | null }[]) => new Set(records.map(({ id }) => id))
  const knownCharges = ids(model.charges)
  for (const charge of model.charges) {
    charge.id ??=
      books.charges.find(
        ({ id, contract_id: of, contract_n: n }) =>
          !knownCharges.has(id) && of === charge.contract?.id && n === charge.n,
      )?.id ?? null
  }
  const knownPayments = ids(model.payments)
  for (const payment of model.payments) {
    payment.id ??=
      books.payments.find(
        ({ id, charge_id: of }) => !knownPayments.has(id) && of === payment.charge?.id,
      )?.id ?? null
    const row = books.payments.find(({ id }) => id === payment.id)
    if (row) recordMethodId(model, payment, row.payment_method_id)
  }
  const knownVoids = ids(model.voids)
  for (const each of model.voids) {
    each.id ??=
      books.voids.find(
        ({ id, payment_id: of }) => !knownVoids.has(id) && of === each.authorisation.id,
      )?.id ?? null
  }
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())

/** One line for each record, so that a difference reads well. */
function stored(books: LedgerRows) {
  const { payments, parts, refunds, voids, charges, contracts, deepLinks, setups } = books
  const partsOf = (id: string) =>
    parts
      .filter(({ payment_id: of }) => of === id)
      .map((part) => [part.charge_id, part.amount, part.refunded_amount])
  return lines({
    payments: payments.map((row) => [
      row.id,
      row.type,
      row.status,
      row.amount,
      { captured: row.captured_amount, released: row.released_amount },
      { refunded: row.refunded_amount, until: row.authorised_until, created: row.created },
      [row.alt_key, row.authorisation_id, row.charge_id, row.payment_method_id, row.due],
      ...partsOf(row.id),
    ]),
    refunds: refunds.map((row) => [row.id, row.refunded_id, row.status, row.amount, row.offline]),
    voids: voids.map((row) => [row.id, row.payment_id, row.status, row.amount]),
    charges: charges.map((row) => [
      row.id,
      row.status,
      row.amount,
      { paid: row.paid_amount, held: row.in_flight_amount, refunded: row.refunded_amount },
      { due: row.due, next: row.next_attempt, attempts: row.attempts, contract: row.contract_id },
    ]),
    contracts: contracts.map((row) => [
      row.id,
      row.status,
      { started: row.started, made: row.charges_total, paid: row.charges_paid },
      row.next_due,
    ]),
    deepLinks: deepLinks
      .filter(({ action }) => action === 'PAY')
      .map((row) => [
        row.id,
        { uses: row.uses, reserved: row.reserved_uses, most: row.max_uses },
        row.archived !== null,
      ]),
    trials: setups.map((row) => [
      row.payment_link_id,
      row.state === 'DONE' ? row.status : row.state,
      contracts.find(({ payment_link_id: of }) => of === row.payment_link_id)?.id ?? null,
    ]),
  })
}

function expected(model: Model) {
  return lines({
    payments: model.payments.map((each) => [
      each.id,
      each.type,
      each.status,
      each.amount,
      { captured: each.captured, released: each.released },
      {
        refunded: each.refunded,
        until: instant(each.until),
        created: instant(each.created),
      },
      [
        each.altKey,
        each.authorisation?.id ?? null,
        each.charge?.id ?? null,
        each.method,
        instant(each.due),
      ],
      ...each.parts.map((part) => [part.charge.id, part.amount, part.refunded]),
    ]),
    refunds: model.refunds.map((each) => [
      each.id,
      each.payment.id,
      each.status,
      each.amount,
      each.offline ? 1 : 0,
    ]),
    voids: model.voids.map((each) => [each.id, each.authorisation.id, each.status, each.amount]),
    charges: model.charges.map((each) => [
      each.id,
      each.status,
      each.amount,
      { paid: each.paid, held: inFlight(model, each), refunded: each.refunded },
      {
        due: instant(each.due),
        next: instant(each.nextAttempt),
        attempts: each.attempts,
        contract: each.contract?.id ?? null,
      },
    ]),
    contracts: model.contracts.map((each) => [
      each.id,
      each.status,
      {
        started: each.started ? 1 : 0,
        made: each.made,
        paid: model.charges.filter(({ contract, status }) => contract === each && status === 'PAID')
          .length,
      },
      instant(each.nextDue),
    ]),
    deepLinks: model.deepLinks.map((each) => [
      each.id,
      {
        uses: usesOf(model, each, ['SUCCESS']),
        reserved: usesOf(model, each, ['PENDING', 'UNRESOLVED']),
        most: each.maxUses,
      },
      each.archived,
    ]),
    trials: model.trials.map((each) => [each.link, each.status, each.contract?.id ?? null]),
  })
}

function usesOf({ payments }: Model, deepLink: DeepLink, statuses: Payment['status'][]): number {
  return payments.filter((row) => row.deepLink === deepLink && statuses.includes(row.status)).length
}

function lines(tables: Record<string, unknown[][]>): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(tables).map(([name, rows]) => [
      name,
      rows.map((row) => JSON.stringify(row)).toSorted(),
    ]),
  )
}
