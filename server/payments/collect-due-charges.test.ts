import { describe, expect, it, onTestFinished } from 'vitest'
import { inTransaction } from '../db/transaction.ts'
import { setInstanceDisabled } from '../instances/store.ts'
import { afterEachRead } from '../../test/after-each-read.ts'
import { testCharges } from '../../test/charges.ts'
import { DECLINED, startPaymentsApp } from '../../test/payments-app.ts'
import { DAY_MS, type Json, openPaymentsClient, chargedDuring } from '../../test/payments-client.ts'
import { collectDue } from './collect-due-charges.ts'

/** Collecting what is due from stored methods, when it does not work at once. */

const { app, deps, client, later, bend, removeProcessor, paymentsOf } = await startPaymentsApp()
const { inDays, readCharge, putCharge, setMethod } = testCharges(app)
const { account, method } = await client.storeCard()

const HOUR_MS = 3_600_000
/** Announces 10.00 EUR for tomorrow. */
const announce = (more: Record<string, unknown> = {}): Promise<Json> =>
  client.pay(undefined, { payment_method: method, due: inDays(1), ...more })

describe('a charge of an instance that is disabled', () => {
  /** Announces 10.00 EUR at a merchant of its own. Returns what disables and enables the merchant. */
  async function announceThere() {
    const own = await app.newMerchant()
    const shop = openPaymentsClient(app, own)
    const stored = await shop.storeCard()
    await shop.pay(undefined, { payment_method: stored.method, due: inDays(1) })
    return (at: string | null) =>
      inTransaction(deps.db, (tx) => setInstanceDisabled(tx, own.instance.id, at))
  }

  it('is collected once the instance is enabled', async () => {
    const disable = await announceThere()
    await disable(inDays(0))
    expect(await chargedDuring(app, () => later(2 * DAY_MS))).toEqual([])
    await disable(null)
    expect(await chargedDuring(app, () => later(0))).toEqual([1000])
  })

  it('is not collected even if it was listed before', async () => {
    const disable = await announceThere()
    app.pass(DAY_MS)
    const db = afterEachRead(deps.db, async () => void (await disable(inDays(0))))
    expect(await chargedDuring(app, () => collectDue({ ...deps, db }))).toEqual([])
    await disable(null)
    expect(await chargedDuring(app, () => later(0))).toEqual([1000])
  })
})

describe('a collection that is declined', () => {
  it('is retried after 1, 3, 5 and 7 days, each time as a new payment', async () => {
    const payment = await announce()
    const accept = bend('pay', { ...DECLINED, message: 'No money' })
    const money = await chargedDuring(app, async () => {
      await later(DAY_MS)
      expect(await client.read(payment.id)).toMatchObject({
        status: 'DECLINE',
        gateway_message: 'No money',
      })
      for (const [attempt, days] of [1, 3, 5, 7].entries()) {
        expect(await readCharge(payment.charge)).toMatchObject({
          attempts: attempt + 1,
          next_attempt: inDays(days),
          outstanding_amount: '10.00',
        })
        await later(days * DAY_MS - 1)
        expect(await paymentsOf(payment.charge)).toHaveLength(attempt + 1)
        await later(1)
      }
      await later(100 * DAY_MS)
    })
    expect(money).toEqual([])
    expect(await readCharge(payment.charge)).toMatchObject({
      status: 'ACTIVE',
      attempts: 5,
      next_attempt: null,
    })
    const statuses = (await paymentsOf(payment.charge)).map(({ status }) => status)
    expect(statuses).toEqual(Array.from({ length: 5 }, () => 'DECLINE'))
    // The merchant may ask for another one.
    accept()
    await putCharge(payment.charge, { due: inDays(-1) })
    expect(await chargedDuring(app, () => later(0))).toEqual([1_000])
  })

  it('succeeds days later, and the first payment stays declined', async () => {
    const payment = await announce({ alt_key: 'second try' })
    const accept = bend('pay', { ...DECLINED, message: 'No money' })
    await later(DAY_MS)
    accept()
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_000])
    const [first, second] = await paymentsOf(payment.charge)
    expect(first).toMatchObject({ id: payment.id, status: 'DECLINE' })
    expect(second).toMatchObject({ status: 'SUCCESS', alt_key: 'second try', v: 2 })
    expect((await readCharge(payment.charge)).last_payment).toBe(second.id)
    expect((await client.refund('second try')).json.refund.payment).toBe(second.id)
  })

  it('is not retried once the charge is written off', async () => {
    const payment = await announce()
    bend('pay', DECLINED)
    await later(DAY_MS)
    await putCharge(payment.charge, { status: 'WRITTENOFF' })
    await later(30 * DAY_MS)
    expect(await paymentsOf(payment.charge)).toHaveLength(1)
  })
})

describe('a charge whose processor is not configured', () => {
  it('is collected once it is, and retried at most once an hour', async () => {
    const payment = await announce()
    const restore = removeProcessor()
    const complaints = () => app.logged().split(`"charge":"${payment.charge}"`).length - 1
    const money = await chargedDuring(app, async () => {
      await later(DAY_MS)
      await later(HOUR_MS - 1)
    })
    expect(money).toEqual([])
    expect(complaints()).toBe(1)
    expect(await client.read(payment.id)).toMatchObject({ status: 'SCHEDULED' })
    expect(await readCharge(payment.charge)).toMatchObject({ status: 'ACTIVE', attempts: 0 })
    await later(1)
    expect(complaints()).toBe(2)
    restore()
    expect(await chargedDuring(app, () => later(HOUR_MS))).toEqual([1_000])
    expect((await client.read(payment.id)).status).toBe('SUCCESS')
  })
})

