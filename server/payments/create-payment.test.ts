import { describe, expect, it } from 'vitest'
import { CARDS } from '../../test/cards.ts'
import { refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  type Json,
  openPaymentsClient,
  errorSummary,
  chargedDuring,
} from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'

/** What a merchant may ask of `POST /payments`, and what is refused before anything is taken. */

const { app, deps, api, client } = await startPaymentsApp()

describe('creating a payment', () => {
  it('charges the amount once and returns every member that was sent', async () => {
    const sent = {
      amount: '12.5',
      currency: 'EUR',
      alt_key: 'Order 7/ü',
      description: 'Two chairs',
      source: 'MOTO',
      channel: 'phone',
      metadata: { till: '4', note: '' },
    }
    let payment: Json
    const charged = await chargedDuring(app, async () => {
      payment = await client.pay(CARDS.approve, { ...sent, reason: 'Sold by phone' })
    })
    expect(charged).toEqual([1250])
    expect(payment).toMatchObject({
      ...sent,
      amount: '12.50',
      type: 'PAYMENT',
      status: 'SUCCESS',
      gateway_status: 'APPROVED',
      gateway_message: null,
      captured_amount: null,
      open_amount: null,
      refunded_amount: '0.00',
      refundable_amount: '12.50',
      authorisation: null,
      account: null,
      charge: null,
      contract: null,
      payment_method: null,
      parts: [],
      due: null,
      three_ds: { status: 'NONE', liability_shift: false },
      processed: payment.created,
      v: 2,
    })
    expect(payment.id).toMatch(/^pay_[0-9]+_[0-9a-z]+$/)
    expect(await client.read(payment.id)).toEqual(payment)
  })

  it('reserves with AUTH and captures nothing', async () => {
    const charged = await chargedDuring(app, async () => {
      expect(await client.authorise(CARDS.approve, { amount: '20.00' })).toMatchObject({
        type: 'AUTH',
        status: 'SUCCESS',
        captured_amount: '0.00',
        open_amount: '20.00',
        refunded_amount: null,
        refundable_amount: null,
      })
    })
    expect(charged).toEqual([])
  })

  it.each([
    ['JPY', '500', '500', 500],
    ['JPY', '500.00', '500', 500],
    ['EUR', '10.5', '10.50', 1050],
    ['EUR', '010.500', '10.50', 1050],
    ['KWD', '1.234', '1.234', 1234],
    ['HUF', '10.50', '10.50', 1050],
    ['CLF', '0.0001', '0.0001', 1],
    ['EUR', '999999999999.99', '999999999999.99', 99_999_999_999_999],
  ])('takes %s %s as %s, which is %d minor units', async (currency, amount, shown, minor) => {
    const charged = await chargedDuring(app, async () => {
      const payment = await client.pay(CARDS.mastercard, { currency, amount })
      expect([payment.amount, payment.refundable_amount]).toEqual([shown, shown])
    })
    expect(charged).toEqual([minor])
  })

  it('defaults to the currency of the instance', async () => {
    const swiss = await app.newMerchant({ currency: 'CHF' })
    const payment = await openPaymentsClient(app, swiss).pay(CARDS.approve, { currency: null })
    expect(payment.currency).toBe('CHF')
  })

  it('accepts an alt_key that was used before', async () => {
    const first = await client.pay(CARDS.approve, { alt_key: 'again' })
    const second = await client.pay(CARDS.approve, { alt_key: 'again' })
    expect(second.id).not.toBe(first.id)
  })

  it('treats null and absence alike in optional members', async () => {
    const names = ['action', 'alt_key', 'description', 'reason', 'source', 'channel', 'metadata']
    const more = ['account', 'due', 'recurring', 'parts', 'timeout']
    const payment = await client.pay(CARDS.approve, {
      ...Object.fromEntries([...names, ...more].map((name) => [name, null])),
      payment_method: { token: await cardToken(app, CARDS.approve), save: null, processor: null },
    })
    const { status, type, source, metadata } = payment
    expect({ status, type, source, metadata }).toEqual({
      status: 'SUCCESS',
      type: 'PAYMENT',
      source: 'ECOMMERCE',
      metadata: {},
    })
  })

  it('charges at once when the due time is past', async () => {
    const payment = await client.pay(CARDS.approve, { due: '2030-05-01T11:59:59.999Z' })
    expect(payment).toMatchObject({ status: 'SUCCESS', due: null, charge: null })
  })

  it('gives every payment its own reference for the customer', async () => {
    const references = (await Promise.all([client.pay(), client.pay()])).map((one) => one.reference)
    expect(new Set(references).size).toBe(2)
  })
})

