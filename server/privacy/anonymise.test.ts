import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import { createDueCharges } from '../charges/recurring-charges.ts'
import { collectDue } from '../payments/collect-due-charges.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { finishErasures } from './erase-traces.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const { api } = app.merchant
const client = openPaymentsClient(app)

const anonymise = (named: string, more: object = {}) =>
  api(`/accounts/${named}/anonymise`, { body: {}, ...more })
const key = (name: string) => ({ headers: { 'idempotency-key': name } })

/** Every text of the customer; the word in each is found wherever it was copied to. */
const WORD = 'lovelace'
const CUSTOMER = {
  crm_key: `crm-${WORD}`,
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Lovelace Engines',
  email: 'ada@LOVELACE.example',
  phone: `+44 20 ${WORD}`,
  address: { line1: '1 Lovelace Road', line4: 'Lovelaceton', country: 'GB' },
  metadata: { note: `of ${WORD}` },
  tags: `vip,${WORD}`,
}
const TYPED = {
  first_name: 'Augusta',
  last_name: 'Lovelace',
  email: 'augusta@lovelace.example',
  address: { line1: 'Lovelace Hall', country: 'GB' },
}
const ADDRESS = '203.0.113.77'

/** All that the database holds, as JSON, by table. */
async function everyRow(): Promise<[table: string, rows: string][]> {
  const tables = await deps.db.introspection.getTables()
  return Promise.all(
    tables.map(async ({ name }): Promise<[string, string]> => {
      const rows = await deps.db
        .selectFrom(name as 'accounts')
        .selectAll()
        .execute()
      return [name, JSON.stringify(rows)]
    }),
  )
}

const tablesWith = async (pattern: RegExp) =>
  (await everyRow()).filter(([, rows]) => pattern.test(rows)).map(([name]) => name)

