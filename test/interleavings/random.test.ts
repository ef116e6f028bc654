import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collectDue } from '../../server/payments/collect-due-charges.ts'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import { type ApiResponse, type Merchant, startTestApp } from '../app.ts'
import { CARDS } from '../cards.ts'
import { cardToken } from '../payer-client.ts'
import {
  DAY_MS,
  type Json,
  openPaymentsClient,
  type PaymentsClient,
  recordedEvents,
} from '../payments-client.ts'
import { type LedgerRows, readLedger } from '../money-model/books.ts'
import { guardTables } from '../money-model/guards.ts'
import { expectInvariants } from '../money-model/invariants.ts'
import { deleteMerchantData } from '../money-model/world.ts'
import { schedules, createScheduler, type Schedule } from './scheduler.ts'

/**
 * Runs two operations on the same money concurrently, in random orders of their steps: when each
 * starts, when its request reaches the processor, and when the response arrives. `SEED=…` repeats the
 * same orders, `RUNS=1000` tries more.
 */

const RUNS = Number(process.env['RUNS'] ?? 15)
const seed = process.env['SEED'] === undefined ? {} : { seed: Number(process.env['SEED']) }

const app = await startTestApp()
await guardTables(app)
const stage = createScheduler(app)
const { deps } = app.checkstand
const began = app.now()

interface RaceMerchant {
  paymentsClient: PaymentsClient
  merchant: Merchant
}

/** Runs a race in many orders, each for a new merchant, and checks the invariants. */
async function everyOrder(
  race: (order: Schedule, shop: RaceMerchant) => Promise<void>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(schedules, async (order) => {
      app.pass(began - app.now())
      const logged = app.logged().length
      const merchant = await app.newMerchant()
      const shop = { merchant, paymentsClient: openPaymentsClient(app, merchant) }
      try {
        await race(order, shop)
        expectInvariants(await booksOf(shop))
        expect(app.logged().slice(logged)).not.toContain('"level":50')
      } finally {
        await deleteMerchantData({ app, merchant })
      }
    }),
    { numRuns: RUNS, ...seed },
  )
}

function booksOf({ merchant }: RaceMerchant): Promise<LedgerRows> {
  return readLedger({ app, merchant })
}