const valid = { amount: '10.00', currency: 'EUR', payment_method: { token: 'tok_unused' } }
const AMOUNT = 'must be a decimal amount such as "10.50", with a dot and no other separators'
const LATER = 'must be an RFC 3339 date-time with an offset, such as 2030-01-31T09:00:00Z'
const charge = 'cg_1_a'
const part = { charge, amount: '1.00' }

describe('a payment request that breaks a rule', () => {
  it.each([
    [{ amount: undefined }, 'payment.amount is required'],
    [{ payment_method: undefined }, 'payment.payment_method is required'],
    [{ payment_method: null }, 'payment.payment_method must not be null'],
    [{ amount: null }, 'payment.amount must not be null'],
    [{ amount: 10.5 }, 'payment.amount must be a string'],
    ...['1,00', '+1', '1_000', '٣', '0x10'].map((amount) => [
      { amount },
      `payment.amount ${AMOUNT}`,
    ]),
    [{ amount: '0.00' }, 'payment.amount must be more than zero'],
    [{ amount: '10.505' }, 'payment.amount has too many decimal places for EUR'],
    [{ amount: '0.001' }, 'payment.amount has too many decimal places for EUR'],
    [{ currency: 'JPY', amount: '500.50' }, 'payment.amount has too many decimal places for JPY'],
    [{ currency: 'KWD', amount: '1.2345' }, 'payment.amount has too many decimal places for KWD'],
    [{ currency: 'CLF', amount: '999999999999' }, 'payment.amount is too large for CLF'],
    [{ currency: 'eur' }, 'payment.currency must be three capital letters'],
    [{ currency: 'EURO' }, 'payment.currency must be three capital letters'],
    ...['XXX', 'XAU', 'XTS', 'ZZZ'].map((currency) => [
      { currency },
      'payment.currency is not an ISO 4217 currency',
    ]),
    [{ action: 'CAPTURE' }, 'payment.action must be PAYMENT or AUTH'],
    [{ action: 'auth' }, 'payment.action must be PAYMENT or AUTH'],
    [{ source: 'POS' }, 'payment.source must be ECOMMERCE or MOTO or RECURRING'],
    [{ alt_key: '' }, 'payment.alt_key must not be empty'],
    [{ alt_key: 7 }, 'payment.alt_key must be a string'],
    [{ alt_key: 'pay_1_a' }, 'payment.alt_key must not have the form of an id'],
    [{ alt_key: 'tr_1_a' }, 'payment.alt_key must not have the form of an id'],
    ...[' a', 'a ', 'a\nb', 'a\0b'].map((alt_key) => [
      { alt_key },
      'payment.alt_key must not begin or end with a space or contain control characters',
    ]),
    [{ alt_key: 'x'.repeat(256) }, 'payment.alt_key must be at most 255 characters'],
    [{ alt_key: 'half \ud83d' }, 'payment.alt_key must not contain a lone surrogate'],
    [{ description: 'a\0b' }, 'payment.description must not contain the NUL character'],
    [{ description: 'x'.repeat(1001) }, 'payment.description must be at most 1000 characters'],
    [{ reason: 'x'.repeat(256) }, 'payment.reason must be at most 255 characters'],
    [{ channel: 'x'.repeat(65) }, 'payment.channel must be at most 64 characters'],
    [{ metadata: [] }, 'payment.metadata must be an object'],
    [{ metadata: { a: 1 } }, 'payment.metadata.a must be a string'],
    [{ metadata: { 'a\0': '1' } }, 'payment.metadata.a\0 must not contain the NUL character'],
    [
      { metadata: Object.fromEntries(Array.from({ length: 51 }, (_, n) => [n, 'x'])) },
      'payment.metadata may have at most 50 keys',
    ],
    ...['2031-01-01', '2031-01-01T00:00:00', '2031-02-30T00:00:00Z', 'tomorrow'].map((due) => [
      { due },
      `payment.due ${LATER}`,
    ]),
    [{ timeout: 0 }, 'payment.timeout must be at least 1'],
    [{ timeout: 61 }, 'payment.timeout must be at most 60'],
    [{ timeout: 1.5 }, 'payment.timeout must be an integer'],
    [{ timeout: '5' }, 'payment.timeout must be a number'],
    [{ recurring: {} }, 'payment.recurring.frequency is required'],
    [
      { recurring: { frequency: 'HOUR' } },
      'payment.recurring.frequency must be DAY or WEEK or MONTH or YEAR',
    ],
    [
      { recurring: { frequency: 'DAY', interval: 0 } },
      'payment.recurring.interval must be at least 1',
    ],
    [{ recurring: { frequency: 'DAY', count: 0 } }, 'payment.recurring.count must be at least 1'],
    [
      { recurring: { frequency: 'DAY', count: 2, until: '2031-01-01T00:00:00Z' } },
      'payment.recurring may have count or until, not both',
    ],
    [{ parts: [] }, 'payment.parts must have at least 1 member'],
    [{ parts: [{ charge }] }, 'payment.parts.0.amount is required'],
    [
      { parts: [{ charge: 'pay_1_a', amount: '1.00' }] },
      'payment.parts.0.charge must be an id that begins with cg_',
    ],
    [{ parts: [{ charge, amount: '0' }] }, 'payment.parts.0.amount must be more than zero'],
    [
      { parts: [{ charge, amount: '1.005' }] },
      'payment.parts.0.amount has too many decimal places for EUR',
    ],
    [{ parts: [part, part] }, 'payment.parts may name each charge once'],
    [
      { parts: [{ charge, amount: '10.01' }] },
      'payment.parts must not add up to more than the amount',
    ],
    [{ parts: [part] }, 'payment.parts.0.charge does not exist'],
    [{ parts: [part], action: 'AUTH' }, 'payment.parts requires action PAYMENT'],
    [
      { parts: [part], due: '2031-01-01T00:00:00Z' },
      'payment.parts must not be combined with due or recurring',
    ],
    [{ due: '2031-01-01T00:00:00Z', action: 'AUTH' }, 'payment.due requires action PAYMENT'],
    [
      { recurring: { frequency: 'DAY' }, action: 'AUTH' },
      'payment.recurring requires action PAYMENT',
    ],
    [{ amuont: '1' }, 'Unknown field payment.amuont'],
    [{ status: 'SUCCESS' }, 'Unknown field payment.status'],
  ] as [object, string][])('is refused: %j', async (members, message) => {
    const charged = await chargedDuring(app, async () => {
      const response = await client.send({ ...valid, ...members })
      expect(errorSummary(response)).toEqual(refusal('INVALID_REQUEST', message))
    })
    expect(charged).toEqual([])
  })

  it.each([
    [undefined, 'payment is required'],
    [null, 'payment must not be null'],
    ['pay', 'payment must be an object'],
  ])('is refused as %j', async (payment, message) => {
    expect(errorSummary(await client.send(payment))).toEqual(refusal('INVALID_REQUEST', message))
  })

  it('is refused with a member beside `payment`', async () => {
    const response = await api('/payments', { body: { payment: valid, mode: 'PATCH' } })
    expect(errorSummary(response)).toEqual(refusal('INVALID_REQUEST', 'Unknown field mode'))
  })

  it('stores no payment, account or event', async () => {
    const tables = ['payments', 'accounts', 'events', 'attempts'] as const
    const rows = () =>
      Promise.all(
        tables.map(
          async (table) => (await deps.db.selectFrom(table).select('id').execute()).length,
        ),
      )
    const before = await rows()
    const response = await client.send({
      ...valid,
      payment_method: { token: await cardToken(app, CARDS.approve) },
      account: { crm_key: 'nobody yet' },
      parts: [part],
    })
    expect(errorSummary(response)[2]).toBe('payment.parts.0.charge does not exist')
    expect(await rows()).toEqual(before)
  })
})

describe('members named like members of Object.prototype', () => {
  it.each(['__proto__', 'constructor', 'toString'])(
    '%s is refused where it is unknown',
    async (name) => {
      const raw = JSON.stringify({ payment: valid }).replace('"amount"', `"${name}":{},"amount"`)
      const headers = { 'content-type': 'application/json' }
      const response = await api('/payments', { raw, headers, method: 'POST' })
      expect(errorSummary(response)).toEqual(
        refusal('INVALID_REQUEST', `Unknown field payment.${name}`),
      )
    },
  )
})
