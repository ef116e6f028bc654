import { describe, expect, it } from 'vitest'
import { TEST_ACCOUNTS } from '../../server/processors/sandbox/test-cards.ts'
import { startTestApp } from '../app.ts'
import { CARDS, cardNumberFor } from '../cards.ts'
import { DAY_MS, type Json, eventsDuring } from '../payments-client.ts'
import {
  completeChallenge,
  cardToken,
  sandboxCharges,
  newLink,
  openPayerClient,
  type PayerClient,
  readLink,
} from '../payer-client.ts'
import { SETTLE_MS, openSandboxScenario } from './sandbox-scenario.ts'

const app = await startTestApp()
const { api, paymentsClient, later, read } = openSandboxScenario(app)

const CHALLENGE_ALWAYS = '4000002760003184'

/** What a payer does who pays 5.00 on a link, lets the card be kept, and answers the bank. */
async function saveOnLink(card: string): Promise<{ payer: PayerClient; link: Json; result: Json }> {
  const account = { crm_key: `payer ${Math.random()}`, email: 'ada@example.com' }
  const link = await newLink(app.merchant, { amount: '5.00', account, save_card: true })
  const payer = await openPayerClient(app, link.id)
  const { json } = await payer.payByCard(card)
  if (json.outcome === 'ACTION') {
    await app.call(new URL(await completeChallenge(app, json.action.url, 'approve')).pathname)
  }
  const read_ = await readLink(app.merchant, link.id, 'payment,payment_method')
  return { payer, link: read_, result: json }
}

/** A charge of 10.00 that falls due in a day, of a method that was stored. */
async function announce(account: string, method: string): Promise<{ charge: string; id: string }> {
  const due = new Date(app.now() + DAY_MS).toISOString()
  const { charge, id } = await paymentsClient.pay(undefined, {
    account,
    payment_method: method,
    due,
  })
  return { charge, id }
}

describe('a sandbox card that was saved on a link', () => {
  it.each([
    [
      'DECLINE_WHEN_STORED',
      cardNumberFor('DECLINE_WHEN_STORED'),
      'COMPLETED',
      'The bank declined the payment.',
    ],
    [
      'CHALLENGE',
      CHALLENGE_ALWAYS,
      'ACTION',
      'The bank requires the payer to confirm, and the payer is not present.',
    ],
  ])('is declined at the next collection: %s', async (_scenario, card, outcome, reason) => {
    const { payer, link, result } = await saveOnLink(card)
    expect(result.outcome).toBe(outcome)
    expect((await payer.current()).json.checkout.status).toBe('COMPLETED')
    expect(link).toMatchObject({ status: 'PAYMENT_SUCCESS', payment: { status: 'SUCCESS' } })
    expect(link.payment_method.status).toBe('ACTIVE')
    const { charge, id } = await announce(link.account, link.payment_method.id)
    const before = (await sandboxCharges(app)).length
    const events = await eventsDuring(app, () => later(DAY_MS))
    expect(events.filter((type) => type.startsWith('payment.'))).toEqual(['payment.decline 3'])
    expect(await paymentsClient.read(id)).toMatchObject({
      status: 'DECLINE',
      gateway_status: 'DECLINED',
      gateway_message: reason,
      payment_method: link.payment_method.id,
    })
    expect(await read('charges', charge)).toMatchObject({
      status: 'ACTIVE',
      paid_amount: '0.00',
      outstanding_amount: '10.00',
      attempts: 1,
      next_attempt: new Date(app.now() + DAY_MS).toISOString(),
    })
    // The card is tried again as planned, and the last attempt leaves it to the merchant.
    for (const days of [1, 3, 5, 7]) await later(days * DAY_MS)
    expect(await read('charges', charge)).toMatchObject({
      status: 'ACTIVE',
      attempts: 5,
      next_attempt: null,
    })
    expect((await sandboxCharges(app)).slice(before)).toEqual([])
    expect((await readLink(app.merchant, link.id)).status).toBe('PAYMENT_SUCCESS')
  })

  it('is collected without its payer when the bank challenges only the first payment', async () => {
    const { link, result } = await saveOnLink(cardNumberFor('CHALLENGE_UNTIL_STORED'))
    expect(result.outcome).toBe('ACTION')
    expect(link.payment.three_ds).toEqual({ status: 'CHALLENGED', liability_shift: true })
    const { charge, id } = await announce(link.account, link.payment_method.id)
    await later(DAY_MS)
    expect(await paymentsClient.read(id)).toMatchObject({
      status: 'SUCCESS',
      three_ds: { status: 'NONE' },
    })
    expect(await read('charges', charge)).toMatchObject({ status: 'PAID', attempts: 1 })
  })
})

describe('a contract whose card declines once it is stored', () => {
  it('begins, and keeps its second charge unpaid until another card takes over', async () => {
    const account = { crm_key: 'member' }
    const token = await cardToken(app, cardNumberFor('DECLINE_WHEN_STORED'))
    const first = await paymentsClient.pay(undefined, {
      account,
      payment_method: { token, save: true },
      recurring: { frequency: 'WEEK', count: 2 },
    })
    expect(first.status).toBe('SUCCESS')
    await later(7 * DAY_MS)
    const { charges } = (await api(`/charges?criteria=contract=${first.contract}&order=due`)).json
    expect(charges).toMatchObject([{ status: 'PAID' }, { status: 'ACTIVE', attempts: 1 }])
    expect(await read('contracts', first.contract)).toMatchObject({
      status: 'ENDED',
      charges_total: 2,
      charges_paid: 1,
    })
    const other = await paymentsClient.pay(undefined, {
      account: first.account,
      payment_method: { token: await cardToken(app, CARDS.approve), save: true },
    })
    const change = { contract: { payment_method: other.payment_method } }
    await api(`/contracts/${first.contract}`, { method: 'PUT', body: change })
    await later(DAY_MS)
    expect(await read('charges', charges[1].id)).toMatchObject({ status: 'PAID', attempts: 2 })
    expect((await read('contracts', first.contract)).charges_paid).toBe(2)
  })
})

describe('a sandbox account whose debit fails once it is stored', () => {
  it('pays the first time, and returns the next debit later', async () => {
    const [iban] =
      Object.entries(TEST_ACCOUNTS).find(
        ([, does]) => does === 'PENDING_THEN_FAILURE_WHEN_STORED',
      ) ?? []
    const { token } = (
      await app.call('/sandbox/tokens', { body: { bank_account: { iban, holder: 'Ada' } } })
    ).json
    const debit = await paymentsClient.pay(undefined, {
      account: { crm_key: 'debtor' },
      payment_method: { token, type: 'DIRECT_DEBIT', save: true },
    })
    await later(SETTLE_MS)
    const { status, payment_method, account } = await paymentsClient.read(debit.id)
    expect(status).toBe('SUCCESS')
    const { charge, id } = await announce(account, payment_method)
    await later(DAY_MS)
    expect((await paymentsClient.read(id)).status).toBe('PENDING')
    expect(await read('charges', charge)).toMatchObject({ status: 'ACTIVE', next_attempt: null })
    await later(SETTLE_MS)
    expect(await paymentsClient.read(id)).toMatchObject({
      status: 'DECLINE',
      gateway_message: 'The bank returned the payment.',
    })
    expect(await read('charges', charge)).toMatchObject({ status: 'ACTIVE', paid_amount: '0.00' })
  })
})
