import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import { findPaymentMethod } from './store.ts'

const app = await startTestApp()
const { api } = app.merchant

async function newAccount(crm_key: string, as: Merchant = app.merchant): Promise<string> {
  const { json } = await as.api('/accounts', { body: { account: { crm_key } } })
  return json.account.id
}

/** Pays as an account's payer and saves the card. Returns the method's id. */
async function keepCard(account: string, number = CARDS.approve, as = app.merchant) {
  app.pass(1000)
  const link = await newLink(as, { amount: '1.00', account, save_card: true })
  await (await openPayerClient(app, link.id)).payByCard(number)
  return (await readLink(as, link.id)).payment_method as string
}

const read = async (id: string) => {
  const { status, json, text } = await api(`/payment_methods/${id}`)
  expect(status, text).toBe(200)
  return json.payment_method
}
const remove = (id: string, as = app.merchant) =>
  as.api(`/payment_methods/${id}`, { method: 'DELETE' })
const listed = async (criteria: string, order = 'created') => {
  const query = new URLSearchParams({ criteria, order }).toString()
  const { status, json, text } = await api(`/payment_methods?${query}`)
  expect(status, text).toBe(200)
  return json.payment_methods.map(({ id }: { id: string }) => id)
}
const removals = () =>
  app.checkstand.deps.db
    .selectFrom('events')
    .selectAll()
    .where('type', '=', 'payment_method.removed')
    .where('instance_id', '=', app.merchant.instance.id)
    .orderBy('created')
    .execute()

describe('a payment method', () => {
  it('shows what a person recognises it by, and nothing that it could be charged with', async () => {
    const account = await newAccount('shown')
    const id = await keepCard(account)
    const method = await read(id)
    expect(method).toMatchObject({
      id,
      account,
      type: 'CARD',
      label: 'visa •••• 4242',
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 },
      bank: null,
      status: 'ACTIVE',
      reusable: true,
      default: true,
      consent: { given: true },
      v: 1,
    })
    const { processor_token: token } = await app.checkstand.deps.db
      .selectFrom('payment_methods')
      .select('processor_token')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { text } = await api(`/payment_methods?criteria=id=${id}&expand=account`)
    expect(text).not.toContain(token)
  })

  it('is 404 when it is unknown, another merchant’s or no id at all', async () => {
    const other = await app.newMerchant()
    const theirs = await keepCard(await newAccount('x', other), CARDS.approve, other)
    for (const id of [theirs, 'pm_1_x', 'acc_1_x', 'nonsense', '%00', 'pm_1_x%00']) {
      for (const method of ['GET', 'DELETE']) {
        const { status, json } = await api(`/payment_methods/${id}`, { method })
        expect([status, json.error]).toEqual([
          404,
          { type: 'NOT_FOUND', message: 'Payment method not found' },
        ])
      }
    }
    const untouched = await other.api(`/payment_methods/${theirs}`)
    expect(untouched.json.payment_method).toMatchObject({ status: 'ACTIVE', v: 1 })
  })
})

it('is looked for only by what can be an id, since PostgreSQL fails on some texts', async () => {
  const { db } = app.checkstand.deps
  for (const id of ['pm_1_x', 'pm_1_x\0', '\0', '']) {
    expect(await findPaymentMethod(db, app.merchant.instance.id, id, app.now())).toBeUndefined()
  }
})

describe('the default method of an account', () => {
  it('is the newest that can be used again', async () => {
    const account = await newAccount('default')
    const first = await keepCard(account)
    expect((await read(first)).default).toBe(true)
    const second = await keepCard(account, CARDS.mastercard)
    expect([(await read(first)).default, (await read(second)).default]).toEqual([false, true])
    await testCharges(app).setMethod(second, { reusable: 0 })
    expect([(await read(first)).default, (await read(second)).default]).toEqual([true, false])
    await remove(first)
    expect([(await read(first)).default, (await read(second)).default]).toEqual([false, false])
  })

  it('is one for each account, in lists and where it is expanded too', async () => {
    const accounts = [await newAccount('a'), await newAccount('b')]
    const ids: string[] = []
    for (const card of [CARDS.mastercard, CARDS.approve]) {
      for (const account of accounts) ids.push(await keepCard(account, card))
    }
    const query = `criteria=account=${accounts.join(';')}&order=created`
    const { json } = await api(`/payment_methods?${query}`)
    expect(json.payment_methods.map((method: { default: boolean }) => method.default)).toEqual([
      false,
      false,
      true,
      true,
    ])
    const { json: links } = await api('/payment_links?expand=payment_method&order=created:desc')
    const shown = links.payment_links
      .slice(0, 4)
      .map(({ payment_method: { id, default: isDefault } }: Expanded) => [id, isDefault])
    expect(shown).toEqual([
      [ids[3], true],
      [ids[2], true],
      [ids[1], false],
      [ids[0], false],
    ])
  })

  it('is what a payer of the account is offered first', async () => {
    const account = await newAccount('offered')
    await keepCard(account)
    const newest = await keepCard(account, CARDS.amex)
    const link = await newLink(app.merchant, { amount: '1.00', account })
    const { checkout } = await openPayerClient(app, link.id)
    expect(checkout.saved_methods[0].id).toBe(newest)
    expect((await read(newest)).default).toBe(true)
  })
})

