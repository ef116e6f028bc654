import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { PAYMENT_NOT_FOUND, startPaymentsApp } from '../../test/payments-app.ts'
import { DAY_MS, type Json, openPaymentsClient, errorSummary } from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'

/** Which record a path names: for reading, refunding and capturing. */

const { app, api, client, ...kit } = await startPaymentsApp()
const DUPLICATE = [400, 'DUPLICATE', 'Duplicate alt_key'] as const

const get = (path: string) => api(`/payments/${path}`)
/** Payments one second apart, so that it is clear which is the newest. */
async function apart<T>(act: () => Promise<T>): Promise<T> {
  app.pass(1_000)
  return act()
}
let keys = 0
const newKey = () => `key ${(keys += 1)}`
const pay = (alt_key: string, card: string = CARDS.approve) =>
  apart(() => client.pay(card, { alt_key }))
const reserve = (alt_key: string, card: string = CARDS.approve) =>
  apart(() => client.authorise(card, { alt_key }))
const captured = async (named: string, capture?: object): Promise<Json> =>
  apart(() => kit.captured(named, capture))

/** A transaction of an operation that the API names by no member: of a refund or a void. */
async function transactionOf(type: 'REFUND' | 'VOID', owner: string): Promise<string> {
  const row = await app.checkstand.deps.db
    .selectFrom('transactions')
    .select('id')
    .where('type', '=', type)
    .where('payment_id', '=', owner)
    .executeTakeFirstOrThrow()
  return row.id
}

describe('reading by an id', () => {
  it('finds payment, authorization and capture by id and by transaction id', async () => {
    const payment = await pay(newKey())
    const auth = await reserve(newKey())
    const capture = await captured(auth.id, { amount: '1.00' })
    for (const record of [payment, await client.read(auth.id), capture]) {
      expect((await get(record.id)).json.payment).toEqual(record)
      expect((await get(record.transaction)).json.payment).toEqual(record)
    }
    expect(payment.id).toMatch(/^pay_/)
    expect(capture.id).toMatch(/^ca_/)
  })

  it('does not find records of other kinds', async () => {
    const { account, method } = await client.storeCard()
    const payment = await pay(newKey())
    const refund = await kit.refunded(payment.id)
    const auth = await reserve(newKey())
    const released = await kit.released(auth.id)
    const link = (await api('/payment_links', { body: { payment_link: {} } })).json.payment_link.id
    const others = [account, method, refund.id, released.id, link]
    const transactions = [
      await transactionOf('REFUND', refund.id),
      await transactionOf('VOID', released.id),
    ]
    for (const id of [...others, ...transactions, 'pay_1_a', 'ca_1_a', 'tr_1_a', 'cg_1_a']) {
      expect(errorSummary(await get(id))).toEqual(PAYMENT_NOT_FOUND)
      for (const verb of ['refund', 'capture', 'void']) {
        expect(errorSummary(await api(`/payments/${id}/${verb}`, { method: 'POST' }))).toEqual(
          PAYMENT_NOT_FOUND,
        )
      }
    }
  })

  it('captures and voids no payment and no capture', async () => {
    const payment = await pay(newKey())
    const capture = await captured((await reserve(newKey())).id)
    const names = [payment.id, payment.transaction, payment.alt_key]
    for (const idOrKey of [...names, capture.id, capture.transaction]) {
      for (const operate of [client.capture, client.release]) {
        expect(errorSummary(await operate(idOrKey))).toEqual(PAYMENT_NOT_FOUND)
      }
    }
  })

  it('is case-sensitive', async () => {
    const payment = await pay(newKey())
    expect(errorSummary(await get(payment.id.toUpperCase()))).toEqual(PAYMENT_NOT_FOUND)
    expect(errorSummary(await get(`${payment.id}%20`))).toEqual(PAYMENT_NOT_FOUND)
  })
})