const statuses = (answers: readonly ApiResponse[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other)

/** Returns how many events of a type a record has. */
async function countEvents({ merchant }: RaceMerchant, type: RegExp, id: string): Promise<number> {
  const events = await recordedEvents(app, merchant)
  return events.filter(
    (each) => type.test(each.type) && (Object.values(each.data)[0] as Json).id === id,
  ).length
}

const timeout = 60_000 + RUNS * 1000

describe('an authorisation of 100.00', () => {
  it('is captured once when two captures want more than half', { timeout }, () =>
    everyOrder(async (order, { paymentsClient }) => {
      const { id } = await paymentsClient.authorise()
      const capture = () => paymentsClient.capture(id, { amount: '60.00' })
      const answers = await stage.run(order, [capture, capture])
      expect(statuses(answers)).toEqual([200, 400])
      expect(await paymentsClient.read(id)).toMatchObject({
        captured_amount: '60.00',
        open_amount: '40.00',
      })
    }),
  )

  it('gives two captures what they want when there is enough', { timeout }, () =>
    everyOrder(async (order, { paymentsClient }) => {
      const { id } = await paymentsClient.authorise()
      const answers = await stage.run(order, [
        () => paymentsClient.capture(id, { amount: '60.00' }),
        () => paymentsClient.capture(id, { amount: '40.00' }),
      ])
      expect(statuses(answers)).toEqual([200, 200])
      expect(await paymentsClient.read(id)).toMatchObject({
        captured_amount: '100.00',
        open_amount: '0.00',
      })
    }),
  )

  it('is captured or let go, and never both', { timeout }, () =>
    everyOrder(async (order, { paymentsClient }) => {
      const { id } = await paymentsClient.authorise()
      const [capture, release] = await stage.run(order, [
        () => paymentsClient.capture(id, { amount: '60.00' }),
        () => paymentsClient.release(id),
      ])
      expect(release.status, release.text).toBe(200)
      const isCaptured = capture.status === 200
      expect(release.json.void).toMatchObject({
        status: 'SUCCESS',
        amount: isCaptured ? '40.00' : '100.00',
      })
      expect(await paymentsClient.read(id)).toMatchObject({
        status: isCaptured ? 'SUCCESS' : 'VOIDED',
        captured_amount: isCaptured ? '60.00' : '0.00',
        open_amount: '0.00',
      })
    }),
  )

  it(
    'releases the rest once after a final capture, with a void at the same time',
    { timeout },
    () =>
      everyOrder(async (order, shop) => {
        const { paymentsClient } = shop
        const { id } = await paymentsClient.authorise()
        const [capture, release] = await stage.run(order, [
          () => paymentsClient.capture(id, { amount: '60.00', final: true }),
          () => paymentsClient.release(id),
        ])
        expect([200, 400]).toContain(capture.status)
        expect([200, 400]).toContain(release.status)
        const { voids, reserved } = await booksOf(shop)
        expect(voids).toHaveLength(1)
        const captured = capture.status === 200 ? 6000 : 0
        expect(reserved).toEqual([{ reserved: 10_000, captured, released: 10_000 - captured }])
      }),
  )
})

describe('a payment of 10.00', () => {
  it('is refunded once when two refunds want more than half', { timeout }, () =>
    everyOrder(async (order, { paymentsClient }) => {
      const { id } = await paymentsClient.pay()
      const refund = () => paymentsClient.refund(id, { amount: '6.00' })
      const answers = await stage.run(order, [refund, refund])
      expect(statuses(answers)).toEqual([200, 400])
      expect((await paymentsClient.read(id)).refunded_amount).toBe('6.00')
    }),
  )

  it('gives back what is left to one of two who ask for it', { timeout }, () =>
    everyOrder(async (order, { paymentsClient }) => {
      const { id } = await paymentsClient.pay()
      const refund = () => paymentsClient.refund(id)
      const offline = () => paymentsClient.refund(id, { offline: true })
      expect(statuses(await stage.run(order, [refund, offline]))).toEqual([200, 400])
      expect((await paymentsClient.read(id)).refundable_amount).toBe('0.00')
    }),
  )
})

/** A charge of 10.00 that has fallen due, and whose method is stored. */
async function chargeDue({ paymentsClient }: RaceMerchant) {
  const { account, method } = await paymentsClient.storeCard()
  const due = new Date(app.now() + DAY_MS).toISOString()
  const payment = await paymentsClient.pay(undefined, { account, payment_method: method, due })
  app.pass(DAY_MS)
  return { account, id: payment.charge as string }
}

async function readCharge({ merchant }: RaceMerchant, id: string): Promise<Json> {
  return (await merchant.api(`/charges/${id}`)).json.charge
}

const collect = () => collectDue(deps)

describe('a charge that is due', () => {
  it('is collected once by two collectors', { timeout }, () =>
    everyOrder(async (order, shop) => {
      const { id } = await chargeDue(shop)
      await stage.run(order, [collect, collect])
      expect(await readCharge(shop, id)).toMatchObject({ status: 'PAID', attempts: 1 })
      // The first one stored the card.
      expect((await booksOf(shop)).taken).toHaveLength(2)
    }),
  )

  it('is collected or written off, and never collected after it', { timeout }, () =>
    everyOrder(async (order, shop) => {
      const { id } = await chargeDue(shop)
      const [, answer] = await stage.run(order, [
        collect,
        () =>
          shop.merchant.api(`/charges/${id}`, {
            method: 'PUT',
            body: { charge: { status: 'WRITTENOFF' } },
          }),
      ])
      const isPaid = (await booksOf(shop)).taken.length === 2
      if (!isPaid) expect(answer.status, answer.text).toBe(200)
      // Written off before the collection began.
      if (answer.status === 200 && answer.json.charge.attempts === 0) expect(isPaid).toBe(false)
      const charge = await readCharge(shop, id)
      expect(charge.status).toBe(isPaid ? 'PAID' : 'WRITTENOFF')
      await collect()
      expect((await readCharge(shop, id)).paid_amount).toBe(isPaid ? '10.00' : '0.00')
    }),
  )

  it('is paid once by a collector and a merchant who pays a part of it', { timeout }, () =>
    everyOrder(async (order, shop) => {
      const { id, account } = await chargeDue(shop)
      const pay = await paying(shop, { account, charge: id, amount: '6.00' })
      const [, answer] = await stage.run(order, [collect, pay])
      expect([200, 400]).toContain(answer.status)
      // What the collector left alone while a part was being paid, it collects the next time.
      await collect()
      expect(await readCharge(shop, id)).toMatchObject({ status: 'PAID', paid_amount: '10.00' })
    }),
  )

  it('is paid once by two merchants who each want to pay more than half', { timeout }, () =>
    everyOrder(async (order, shop) => {
      const { id, account } = await chargeDue(shop)
      const pay = await paying(shop, { account, charge: id, amount: '6.00' })
      expect(statuses(await stage.run(order, [pay, pay]))).toEqual([200, 400])
      expect((await readCharge(shop, id)).paid_amount).toBe('6.00')
    }),
  )
})

/** What pays a part of a charge with the method that is stored for its account. */
async function paying(
  { merchant, paymentsClient }: RaceMerchant,
  { account, charge, amount }: { account: string; charge: string; amount: string },
): Promise<() => Promise<ApiResponse>> {
  const { json } = await merchant.api(`/payment_methods?criteria=account=${account}`)
  const payment_method = json.payment_methods[0].id
  const parts = [{ charge, amount }]
  return () => paymentsClient.send({ amount, currency: 'EUR', account, payment_method, parts })
}

/** More than a call may take, so that the reconciler does not wait for its end. */
const LONG_MS = 60_000
const reconcile = () => reconcileDue(deps)
const reconcileLater = () => {
  app.pass(LONG_MS)
  return reconcile()
}

describe('a response that comes while the reconciler queries', () => {
  it.each(['PAYMENT', 'AUTH'])('settles a new %s once', { timeout }, (action) =>
    everyOrder(async (order, shop) => {
      const [answer] = await stage.run(order, [
        () => shop.paymentsClient.pay(CARDS.approve, { action }),
        reconcileLater,
        reconcileLater,
      ])
      await reconcile()
      const { status } = await shop.paymentsClient.read(answer.id)
      // Asked about before it arrived, it was promised never to be charged.
      expect(['SUCCESS', 'DECLINE']).toContain(status)
      expect(await countEvents(shop, /^payment\.(success|decline)$/, answer.id)).toBe(1)
      const books = await booksOf(shop)
      const theirs = action === 'AUTH' ? books.reserved : books.taken
      expect(theirs).toHaveLength(status === 'SUCCESS' ? 1 : 0)
    }),
  )

  it('settles a capture once', { timeout }, () =>
    everyOrder(async (order, shop) => {
      const { id } = await shop.paymentsClient.authorise()
      const [{ json }] = await stage.run(order, [
        () => shop.paymentsClient.capture(id, { amount: '60.00' }),
        reconcileLater,
      ])
      await reconcile()
      const { status } = await shop.paymentsClient.read(json.capture.id)
      expect((await shop.paymentsClient.read(id)).captured_amount).toBe(
        status === 'SUCCESS' ? '60.00' : '0.00',
      )
      expect(await countEvents(shop, /^capture\.(success|decline)$/, json.capture.id)).toBe(1)
    }),
  )

  it('settles a refund once', { timeout }, () =>
    everyOrder(async (order, shop) => {
      const { id } = await shop.paymentsClient.pay()
      const [{ json }] = await stage.run(order, [
        () => shop.paymentsClient.refund(id, { amount: '6.00' }),
        reconcileLater,
      ])
      await reconcile()
      const { status } = (await shop.merchant.api(`/refunds/${json.refund.id}`)).json.refund
      expect((await shop.paymentsClient.read(id)).refunded_amount).toBe(
        status === 'SUCCESS' ? '6.00' : '0.00',
      )
      expect(await countEvents(shop, /^refund\.(success|declined)$/, json.refund.id)).toBe(1)
    }),
  )

  it('settles a void once', { timeout }, () =>
    everyOrder(async (order, shop) => {
      const { id } = await shop.paymentsClient.authorise()
      const [{ json }] = await stage.run(order, [
        () => shop.paymentsClient.release(id),
        reconcileLater,
      ])
      await reconcile()
      const { status } = (await shop.merchant.api(`/voids/${json.void.id}`)).json.void
      expect((await shop.paymentsClient.read(id)).status).toBe(
        status === 'SUCCESS' ? 'VOIDED' : 'SUCCESS',
      )
    }),
  )

  it('settles a collection once', { timeout }, () =>
    everyOrder(async (order, shop) => {
      const { id } = await chargeDue(shop)
      await stage.run(order, [collect, reconcileLater])
      await reconcile()
      const charge = await readCharge(shop, id)
      const { taken } = await booksOf(shop)
      expect(charge.paid_amount).toBe(taken.length === 2 ? '10.00' : '0.00')
      expect(charge.next_attempt === null).toBe(charge.status === 'PAID')
    }),
  )

  it('stores the card once for a payment without a response', { timeout }, () =>
    everyOrder(async (order, shop) => {
      const { account } = (
        await shop.merchant.api('/accounts', { body: { account: { crm_key: 'payer' } } })
      ).json
      const token = await cardToken(app, CARDS.noAnswerTaken)
      const payment = await shop.paymentsClient.pay(undefined, {
        account: account.id,
        payment_method: { token, save: true },
      })
      expect(payment.status).toBe('UNRESOLVED')
      app.pass(LONG_MS)
      await stage.run(order, [reconcile, () => shop.paymentsClient.refund(payment.id), reconcile])
      const { json } = await shop.merchant.api('/payment_methods')
      expect(json.meta.total).toBe(1)
      expect((await shop.paymentsClient.read(payment.id)).refunded_amount).toBe('10.00')
    }),
  )
})
