import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { stubCapabilities, openPaymentsClient, errorSummary } from '../../test/payments-client.ts'
import {
  cardToken,
  sandboxCharges,
  newLink,
  openPayerClient,
  readLink,
} from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'

/** With what a merchant's payment is paid, and whose it is. */

const app = await startTestApp()
const till = openPaymentsClient(app)
const { api } = app.merchant
const other = await app.newMerchant()

const MEMBER = 'payment.payment_method'
const card = (number: string = CARDS.approve) => cardToken(app, number)
const send = (payment: Record<string, unknown>) =>
  till.send({ amount: '10.00', currency: 'EUR', ...payment })
const message = async (payment: Record<string, unknown>) => {
  const charged = (await sandboxCharges(app)).length
  const answer = await send(payment)
  expect(await sandboxCharges(app)).toHaveLength(charged)
  expect(errorSummary(answer).slice(0, 2), answer.text).toEqual([400, 'INVALID_REQUEST'])
  return answer.json.error.message as string
}
const readAccount = async (named: string) =>
  (await api(`/accounts/${encodeURIComponent(named)}`)).json?.account
const newAccount = async (account: Record<string, unknown>) =>
  (await api('/accounts', { body: { account } })).json.account

describe('the account of a payment', () => {
  it('is the one with this id, and notes that it paid', async () => {
    const account = await newAccount({ crm_key: 'by id' })
    app.pass(1000)
    const payment = await till.pay(CARDS.approve, { account: account.id })
    expect(payment.account).toBe(account.id)
    expect(await readAccount(account.id)).toMatchObject({
      last_transacted: payment.processed,
      last_transaction: payment.transaction,
      v: account.v + 1,
    })
  })

  it('is found by its crm_key, and takes the details that are sent with it', async () => {
    const account = await newAccount({ crm_key: 'known/1', first_name: 'Ada', company: 'Old' })
    const payment = await till.pay(CARDS.decline, {
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

  it('is made for a crm_key that nobody has', async () => {
    const details = { crm_key: 'new one', email: 'a@b', metadata: { tier: 'gold' }, tags: 'a,b' }
    const { account } = await till.pay(CARDS.approve, { account: details })
    expect(await readAccount('new one')).toMatchObject({
      ...details,
      id: account,
      status: 'ACTIVE',
    })
  })

  it('is made anew where no crm_key is given', async () => {
    const first = await till.pay(CARDS.approve, { account: { email: 'same@example.test' } })
    const second = await till.pay(CARDS.approve, { account: { email: 'same@example.test' } })
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

  it('of another merchant is as unknown as none', async () => {
    const foreign = (await other.api('/accounts', { body: { account: { crm_key: 'x' } } })).json
    const sent = { payment_method: { token: 'tok_a' } }
    const refused = await message({ ...sent, account: foreign.account.id })
    expect(refused).toBe(await message({ ...sent, account: 'acc_1_a' }))
  })
})

describe('a stored method', () => {
  it('is charged for its account, again and again', async () => {
    const { account, method } = await till.storeCard()
    const before = (await sandboxCharges(app)).length
    const [first, second] = [
      await till.pay(undefined, { payment_method: method }),
      await till.pay(undefined, { payment_method: method, account, source: 'RECURRING' }),
    ]
    for (const payment of [first, second]) {
      expect(payment).toMatchObject({ status: 'SUCCESS', account, payment_method: method })
    }
    expect((await sandboxCharges(app)).slice(before)).toEqual([1000, 1000])
  })

  it('can be named together with the crm_key of its account', async () => {
    const account = await newAccount({ crm_key: 'keyed' })
    const { payment_method: method } = await till.pay(undefined, {
      account: account.id,
      payment_method: { token: await card(), save: true },
    })
    const paid = await till.pay(undefined, {
      account: { crm_key: 'keyed', phone: '1' },
      payment_method: method,
    })
    expect(paid.account).toBe(account.id)
    expect((await readAccount(account.id)).phone).toBe('1')
  })

  it('of another account is refused, and nothing comes of the request', async () => {
    const { method } = await till.storeCard()
    const accounts = async () => (await api('/accounts')).json.meta.total as number
    const before = await accounts()
    for (const account of [(await newAccount({ crm_key: 'not its own' })).id, { email: 'x' }]) {
      expect(await message({ payment_method: method, account })).toBe(
        `${MEMBER} belongs to another account`,
      )
    }
    expect(await accounts()).toBe(before + 1)
  })

  it('that was removed is refused', async () => {
    const { method } = await till.storeCard()
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
    app.pass(2_000)
    await reconcileDue(app.checkstand.deps)
    const { payment_method: kept } = await readLink(app.merchant, link.id)
    expect(await message({ payment_method: kept })).toBe(`${MEMBER} is limited to one payment`)
  })

  it('of a processor that is gone is refused', async () => {
    const { method } = await till.storeCard()
    const processors = app.checkstand.deps.processors as Map<string, unknown>
    const sandbox = processors.get('sandbox')
    processors.delete('sandbox')
    const refused = await message({ payment_method: method })
    processors.set('sandbox', sandbox)
    expect(refused).toBe(`${MEMBER} belongs to a processor that is not configured`)
  })

  it('of another merchant is as unknown as none', async () => {
    const { method } = await openPaymentsClient(app, other).storeCard()
    expect(await message({ payment_method: method })).toBe(`${MEMBER} does not exist`)
    expect(await message({ payment_method: 'pm_1_a' })).toBe(`${MEMBER} does not exist`)
  })
})

describe('a new method', () => {
  it('is stored where the merchant asks for it, with no sentence that we showed', async () => {
    const { account, method } = await till.storeCard()
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

  it('is not stored by a payment that is declined, or that does not ask for it', async () => {
    const account = (await newAccount({ crm_key: 'no card' })).id
    const save = { token: await card(CARDS.decline), save: true }
    expect(await till.pay(undefined, { account, payment_method: save })).toMatchObject({
      status: 'DECLINE',
      payment_method: null,
    })
    expect((await till.pay(CARDS.approve, { account })).payment_method).toBeNull()
    const list = await api(`/payment_methods?criteria=account=${account}`)
    expect(list.json.meta.total).toBe(0)
  })

  it('is stored by an authorisation too, beside those that are there', async () => {
    const { account, method } = await till.storeCard(CARDS.amex)
    const saved = { token: await card(), save: true }
    const auth = await till.authorise(undefined, { account, payment_method: saved })
    expect(auth.payment_method).toMatch(/^pm_/)
    expect(auth.payment_method).not.toBe(method)
  })

  it('can be named by the processor whose token it is', async () => {
    const payment_method = { processor: 'sandbox', type: 'CARD', token: await card() }
    expect((await till.pay(undefined, { payment_method })).status).toBe('SUCCESS')
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

  it('cannot be stored where its processor does not keep it', async () => {
    stubCapabilities(app, {
      methods: [
        { type: 'CARD', storable: false, token_first: false, async: false, redirect: false },
      ],
    })
    const payment_method = { token: 'tok_a', save: true }
    expect(await message({ payment_method })).toBe(`${MEMBER}.save is not possible for CARD`)
  })

  it('is refused in a currency that no processor takes', async () => {
    stubCapabilities(app, { currencies: ['GBP'] })
    expect(await message({ payment_method: { token: 'tok_a' } })).toBe(
      `${MEMBER}.type is not offered for EUR`,
    )
  })

  it('of the sandbox pays nothing at a merchant whose money is real', async () => {
    const live = await app.newMerchant({ mode: 'LIVE' })
    const answer = await openPaymentsClient(app, live).send({
      amount: '10.00',
      currency: 'EUR',
      payment_method: { token: await card() },
    })
    expect(errorSummary(answer)).toEqual([
      400,
      'INVALID_STATE',
      'No payment processor of this server takes LIVE payments; set one up, or use an instance in TEST mode',
    ])
  })

  it('whose token was used before is declined, since the processor alone knows', async () => {
    const payment_method = { token: await card() }
    await till.pay(undefined, { payment_method })
    expect(await till.pay(undefined, { payment_method })).toMatchObject({
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
  ])('is refused as %j, and not repeated or logged', async (payment_method) => {
    const answer = await send({ payment_method })
    expect([answer.status, answer.json.error?.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(answer.text.replace(/\D/g, '')).not.toContain(pan)
    expect(app.logged()).not.toContain(pan)
  })
})
