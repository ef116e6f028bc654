import { describe, expect, it } from 'vitest'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { DECLINED, refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  DAY_MS,
  type Json,
  errorSummary,
  chargedDuring,
  eventsDuring,
} from '../../test/payments-client.ts'
import { cardToken } from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'

/** Payments that come again: a contract, a first payment, and the charges that follow. */

const { app, deps, api, client, later, bend, saveCard } = await startPaymentsApp()
const { inDays, readCharge, readContract, putContract } = testCharges(app)

const MONTHLY = { frequency: 'MONTH' }
const chargesOf = async (contract: string): Promise<Json[]> =>
  (await api(`/charges?criteria=contract=${contract}&order=due`)).json.charges
const cancel = (contract: string) => api(`/contracts/${contract}`, { method: 'DELETE' })
/** Begins with a card that is stored with the first payment, of an account of its own. */
async function begin(card: string, more: Record<string, unknown> = {}): Promise<Json> {
  return client.pay(undefined, {
    account: { crm_key: `subscriber ${Math.random()}` },
    payment_method: { token: await cardToken(app, card), save: true },
    recurring: MONTHLY,
    ...more,
  })
}

describe('a recurring payment', () => {
  it('is charged now and creates a contract that continues', async () => {
    let payment: Json
    const money = await chargedDuring(app, async () => {
      payment = await begin(CARDS.approve, { alt_key: 'Gym', description: 'Membership' })
    })
    expect(money).toEqual([1_000])
    expect(payment).toMatchObject({
      status: 'SUCCESS',
      source: 'RECURRING',
      due: null,
      alt_key: 'Gym',
      parts: [{ charge: payment.charge, amount: '10.00' }],
      v: 2,
    })
    expect(await readContract(payment.contract)).toMatchObject({
      status: 'ACTIVE',
      account: payment.account,
      payment_method: payment.payment_method,
      amount: '10.00',
      currency: 'EUR',
      alt_key: 'Gym',
      recurring: { frequency: 'MONTH', interval: 1, count: null, until: null },
      next_due: '2030-06-01T12:00:00.000Z',
      charges_total: 1,
      charges_paid: 1,
    })
    expect(await readCharge(payment.charge)).toMatchObject({
      status: 'PAID',
      recurring: 'Y',
      contract: payment.contract,
      alt_key: 'Gym',
      last_payment: payment.id,
      attempts: 0,
    })
    await cancel(payment.contract)
  })

  it('charges the stored card at every due time', async () => {
    const { contract, payment_method } = await begin(CARDS.approve, {
      recurring: { frequency: 'WEEK', interval: 2, count: 3 },
    })
    expect(await chargedDuring(app, () => later(14 * DAY_MS - 1))).toEqual([])
    expect(await chargedDuring(app, () => later(1))).toEqual([1_000])
    expect(await chargedDuring(app, () => later(14 * DAY_MS))).toEqual([1_000])
    expect(await chargedDuring(app, () => later(365 * DAY_MS))).toEqual([])
    const charges = await chargesOf(contract)
    expect(charges.map(({ status }) => status)).toEqual(['PAID', 'PAID', 'PAID'])
    expect(await readContract(contract)).toMatchObject({
      status: 'ENDED',
      next_due: null,
      charges_total: 3,
      charges_paid: 3,
    })
    const last = await client.read(charges[2].last_payment)
    expect(last).toMatchObject({ source: 'RECURRING', contract, payment_method, v: 2 })
  })

  it('uses the time zone of its account', async () => {
    const payment = await begin(CARDS.approve, {
      account: { crm_key: 'in Paris', timezone: 'Europe/Paris' },
    })
    expect((await readContract(payment.contract)).timezone).toBe('Europe/Paris')
    await cancel(payment.contract)
  })

  it('with a stored card and a later start charges nothing now', async () => {
    const { method } = await client.storeCard()
    let payment: Json
    const money = await chargedDuring(app, async () => {
      payment = await client.pay(undefined, {
        payment_method: method,
        due: inDays(1),
        recurring: { ...MONTHLY, count: 1 },
      })
      expect(payment).toMatchObject({ status: 'SCHEDULED', transaction: null })
    })
    expect(money).toEqual([])
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_000])
    expect((await client.read(payment.id)).status).toBe('SUCCESS')
    expect(await readContract(payment.contract)).toMatchObject({
      status: 'ENDED',
      charges_paid: 1,
    })
  })

  it.each([
    [
      { payment_method: { token: 'tok_a' }, account: {} },
      'payment.payment_method.save',
      'must be true for a recurring payment',
    ],
    [
      { payment_method: { token: 'tok_a', save: true } },
      'payment.account',
      'is required to save the payment method',
    ],
    [
      {
        payment_method: { token: 'tok_a', save: true },
        account: {},
        recurring: { ...MONTHLY, until: '2030-01-01T00:00:00Z' },
      },
      'payment.recurring.until',
      'must not be before the first payment is due',
    ],
  ])('is refused with %j', async (more, member, rule) => {
    const contracts = async () => (await api('/contracts')).json.meta.total
    const before = await contracts()
    const sent = { amount: '10.00', currency: 'EUR', recurring: MONTHLY, ...more }
    expect(errorSummary(await client.send(sent))).toEqual(
      refusal('INVALID_REQUEST', `${member} ${rule}`),
    )
    expect(await contracts()).toBe(before)
  })
})

