import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  chargedDuring,
  stubCapabilities,
  openPaymentsClient,
  errorSummary,
} from '../../test/payments-client.ts'
import { cardToken, newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import { CARD_METHOD } from '../../test/processor-operation.ts'

/** With what a merchant's payment is paid, and whose it is. */

const { app, api, client, later, removeProcessor, saveCard } = await startPaymentsApp()

const MEMBER = 'payment.payment_method'
const card = (number: string = CARDS.approve) => cardToken(app, number)
const send = (payment: Record<string, unknown>) =>
  client.send({ amount: '10.00', currency: 'EUR', ...payment })
const message = async (payment: Record<string, unknown>) => {
  let response: ApiResponse | undefined
  const charged = await chargedDuring(app, async () => {
    response = await send(payment)
  })
  expect(charged).toEqual([])
  const [status, type, text] = errorSummary(response as ApiResponse)
  expect([status, type]).toEqual([400, 'INVALID_REQUEST'])
  return text
}
const readAccount = async (named: string) =>
  (await api(`/accounts/${encodeURIComponent(named)}`)).json?.account
const newAccount = async (account: Record<string, unknown>) =>
  (await api('/accounts', { body: { account } })).json.account

describe('the account of a payment', () => {
  it('is found by its id and records the time of payment', async () => {
    const account = await newAccount({ crm_key: 'by id' })
    app.pass(1000)
    const payment = await client.pay(CARDS.approve, { account: account.id })
    expect(payment.account).toBe(account.id)
    expect(await readAccount(account.id)).toMatchObject({
      last_transacted: payment.processed,
      last_transaction: payment.transaction,
      v: account.v + 1,
    })
  })

  it('is found by its crm_key and updated with the sent details', async () => {
    const account = await newAccount({ crm_key: 'known/1', first_name: 'Ada', company: 'Old' })
    const payment = await client.pay(CARDS.decline, {
      account: { crm_key: 'known/1', company: 'New', address: { country: 'GB' } },
    })
    expect(payment).toMatchObject({ account: account.id, status: 'DECLINE' })
    expect(await readAccount(account.id)).toMatchObject({
      first_name: 'Ada',
      company: 'New',
      address: { country: 'GB' },
      last_transacted: null,
      v: account.v + 1,
    })
  })

  it('is created for a new crm_key', async () => {
    const details = { crm_key: 'new one', email: 'a@b', metadata: { tier: 'gold' }, tags: 'a,b' }
    const { account } = await client.pay(CARDS.approve, { account: details })
    expect(await readAccount('new one')).toMatchObject({
      ...details,
      id: account,
      status: 'ACTIVE',
    })
  })

  it('is created when no crm_key is sent', async () => {
    const first = await client.pay(CARDS.approve, { account: { email: 'same@example.test' } })
    const second = await client.pay(CARDS.approve, { account: { email: 'same@example.test' } })
    expect(first.account).toMatch(/^acc_/)
    expect(second.account).not.toBe(first.account)
  })

  it.each([
    ['acc_1_a', 'payment.account does not exist'],
    ['pay_1_a', 'payment.account must be an id that begins with acc_'],
    [7, 'payment.account must be a string or an object'],
    [{ crm_key: 'acc_1_a' }, 'payment.account.crm_key must not have the form of an id'],
    [{ nmae: 'x' }, 'Unknown field payment.account.nmae'],
    [{ metadata: { a: 1 } }, 'payment.account.metadata.a must be a string'],
    [{ timezone: 'Mars' }, 'payment.account.timezone must be an IANA time zone name such as'],
  ])('is refused as %j', async (account, expected) => {
    expect(await message({ account, payment_method: { token: 'tok_a' } })).toContain(expected)
  })

  it('with the crm_key of another instance is another account', async () => {
    await client.pay(CARDS.approve, { account: { crm_key: 'shared', phone: '1' } })
    const other = await app.newMerchant()
    const foreign = await openPaymentsClient(app, other).pay(CARDS.approve, {
      account: { crm_key: 'shared' },
    })
    const { json } = await other.api(`/accounts/${foreign.account}`)
    expect(json.account).toMatchObject({ crm_key: 'shared', phone: null })
  })
})

describe('a stored method', () => {
  it('can be charged repeatedly for its account', async () => {
    const { account, method } = await client.storeCard()
    const charged = await chargedDuring(app, async () => {
      for (const more of [{}, { account, source: 'RECURRING' }]) {
        expect(await client.pay(undefined, { payment_method: method, ...more })).toMatchObject({
          status: 'SUCCESS',
          account,
          payment_method: method,
        })
      }
    })
    expect(charged).toEqual([1000, 1000])
  })

  it('can be sent with the crm_key of its account', async () => {
    const account = await newAccount({ crm_key: 'keyed' })
    const method = await saveCard(account.id)
    const paid = await client.pay(undefined, {
      account: { crm_key: 'keyed', phone: '1' },
      payment_method: method,
    })
    expect(paid.account).toBe(account.id)
    expect((await readAccount(account.id)).phone).toBe('1')
  })

  it('of another account is refused and nothing is stored', async () => {
    const { method } = await client.storeCard()
    const accounts = async () => (await api('/accounts')).json.meta.total as number
    const before = await accounts()
    for (const account of [(await newAccount({ crm_key: 'not its own' })).id, { email: 'x' }]) {
      expect(await message({ payment_method: method, account })).toBe(
        `${MEMBER} belongs to another account`,
      )
    }
    expect(await accounts()).toBe(before + 1)
  })

  it('is refused after its removal', async () => {
    const { method } = await client.storeCard()
    await api(`/payment_methods/${method}`, { method: 'DELETE' })
    expect(await message({ payment_method: method })).toBe(`${MEMBER} has been removed`)
  })

  it('that is limited to one payment is refused', async () => {
    const bank_account = { iban: 'GB35SAND00000000000077', holder: 'Ada Lovelace' }
    const { token } = (await app.call('/sandbox/tokens', { body: { bank_account } })).json
    const link = await newLink(app.merchant, { amount: '4.00', account: { email: 'a@b.example' } })
    await (
      await openPayerClient(app, link.id)
    ).submit({ payment_method: { type: 'DIRECT_DEBIT', token }, save_card: true })
    await later(2_000)
    const { payment_method: kept } = await readLink(app.merchant, link.id)
    expect(await message({ payment_method: kept })).toBe(`${MEMBER} is limited to one payment`)
  })

  it('of a processor that is not configured is refused', async () => {
    const { method } = await client.storeCard()
    removeProcessor()
    expect(await message({ payment_method: method })).toBe(
      `${MEMBER} belongs to a processor that is not configured`,
    )
  })
})

describe('a new method', () => {
  it('is stored with `save`, with no consent text', async () => {
    const { account, method } = await client.storeCard()
    const read = (await api(`/payment_methods/${method}`)).json.payment_method
    expect(read).toMatchObject({
      account,
      type: 'CARD',
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 },
      status: 'ACTIVE',
      reusable: true,
      consent: { given: true, text: null, checkout: null },
    })
  })

  it('is not stored by a declined payment or without `save`', async () => {
    const account = (await newAccount({ crm_key: 'no card' })).id
    const save = { token: await card(CARDS.decline), save: true }
    expect(await client.pay(undefined, { account, payment_method: save })).toMatchObject({
      status: 'DECLINE',
      payment_method: null,
    })
    expect((await client.pay(CARDS.approve, { account })).payment_method).toBeNull()
    const list = await api(`/payment_methods?criteria=account=${account}`)
    expect(list.json.meta.total).toBe(0)
  })

  it('is stored by an authorization, in addition to existing ones', async () => {
    const { account, method } = await client.storeCard(CARDS.amex)
    const payment_method = { token: await card(), save: true }
    const auth = await client.authorise(undefined, { account, payment_method })
    expect(auth.payment_method).toMatch(/^pm_/)
    expect(auth.payment_method).not.toBe(method)
  })

  it('can name the processor of its token', async () => {
    const payment_method = { processor: 'sandbox', type: 'CARD', token: await card() }
    expect((await client.pay(undefined, { payment_method })).status).toBe('SUCCESS')
  })

  it.each([
    [{}, `${MEMBER}.token is required`],
    [{ token: 'tok_a', type: 'card' }, `${MEMBER}.type must be a method type such as CARD`],
    [{ token: 'tok_a', type: 'SEASHELLS' }, `${MEMBER}.type is not offered for EUR`],
    [{ token: 'tok_a', type: 'BANK_TRANSFER' }, `${MEMBER}.type is not offered for EUR`],
    [{ token: 'tok_a', processor: 'nobody' }, `${MEMBER}.type is not offered for EUR`],
    [{ token: 'tok_a', type: 'DIRECT_DEBIT' }, `${MEMBER}.save must be true for DIRECT_DEBIT`],
    [{ token: 'tok_a', save: 'true' }, `${MEMBER}.save must be true or false`],
    [{ token: 'tok_a', save: true }, 'payment.account is required to save the payment method'],
    [{ token: 'tok_a', csc: '123' }, `Unknown field ${MEMBER}.csc`],
    [{ token: 'tok_a\0' }, `${MEMBER}.token must be a token of the processor`],
    [{ token: 'x'.repeat(256) }, `${MEMBER}.token must be a token of the processor`],
    ['acc_1_a', `${MEMBER} must be an id that begins with pm_`],
    ['tok_a', `${MEMBER} must be an id that begins with pm_`],
  ])('is refused as %j', async (payment_method, expected) => {
    expect(await message({ payment_method })).toBe(expected)
  })

  it('cannot be stored when its type is not storable', async () => {
    stubCapabilities(app, {
      methods: [{ ...CARD_METHOD, storable: false }],
    })
    const payment_method = { token: 'tok_a', save: true }
    expect(await message({ payment_method })).toBe(`${MEMBER}.save is not possible for CARD`)
  })

  it('is refused in a currency that no processor serves', async () => {
    stubCapabilities(app, { currencies: ['GBP'] })
    expect(await message({ payment_method: { token: 'tok_a' } })).toBe(
      `${MEMBER}.type is not offered for EUR`,
    )
  })

  it('of the sandbox is refused at a live instance', async () => {
    const live = await app.newMerchant({ mode: 'LIVE' })
    const response = await openPaymentsClient(app, live).send({
      amount: '10.00',
      currency: 'EUR',
      payment_method: { token: await card() },
    })
    expect(errorSummary(response)).toEqual(
      refusal(
        'INVALID_STATE',
        'No payment processor of this server takes LIVE payments; set one up, or use an instance in TEST mode',
      ),
    )
  })

  it('with a used token is declined by the processor', async () => {
    const payment_method = { token: await card() }
    await client.pay(undefined, { payment_method })
    expect(await client.pay(undefined, { payment_method })).toMatchObject({
      status: 'DECLINE',
      gateway_status: 'DECLINED',
    })
  })
})

describe('the number of a card', () => {
  const pan = CARDS.approve
  const spaced = '4242 4242 4242 4242'
  it.each([
    pan,
    { number: pan, exp_month: 12, exp_year: 2034, csc: '123' },
    { card: { number: pan, exp_month: 12, exp_year: 2034 } },
    { token: pan },
    { token: '4242-4242-4242-4242' },
    { token: spaced },
    { token: 'tok_a', number: pan },
    { token: 'tok_a', type: 'CARD', card: pan },
  ])('is refused as %j and is neither returned nor logged', async (payment_method) => {
    const response = await send({ payment_method })
    expect([response.status, response.json.error?.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(response.text.replace(/\D/g, '')).not.toContain(pan)
    expect(app.logged()).not.toContain(pan)
  })
})