describe('reading by an alt_key', () => {
  it.each([
    ['Order-1', 'oRDER-1'],
    ['Übung', 'U\u0308BUNG'],
    ['CAFE\u0301', 'café'],
    ['ΣΟΦΟΣ', 'σοφος'],
    ['a/b', 'A/B'],
    ['50% off', '50% OFF'],
    ['%2F', '%2f'],
    ['a+b c', 'A+B C'],
    ['?q=1#x', '?Q=1#X'],
    ['😀 key', '😀 KEY'],
    ['refund', 'Refund'],
    ['x'.repeat(255), 'X'.repeat(255)],
  ])('%s is also found as %s', async (alt_key, named) => {
    const payment = await pay(alt_key)
    expect(payment.alt_key).toBe(alt_key)
    for (const text of [alt_key, named]) {
      expect((await get(encodeURIComponent(text))).json.payment.id).toBe(payment.id)
    }
    expect((await client.refund(named)).json.refund.payment).toBe(payment.id)
  })

  it('finds the newest of any kind and status', async () => {
    const key = newKey()
    const newest = async () => (await get(encodeURIComponent(key))).json.payment.id
    for (const make of [
      () => pay(key),
      () => reserve(key),
      () => pay(key, CARDS.decline),
      () => reserve(key, CARDS.pendingSuccess),
      () => pay(key, CARDS.noAnswerNotTaken),
    ]) {
      expect(await newest().catch(() => undefined)).not.toBe((await make()).id)
    }
    const auth = await reserve(key)
    const capture = await captured(auth.id)
    expect(await newest()).toBe(capture.id)
  })

  it('is stable for two payments of the same millisecond', async () => {
    const key = newKey()
    app.pass(1_000)
    const two = await Promise.all([1, 2].map(() => client.pay(CARDS.approve, { alt_key: key })))
    const last = two[0].id > two[1].id ? two[0].id : two[1].id
    for (const _again of [1, 2, 3]) {
      expect((await get(encodeURIComponent(key))).json.payment.id).toBe(last)
    }
  })

  it.each(['nobody', '%00', 'a%00b', '%C3%28', '%', '%zz', '%ED%A0%80', '%20', '..%2F..'])(
    'answers 404 for %s, on every verb',
    async (path) => {
      expect(errorSummary(await get(path))).toEqual(PAYMENT_NOT_FOUND)
      for (const verb of ['refund', 'capture', 'void']) {
        expect(errorSummary(await api(`/payments/${path}/${verb}`, { method: 'POST' }))).toEqual(
          PAYMENT_NOT_FOUND,
        )
      }
    },
  )
})

/** What is made under one key, oldest first, and what each verb then finds by it. */
const MAKE = {
  PAY: async (key: string) => (await pay(key)).id,
  DECLINED: async (key: string) => (await pay(key, CARDS.decline)).id,
  PENDING: async (key: string) => (await pay(key, CARDS.pendingSuccess)).id,
  AUTH: async (key: string) => (await reserve(key)).id,
  'AUTH DECLINED': async (key: string) => (await reserve(key, CARDS.decline)).id,
  REFUNDED: async (key: string) => (await kit.refunded((await pay(key)).id)).payment,
  CAPTURED: async (key: string) => (await captured((await reserve(key)).id, { amount: '1.00' })).id,
}