describe('a first payment whose method was not stored', () => {
  it('starts the contract, which then waits for a method', async () => {
    const { account, method } = await client.storeCard()
    bend('pay', async (ask) => {
      const { stored: _lost, ...answer } = (await ask()) as Json
      return answer
    })
    const payment_method = { token: await cardToken(app, CARDS.approve), save: true }
    const recurring = { frequency: 'DAY', count: 4 }
    const first = await client.pay(undefined, { account, payment_method, recurring })
    expect(first).toMatchObject({ status: 'SUCCESS', payment_method: null })
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([])
    const [, second] = await chargesOf(first.contract)
    expect(second).toMatchObject({ status: 'ACTIVE', payment_method: null, next_attempt: null })
    expect((await putContract(first.contract, { payment_method: method })).status).toBe(200)
    // What is overdue waits for its merchant's word, what falls due from now on does not.
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_000])
    expect((await chargesOf(first.contract)).map(({ status }) => status)).toEqual([
      'PAID',
      'ACTIVE',
      'PAID',
    ])
    await cancel(first.contract)
  })
})

describe('a first payment that is declined', () => {
  it('cancels the contract, and nothing is charged for it', async () => {
    const payment = await begin(CARDS.decline)
    expect(payment.status).toBe('DECLINE')
    const money = await chargedDuring(app, async () => {
      await later(0)
      expect(await chargesOf(payment.contract)).toMatchObject([
        { id: payment.charge, status: 'CANCELLED', next_attempt: null, paid_amount: '0.00' },
      ])
    })
    expect(money).toEqual([])
    expect(await readContract(payment.contract)).toMatchObject({
      status: 'CANCELLED',
      next_due: null,
      charges_total: 1,
      charges_paid: 0,
    })
    await later(70 * DAY_MS)
    expect(await chargesOf(payment.contract)).toHaveLength(1)
  })

  it('cancels it with a stored card too, which is not charged again', async () => {
    const { method } = await client.storeCard()
    let requests = 0
    bend('pay', async () => {
      requests += 1
      return DECLINED
    })
    const payment = await client.pay(undefined, {
      payment_method: method,
      recurring: { ...MONTHLY, count: 1 },
    })
    expect(payment.status).toBe('DECLINE')
    for (const days of [0, 1, 3, 31, 31]) await later(days * DAY_MS)
    expect(requests).toBe(1)
    expect((await readCharge(payment.charge)).status).toBe('CANCELLED')
    expect((await readContract(payment.contract)).status).toBe('CANCELLED')
  })
})