describe('an anonymised account', () => {
  it('leaves nothing of its customer in any column of any table', async () => {
    await api('/instance_webhooks', {
      body: { instance_webhook: { url: 'https://shop.example/hook', events: ['*'] } },
    })
    const created = await api('/accounts', { body: { account: CUSTOMER }, ...key('account') })
    const { id } = created.json.account
    const { crm_key, first_name, last_name, email, phone } = CUSTOMER
    const account = { crm_key, first_name, last_name, email, phone }
    const prefilled = (options: object) =>
      api('/payment_links', {
        body: { payment_link: { options: { amount: '5.00', account, ...options } } },
        ...key(`link ${JSON.stringify(options)}`),
      })
    const paid = (
      await prefilled({ save_card: true, allow_description: true, timezone: 'Europe/London' })
    ).json.payment_link
    const payer = await openPayerClient(app, paid.id, { headers: { 'user-agent': WORD } })
    const sent = { account: TYPED, description: `From ${WORD}` }
    expect((await payer.payByCard(CARDS.decline, sent)).json.outcome).toBe('DECLINED')
    expect((await payer.payByCard(CARDS.approve, sent)).json.outcome).toBe('COMPLETED')
    const commented = await newLink(app.merchant, {
      amount: '6.00',
      account,
      description: 'Invoice 7',
      allow_description: true,
    })
    const second = await openPayerClient(app, commented.id)
    await second.payByCard(CARDS.approve, { description: `Thanks, ${WORD}` })
    const trial = (
      await prefilled({ allow_description: true, recurring: { frequency: 'DAY', trial_days: 1 } })
    ).json.payment_link
    const third = await openPayerClient(app, trial.id)
    await third.payByCard(CARDS.decline, sent)
    expect((await third.payByCard(CARDS.approve, sent)).json.outcome).toBe('COMPLETED')
    app.pass(86_400_000)
    await createDueCharges(deps)
    await collectDue(deps)
    const { contract } = await readLink(app.merchant, trial.id)
    await api(`/contracts/${contract}`, { method: 'DELETE' })
    const open = (await prefilled({ name: 'Unpaid' })).json.payment_link
    const named = await newLink(app.merchant, { amount: '7.00', account: id })
    const payment = await api('/payments', {
      body: {
        payment: {
          amount: '8.00',
          account: id,
          payment_method: (await readLink(app.merchant, paid.id)).payment_method,
        },
      },
      ...key('payment'),
    })
    expect(payment.json.payment.status).toBe('SUCCESS')
    await api(`/payments/${payment.json.payment.id}/refund`, { body: { refund: {} } })
    expect((await tablesWith(new RegExp(WORD, 'i'))).length).toBeGreaterThan(5)

    const { status, json } = await anonymise(id)
    expect(status).toBe(200)
    expect(json.account).toMatchObject({
      id,
      crm_key: id,
      status: 'ARCHIVED',
      anonymised: new Date(app.now()).toISOString(),
      first_name: null,
      email: null,
      address: null,
      metadata: {},
    })
    expect(await tablesWith(new RegExp(WORD, 'i'))).toEqual([])
    expect(await tablesWith(/Augusta/)).toEqual([])
    const digits = await tablesWith(/last4[\\"]*:[\\"]*\d{4}/)
    expect(digits.filter((name) => !name.startsWith('sandbox_'))).toEqual([])

    // What bookkeeping needs stays.
    const { payment: kept } = await readLink(app.merchant, paid.id, 'payment.payment_method')
    expect(kept).toMatchObject({ amount: '5.00', status: 'SUCCESS', account: id, payer: null })
    expect(kept.payment_method).toMatchObject({
      status: 'REMOVED',
      card: { brand: 'visa', last4: null, exp_year: null },
      fingerprint: kept.payment_method.id,
    })
    expect((await readLink(app.merchant, commented.id, 'payment')).payment.description).toBe(
      'Invoice 7',
    )
    expect((await readLink(app.merchant, named.id)).archived).not.toBeNull()
    expect((await readLink(app.merchant, open.id)).options).toEqual({
      amount: '5.00',
      name: 'Unpaid',
    })
    const forgotten = await deps.db.selectFrom('tokens_to_forget').selectAll().execute()
    // The card was saved twice, each time with a token of its own.
    expect(forgotten).toHaveLength(2)
    const events = (await api('/events?criteria=type=account.anonymised')).json.events
    expect(events).toHaveLength(1)
  })

  it('stays as it is: again, with a change, and in a payment or link', async () => {
    const { json } = await api('/accounts', { body: { account: { crm_key: 'once' } } })
    const { id } = json.account
    const first = await anonymise('once')
    expect((await anonymise(id)).json).toEqual(first.json)
    for (const refused of [
      await api(`/accounts/${id}`, { method: 'PUT', body: { account: { email: 'a@b.example' } } }),
      await api(`/accounts/${id}`, { method: 'PUT', body: { account: { status: 'ACTIVE' } } }),
      await api('/payment_links', { body: { payment_link: { options: { account: id } } } }),
    ]) {
      expect([refused.status, refused.json.error.type]).toEqual([400, 'INVALID_STATE'])
    }
  })

  it('is finished after a process ended in the middle', async () => {
    const link = await newLink(app.merchant, { amount: '1.00', account: { first_name: 'Grace' } })
    const payer = await openPayerClient(app, link.id)
    await payer.payByCard(CARDS.approve, { account: { last_name: 'Hopper' } })
    const { account } = await readLink(app.merchant, link.id)
    await anonymise(account)
    await deps.db
      .updateTable('payments')
      .set({ payer_details: '{"last_name":"Hopper"}' })
      .where('account_id', '=', account)
      .execute()
    await deps.db.updateTable('accounts').set({ erasing: '[]' }).where('id', '=', account).execute()
    await finishErasures(deps)
    expect(await tablesWith(/Hopper|"erasing":"/)).toEqual([])
  })

  it('keeps what belongs to another customer with the same e-mail address', async () => {
    const email = 'family@example.com'
    const { id } = (await api('/accounts', { body: { account: { crm_key: 'mother', email } } }))
      .json.account
    const others = [{ crm_key: 'father', email }, { email: 'son@example.com' }]
    const links = []
    for (const account of others) {
      links.push((await newLink(app.merchant, { amount: '1.00', account })).id)
    }
    await anonymise(id)
    for (const [n, link] of links.entries()) {
      expect((await readLink(app.merchant, link)).options.account).toEqual(others[n])
    }
  })
})

it('a payer whose account was anonymised begins anew', async () => {
  const link = await newLink(app.merchant, { amount: '3.00', account: { first_name: 'Ada' } })
  const payer = await openPayerClient(app, link.id)
  await payer.payByCard(CARDS.decline)
  const { json } = await api(`/checkouts/${payer.checkout.id}`)
  const { account } = json.checkout
  expect((await anonymise(account)).status).toBe(200)
  const late = await payer.payByCard(CARDS.approve, { account: TYPED })
  expect(late.json.outcome).toBe('GONE')
  const again = await (await openPayerClient(app, link.id)).payByCard(CARDS.approve)
  expect(again.json.outcome).toBe('COMPLETED')
  expect((await readLink(app.merchant, link.id)).account).not.toBe(account)
})

describe('an account that still has to pay', () => {
  it('is not anonymised while a contract is active', async () => {
    const { account, method } = await client.storeCard()
    const { contract } = await client.pay(undefined, {
      account,
      payment_method: method,
      recurring: { frequency: 'MONTH' },
    })
    const { status, json } = await anonymise(account)
    expect([status, json.error]).toEqual([
      400,
      { type: 'INVALID_STATE', message: `Account pays contract ${contract}; cancel it first` },
    ])
    expect((await api(`/accounts/${account}`)).json.account.anonymised).toBeNull()
    await api(`/contracts/${contract}`, { method: 'DELETE' })
    expect((await anonymise(account)).status).toBe(200)
  })

  it('is not anonymised while a payment is scheduled', async () => {
    const { account, method } = await client.storeCard()
    const due = new Date(app.now() + 86_400_000).toISOString()
    await client.pay(undefined, { account, payment_method: method, due })
    expect((await anonymise(account)).json.error.type).toBe('INVALID_STATE')
  })
})

describe('an archived account', () => {
  it('is refused in new payments and links, until it is active again', async () => {
    const { account, method } = await client.storeCard()
    const put = (status: string) =>
      api(`/accounts/${account}`, { method: 'PUT', body: { account: { status } } })
    expect((await put('ARCHIVED')).json.account.status).toBe('ARCHIVED')
    const listed = await api('/accounts?criteria=status=ARCHIVED')
    expect(listed.json.accounts.map(({ id }: { id: string }) => id)).toContain(account)
    const tries = async () => [
      (await api('/payment_links', { body: { payment_link: { options: { account } } } })).status,
      (await client.send({ amount: '1.00', account, payment_method: method })).status,
      (await client.send({ amount: '1.00', payment_method: method })).status,
    ]
    expect(await tries()).toEqual([400, 400, 400])
    expect((await put('ACTIVE')).json.account.status).toBe('ACTIVE')
    expect(await tries()).toEqual([200, 200, 200])
    expect((await put('PENDING')).status).toBe(400)
  })
})

it('the address of a payer is in no table after the account was anonymised', async () => {
  const link = await newLink(app.merchant, { amount: '1.00', account: { first_name: 'Ada' } })
  const payer = await openPayerClient(app, link.id, { headers: { 'x-forwarded-for': ADDRESS } })
  await payer.payByCard(CARDS.approve)
  await anonymise((await readLink(app.merchant, link.id)).account)
  expect((await tablesWith(/203\.0\.113/)).filter((name) => name !== 'limit_counters')).toEqual([])
})