describe('refunding by an alt_key', () => {
  it.each<[(keyof typeof MAKE)[], number | 'NOT_FOUND' | 'DUPLICATE' | 'INVALID_STATE']>([
    [['PAY'], 0],
    [['PAY', 'DECLINED'], 0],
    [['DECLINED', 'PAY'], 1],
    [['DECLINED'], 'NOT_FOUND'],
    [['AUTH'], 'NOT_FOUND'],
    [['PAY', 'AUTH'], 0],
    [['CAPTURED'], 0],
    [['CAPTURED', 'AUTH', 'AUTH DECLINED'], 0],
    [['PAY', 'PAY'], 'DUPLICATE'],
    [['PAY', 'CAPTURED'], 'DUPLICATE'],
    [['CAPTURED', 'CAPTURED'], 'DUPLICATE'],
    [['REFUNDED', 'PAY'], 'DUPLICATE'],
    [['PAY', 'REFUNDED'], 'DUPLICATE'],
    [['PAY', 'PENDING'], 'DUPLICATE'],
    [['PENDING', 'PAY'], 'DUPLICATE'],
    [['PENDING'], 'INVALID_STATE'],
    [['REFUNDED'], 'INVALID_STATE'],
  ])('after %j: %s', async (kinds, expected) => {
    const key = newKey()
    const made: string[] = []
    for (const kind of kinds) made.push(await MAKE[kind](key))
    const response = await client.refund(key.toUpperCase())
    if (typeof expected === 'string') expect(errorSummary(response)[1]).toBe(expected)
    else {
      const found = await client.read(made[expected] as string)
      expect(response.json.refund.source_transaction).toBe(found.transaction)
    }
  })

  it('finds neither of two captures, but each by its own key or id', async () => {
    const key = newKey()
    const auth = await reserve(key)
    const first = await captured(auth.id, { amount: '10.00' })
    await captured(auth.id, { amount: '20.00' })
    const idOrKey = await captured(auth.id, { amount: '30.00', alt_key: `${key} last` })
    expect(errorSummary(await client.refund(key))).toEqual(DUPLICATE)
    expect((await client.refund(`${key} LAST`)).json.refund.amount).toBe('30.00')
    expect((await client.refund(first.id)).json.refund.source_transaction).toBe(first.transaction)
    expect(idOrKey.alt_key).toBe(`${key} last`)
  })

  it('refunds nothing when the key is ambiguous', async () => {
    const key = newKey()
    const [first, second] = [await pay(key), await pay(key)]
    await client.refund(key)
    await client.refund(key, { offline: true })
    for (const { id } of [first, second]) {
      expect((await client.read(id)).refundable_amount).toBe('10.00')
    }
  })

  it('is not made ambiguous by a payment of another instance', async () => {
    const other = openPaymentsClient(app, await app.newMerchant())
    await other.pay(CARDS.approve, { alt_key: 'shared' })
    await client.pay(CARDS.approve, { alt_key: 'shared' })
    expect((await other.refund('shared')).status).toBe(200)
    expect((await client.refund('shared')).status).toBe(200)
  })

  it('considers the age of the second newest, not of the newest', async () => {
    const key = newKey()
    await pay(key)
    app.pass(200 * DAY_MS)
    const second = await pay(key)
    app.pass(200 * DAY_MS)
    expect((await client.refund(key)).json.refund.payment).toBe(second.id)
  })
})

describe('the six months in which another one makes a key ambiguous', () => {
  // The clock of the tests only goes forward, so the moments come in order.
  it.each([
    ['2031-02-28T10:00:00.000Z', '2031-08-31T10:00:00.000Z', true],
    ['2032-02-29T09:59:59.999Z', '2032-08-31T10:00:00.000Z', false],
    ['2033-02-28T09:59:59.999Z', '2033-08-31T10:00:00.000Z', false],
    ['2036-02-29T10:00:00.000Z', '2036-08-31T10:00:00.000Z', true],
    ['2037-01-31T00:00:00.000Z', '2037-07-31T00:00:00.000Z', true],
    ['2038-09-30T23:59:59.999Z', '2039-03-30T23:59:59.999Z', true],
    ['2039-09-30T23:59:59.998Z', '2040-03-30T23:59:59.999Z', false],
  ])('made at %s, refunded at %s: ambiguous is %s', async (made, refunded, ambiguous) => {
    const key = newKey()
    app.pass(Date.parse(made) - app.now())
    // The sandbox would let a card of this age expire.
    const other = await payAs(key)
    app.pass(Date.parse(refunded) - app.now() - 1_000)
    const meant = await payAs(key)
    app.pass(1_000)
    expect(other.created).toBe(made)
    const response = await client.refund(key, { offline: true })
    if (ambiguous) expect(errorSummary(response)).toEqual(DUPLICATE)
    else expect(response.json.refund.payment).toBe(meant.id)
  })

  async function payAs(alt_key: string): Promise<Json> {
    const token = await cardToken(app, CARDS.approve, { exp_month: 12, exp_year: 2049 })
    return client.pay(undefined, { alt_key, payment_method: { token } })
  }
})