interface Expanded {
  payment_method: { id: string; default: boolean }
}

describe('removing a method', () => {
  it('keeps it readable, records one event, and changes nothing the second time', async () => {
    const before = await removals()
    const id = await keepCard(await newAccount('removed'))
    app.pass(1000)
    expect((await remove(id)).status).toBe(204)
    const removed = await read(id)
    expect(removed).toMatchObject({ status: 'REMOVED', default: false, v: 2 })
    expect(Date.parse(removed.updated)).toBe(app.now())
    app.pass(1000)
    expect((await remove(id)).status).toBe(204)
    expect(await read(id)).toEqual(removed)
    const events = (await removals()).slice(before.length)
    expect(events.map((event) => JSON.parse(event.data))).toEqual([{ payment_method: removed }])
  })

  it('records one event for simultaneous requests', async () => {
    const id = await keepCard(await newAccount('busy'))
    const before = (await removals()).length
    const answers = await Promise.all([remove(id), remove(id), remove(id), remove(id)])
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 204, 204])
    expect([(await read(id)).v, (await removals()).length]).toEqual([2, before + 1])
  })

  it('ends its being offered to payers, and its being charged', async () => {
    const account = await newAccount('no more')
    const [gone, kept] = [await keepCard(account), await keepCard(account, CARDS.mastercard)]
    const link = await newLink(app.merchant, { amount: '1.00', account })
    const payer = await openPayerClient(app, link.id)
    expect(payer.checkout.saved_methods).toHaveLength(2)
    await remove(gone)
    const { json } = await payer.current()
    expect(json.checkout.saved_methods.map((method: { id: string }) => method.id)).toEqual([kept])
    const response = await payer.submit({ payment_method: { id: gone, csc: '123' } })
    expect([response.status, response.json.error.message]).toEqual([
      400,
      'payment_method.id is not a saved method of this checkout',
    ])
  })
})

describe('a list of payment methods', async () => {
  const account = await newAccount('listed')
  const visa = await keepCard(account)
  const amex = await keepCard(account, CARDS.amex)
  const { fingerprint } = await read(visa)

  it.each([
    ['brand=VISA', [visa]],
    ['brand~=ME', [amex]],
    ['last4=0005', [amex]],
    ['type=card', [visa, amex]],
    ['type=DIRECT_DEBIT', []],
    ['status=active', [visa, amex]],
    ['status=removed;expired', []],
    ['reusable=Y', [visa, amex]],
    ['reusable=N', []],
    [`fingerprint=${fingerprint}`, [visa]],
    [`account=${account.toUpperCase()}`, []],
    ['updated>2030-01-01,created<2999-01-01', [visa, amex]],
  ])('can be filtered by %s', async (criteria, ids) => {
    expect(await listed(`account=${account},${criteria}`)).toEqual(ids)
  })

  it('can be ordered by what the clock makes of them', async () => {
    expect(await listed(`account=${account}`, 'brand')).toEqual([amex, visa])
    await remove(amex)
    expect(await listed(`account=${account}`, 'status:desc')).toEqual([amex, visa])
  })
})

describe('a card whose month is over', () => {
  it('is EXPIRED from the first moment of the next one, and then neither default nor offered', async () => {
    const shop = await app.newMerchant()
    const account = await newAccount('expiring', shop)
    const id = await keepCard(account, CARDS.approve, shop)
    const link = await newLink(shop, { amount: '1.00', account })
    const state = async () => {
      const { json } = await shop.api(`/payment_methods/${id}`)
      const { status, default: isDefault } = json.payment_method
      const { checkout } = await openPayerClient(app, link.id)
      const of = async (wanted: string) =>
        (await shop.api(`/payment_methods?criteria=status=${wanted}`)).json.meta.total
      return {
        status,
        isDefault,
        offered: checkout.saved_methods.length,
        listed: [await of('ACTIVE'), await of('EXPIRED')],
      }
    }
    app.pass(Date.parse('2034-12-31T23:59:59.999Z') - app.now())
    expect(await state()).toEqual({ status: 'ACTIVE', isDefault: true, offered: 1, listed: [1, 0] })
    app.pass(1)
    expect(await state()).toEqual({
      status: 'EXPIRED',
      isDefault: false,
      offered: 0,
      listed: [0, 1],
    })
    await remove(id, shop)
    expect(await state()).toMatchObject({ status: 'REMOVED', listed: [0, 0] })
  })
})