describe('a first payment without a response', () => {
  it.each([
    ['a stored card', async ({ method }: { method: string }) => method],
    ['a new card', async () => ({ token: await cardToken(app, CARDS.approve), save: true })],
  ])('by %s keeps the method that the contract was given meanwhile', async (_, payWith) => {
    const stored = await client.storeCard()
    const { account } = stored
    const other = await saveCard(account)
    const payment_method = await payWith(stored)
    bend('pay', 'ANSWER LOST')
    const first = await client.pay(undefined, { account, payment_method, recurring: MONTHLY })
    expect(first.status).toBe('UNRESOLVED')
    expect((await putContract(first.contract, { payment_method: other })).status).toBe(200)
    await later(5_000)
    expect((await client.read(first.id)).status).toBe('SUCCESS')
    expect((await readContract(first.contract)).payment_method).toBe(other)
    await later(40 * DAY_MS)
    const [, second] = await chargesOf(first.contract)
    expect(second.payment_method).toBe(other)
    await cancel(first.contract)
  })

  it('prevents charges of the contract until it succeeds', async () => {
    const payment = await begin(CARDS.noAnswerTaken, { recurring: { frequency: 'DAY', count: 2 } })
    expect(payment.status).toBe('UNRESOLVED')
    expect((await readContract(payment.contract)).payment_method).toBeNull()
    app.pass(2 * DAY_MS)
    await createDueCharges(deps)
    expect(await chargesOf(payment.contract)).toHaveLength(1)
    await reconcileDue(deps)
    expect((await client.read(payment.id)).status).toBe('SUCCESS')
    expect((await readContract(payment.contract)).payment_method).toMatch(/^pm_/)
    // This card times out in collections as well.
    expect(await chargedDuring(app, () => later(0))).toEqual([1_000])
    await later(5_000)
    expect((await chargesOf(payment.contract)).map(({ status }) => status)).toEqual([
      'PAID',
      'PAID',
    ])
  })

  it('cancels the contract once it fails', async () => {
    const payment = await begin(CARDS.noAnswerNotTaken)
    await later(5_000)
    expect((await client.read(payment.id)).status).toBe('DECLINE')
    expect((await readContract(payment.contract)).status).toBe('CANCELLED')
  })
})

describe('a later payment that is declined', () => {
  it('is retried, and the contract continues', async () => {
    const payment = await begin(CARDS.approve)
    const { next_due } = await readContract(payment.contract)
    const accept = bend('pay', DECLINED)
    await later(Date.parse(next_due) - app.now())
    expect((await readContract(payment.contract)).status).toBe('ACTIVE')
    const [, second] = await chargesOf(payment.contract)
    expect(second).toMatchObject({ status: 'ACTIVE', attempts: 1 })
    accept()
    expect(await chargedDuring(app, () => later(DAY_MS))).toEqual([1_000])
    expect((await readCharge(second.id)).status).toBe('PAID')
    await cancel(payment.contract)
    expect(await chargedDuring(app, () => later(70 * DAY_MS))).toEqual([])
  })
})

describe('events of a recurring payment', () => {
  it('record each change once, with the record at that time', async () => {
    const events = await eventsDuring(app, () => begin(CARDS.approve))
    expect(events).toEqual([
      'account.created 1',
      'account.updated 2',
      'charge.created 1',
      'charge.paid 2',
      'contract.created 1',
      'contract.updated 2',
      'contract.updated 3',
      'contract.updated 4',
      'payment.success 2',
      'payment_method.created 1',
    ])
  })

  it('record the cancellation after a decline', async () => {
    const events = await eventsDuring(app, () => begin(CARDS.decline))
    expect(events).toEqual([
      'account.created 1',
      'charge.created 1',
      'charge.updated 2',
      'contract.created 1',
      'contract.ended 3',
      'contract.updated 2',
      'payment.decline 2',
    ])
  })
})