describe('a collection with an unexpected error', () => {
  const stored = (amount: string, ms: number) =>
    client.pay(undefined, {
      amount,
      payment_method: method,
      due: new Date(app.now() + ms).toISOString(),
    })
  /** More than are looked at in one round, all of them due before the others. */
  const many = (ms: number) => Promise.all(Array.from({ length: 25 }, () => stored('5.00', ms)))
  const spoil = (ids: string[], metadata: string) =>
    deps.db.updateTable('payments').set({ metadata }).where('id', 'in', ids).execute()

  it('is postponed and does not block charges due after it', async () => {
    const { method: broken } = await client.storeCard()
    const first = await many(DAY_MS - 1000)
    const second = await stored('6.00', DAY_MS)
    const charges = first.map((payment: Json) => payment.charge as string)
    const charged = (payment_method_id: string) =>
      deps.db.updateTable('charges').set({ payment_method_id }).where('id', 'in', charges).execute()
    await charged(broken)
    await setMethod(broken, { processor: 'broken' })
    const { processors } = deps
    const { get } = processors
    processors.get = async (row, db) => {
      if (row.processor === 'broken') throw new Error('planted')
      return get(row, db)
    }
    onTestFinished(() => {
      processors.get = get
    })
    const money = await chargedDuring(app, async () => {
      await later(DAY_MS)
      await later(0)
    })
    expect(money).toEqual([600])
    expect((await client.read(second.id)).status).toBe('SUCCESS')
    for (const id of charges) {
      expect(app.logged().split(`"charge":"${id}"`)).toHaveLength(2)
    }
    await charged(method)
    const rest = await chargedDuring(app, async () => {
      await later(HOUR_MS)
      await later(0)
    })
    expect(rest).toEqual(first.map(() => 500))
  })

  it('does not prevent the cancellation of scheduled payments', async () => {
    const first = await many(1000)
    const other = await stored('7.00', DAY_MS)
    for (const payment of [...first, other])
      await putCharge(payment.charge, { status: 'WRITTENOFF' })
    const ids = first.map(({ id }: Json) => id as string)
    await spoil(ids, 'spoilt')
    await later(DAY_MS)
    expect((await client.read(other.id)).status).toBe('CANCELLED')
    await spoil(ids, '{}')
    await later(0)
    for (const id of ids) expect((await client.read(id)).status).toBe('CANCELLED')
  })

  it('does not prevent the settlement of other operations', async () => {
    const payments = [await stored('8.00', DAY_MS), await stored('9.00', DAY_MS)]
    bend('pay', 'ANSWER LOST')
    app.pass(DAY_MS)
    await collectDue(deps)
    const [spoilt, other] = payments.map(({ id }: Json) => id as string) as [string, string]
    await spoil([spoilt], 'spoilt')
    await later(5_000)
    expect((await client.read(other)).status).toBe('SUCCESS')
    await spoil([spoilt], '{}')
    await later(HOUR_MS)
    expect((await client.read(spoilt)).status).toBe('SUCCESS')
  })
})

describe('a collection without a response', () => {
  it('is not repeated and is settled to the real outcome', async () => {
    const payment = await announce()
    const mend = bend('pay', 'ANSWER LOST')
    const money = await chargedDuring(app, async () => {
      await later(DAY_MS)
      mend()
      expect((await client.read(payment.id)).status).toBe('UNRESOLVED')
      expect(await collectDue(deps)).toBe(0)
      await later(5_000)
    })
    expect(money).toEqual([1_000])
    expect((await client.read(payment.id)).status).toBe('SUCCESS')
    expect((await readCharge(payment.charge)).status).toBe('PAID')
  })

  it('counts even if the charge is written off before its outcome', async () => {
    const payment = await announce()
    bend('pay', 'ANSWER LOST')
    await later(DAY_MS)
    await putCharge(payment.charge, { status: 'WRITTENOFF' })
    await later(5_000)
    expect((await client.read(payment.id)).status).toBe('SUCCESS')
    expect(await readCharge(payment.charge)).toMatchObject({ status: 'PAID', paid_amount: '10.00' })
  })
})

describe('a stored direct debit', () => {
  it('is collected, is PENDING first and counts on success', async () => {
    const bank_account = { iban: 'GB35SAND00000000000077', holder: 'Ada Lovelace' }
    const { token } = (await app.call('/sandbox/tokens', { body: { bank_account } })).json
    const first = await client.pay(undefined, {
      account,
      payment_method: { type: 'DIRECT_DEBIT', token, save: true },
    })
    expect(first.status).toBe('PENDING')
    await later(2_000)
    const { payment_method: debit } = await client.read(first.id)
    const payment = await announce({ payment_method: debit })
    await later(DAY_MS)
    expect((await client.read(payment.id)).status).toBe('PENDING')
    expect((await readCharge(payment.charge)).status).toBe('ACTIVE')
    expect(await chargedDuring(app, () => later(2_000))).toEqual([1_000])
    expect((await client.read(payment.id)).status).toBe('SUCCESS')
    expect((await readCharge(payment.charge)).status).toBe('PAID')
  })
})
