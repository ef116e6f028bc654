import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { errorSummary, type Json } from '../payments-client.ts'
import { ABOUT_PAYMENT } from '../processor-operation.ts'
import { startStripeApp, STRIPE_CARDS } from '../stripe-fake/stripe-app.ts'

/** Which methods of Stripe a payer or a merchant may use, and for what. */

const { app, fake, deps, shop, newStripeShop } = await startStripeApp()
const { client, connection, newAccount, saveCard, openLink } = shop
const debits = await newStripeShop({ methods: ['CARD', 'DIRECT_DEBIT', 'IDEAL'] })

const IBAN = 'DE89370400440532013000'
const card = () => ({ type: 'CARD', token: fake.card(STRIPE_CARDS.approve) })
const typesOf = ({ checkout }: { checkout: Json }) => checkout.methods.map(({ type }: Json) => type)
const refused = (message: string) => [400, 'INVALID_REQUEST', message]
const requestsDuring = async (act: () => Promise<unknown>) => {
  const before = fake.requests.length
  await act()
  return fake.requests.length - before
}

describe('a checkout', () => {
  it('offers the types that the connection has, in currencies that they take', async () => {
    expect(typesOf(await debits.openLink({ amount: '5.00', currency: 'EUR' }))).toEqual([
      'CARD',
      'DIRECT_DEBIT',
      'IDEAL',
    ])
    expect(typesOf(await debits.openLink({ amount: '5.00', currency: 'USD' }))).toEqual(['CARD'])
  })

  it('offers no type that cannot carry the amount', async () => {
    const link = { amount: '0.30', currency: 'EUR' }
    expect(typesOf(await debits.openLink(link))).toEqual(['DIRECT_DEBIT', 'IDEAL'])
    const payer = await debits.openLink(link)
    const sent = await requestsDuring(async () => {
      const response = await payer.submit({ payment_method: card() })
      expect(errorSummary(response)).toEqual(
        refused('payment_method.type is not offered for this amount'),
      )
    })
    expect(sent).toBe(0)
  })

  it('checks an amount that the payer enters', async () => {
    const payer = await openLink({ default_amount: '5.00', currency: 'EUR' })
    expect(typesOf(payer)).toEqual(['CARD'])
    expect(errorSummary(await payer.submit({ payment_method: card(), amount: '0.49' }))).toEqual(
      refused('payment_method.type is not offered for this amount'),
    )
    const paid = await payer.submit({ payment_method: card(), amount: '0.50' })
    expect(paid.json.outcome, paid.text).toBe('COMPLETED')
  })

  it('takes an amount that Stripe cannot express by no card', async () => {
    const payer = await openLink({ default_amount: '5.000', currency: 'KWD' })
    expect(errorSummary(await payer.submit({ payment_method: card(), amount: '1.235' }))).toEqual(
      refused('payment_method.type is not offered for this amount'),
    )
    const paid = await payer.submit({ payment_method: card(), amount: '1.230' })
    expect(paid.json.outcome, paid.text).toBe('COMPLETED')
  })

  it('hides a saved card that cannot carry the amount, and refuses it', async () => {
    const account = await newAccount()
    const { payment_method: id } = await saveCard(account)
    const other = await debits.newAccount()
    await debits.saveCard(other)
    const small = await debits.openLink({ amount: '0.49', currency: 'EUR', account: other })
    expect(small.checkout.saved_methods).toEqual([])
    const open = await openLink({ default_amount: '5.00', currency: 'EUR', account })
    expect(open.checkout.saved_methods).toMatchObject([{ id }])
    const response = await open.submit({ amount: '0.49', payment_method: { id, csc_token: 'x' } })
    expect(errorSummary(response)).toEqual(
      refused('payment_method.id is not offered for this amount'),
    )
  })

  it('refuses a token of another form, and sends nothing to Stripe', async () => {
    const payer = await openLink()
    const sent = await requestsDuring(async () => {
      for (const token of ['tok_4242', 'pi_123', 'cus_1']) {
        const response = await payer.submit({ payment_method: { type: 'CARD', token } })
        expect(errorSummary(response)).toEqual(
          refused('payment_method.token is not a token of the processor'),
        )
      }
    })
    expect(sent).toBe(0)
  })

  it('refuses a token for a method that has none', async () => {
    const payer = await debits.openLink({ amount: '5.00', currency: 'EUR' })
    const sent = await requestsDuring(async () => {
      const payment_method = { type: 'IDEAL', token: fake.card(STRIPE_CARDS.approve) }
      const response = await payer.submit({ payment_method, account: { last_name: 'Lovelace' } })
      expect(errorSummary(response)).toEqual(
        refused('payment_method.token is not taken by this payment method'),
      )
    })
    expect(sent).toBe(0)
  })

  it('refuses the connection of another instance', async () => {
    const payer = await openLink()
    const method = { ...card(), processor: debits.connection }
    expect(errorSummary(await payer.submit({ payment_method: method }))).toEqual(
      refused('payment_method.type is not offered by this checkout'),
    )
  })

  it('declines a method that Stripe does not know or that is spent', async () => {
    const payer = await openLink()
    const spent = card()
    await (await openLink()).submit({ payment_method: spent })
    for (const method of [spent, { type: 'CARD', token: 'pm_unknown' }]) {
      const { json } = await payer.submit({ payment_method: method })
      expect(json).toEqual({ outcome: 'DECLINED', message_id: 'errors.declined' })
    }
  })
})

describe('a method that needs details of the payer', () => {
  const debit = () => ({ type: 'DIRECT_DEBIT', token: fake.debit(IBAN) })

  it('tells the page which, and is refused without them', async () => {
    const payer = await debits.openLink({ amount: '5.00', currency: 'EUR' })
    expect(payer.checkout.methods).toMatchObject([
      { type: 'CARD' },
      { type: 'DIRECT_DEBIT', needs: ['email'] },
      { type: 'IDEAL', needs: ['name'] },
    ])
    expect(payer.checkout.methods[0]).not.toHaveProperty('needs')
    const submit = (account: object) => payer.submit({ payment_method: debit(), account })
    expect(errorSummary(await submit({ last_name: 'Lovelace' }))).toEqual(
      refused('account.email is required for DIRECT_DEBIT'),
    )
    const ideal = await payer.submit({ payment_method: { type: 'IDEAL' }, account: {} })
    expect(errorSummary(ideal)).toEqual(refused('account.last_name is required for IDEAL'))
    const { json } = await submit({ email: 'ada@example.com' })
    expect(json.outcome).toBe('PENDING')
  })

  it('is offered to a fixed account that has them, and to no other', async () => {
    const link = { amount: '5.00', currency: 'EUR' }
    const known = await debits.newAccount({ first_name: 'Ada' })
    const all = ['CARD', 'DIRECT_DEBIT', 'IDEAL']
    expect(typesOf(await debits.openLink({ ...link, account: known }))).toEqual(all)
    const nameless = await debits.newAccount()
    const payer = await debits.openLink({ ...link, account: nameless })
    expect(typesOf(payer)).toEqual(['CARD', 'DIRECT_DEBIT'])
    expect(errorSummary(await payer.submit({ payment_method: { type: 'IDEAL' } }))).toEqual(
      refused('payment_method.type is not offered by this checkout'),
    )
  })

  it('is offered to a fixed account without an e-mail if it is a debit, whose fields ask for one', async () => {
    const account = await debits.newAccount({ first_name: 'Ada', email: null })
    const payer = await debits.openLink({ amount: '5.00', currency: 'EUR', account })
    expect(typesOf(payer)).toEqual(['CARD', 'DIRECT_DEBIT', 'IDEAL'])
    expect((await payer.submit({ payment_method: debit() })).json.outcome).toBe('PENDING')
  })
})

describe('the first debit of an account', () => {
  it('is left to the payer, who gives the mandate', async () => {
    const sent = await requestsDuring(async () => {
      const payment_method = { type: 'DIRECT_DEBIT', token: fake.debit(IBAN), save: true }
      const account = await debits.newAccount({ first_name: 'Ada' })
      const payment = { amount: '5.00', currency: 'EUR', account, payment_method }
      expect(errorSummary(await debits.client.send(payment))).toEqual(
        refused(
          'payment.payment_method must be a stored method: only a payer can allow DIRECT_DEBIT',
        ),
      )
    })
    expect(sent).toBe(0)
  })

  it('is refused before anything is sent where the address of the payer is not known', async () => {
    const { id: processor, ...order } = { id: debits.connection, ...ABOUT_PAYMENT }
    const { instance } = debits.merchant
    const adapter = await deps.processors.get({ processor, instance_id: instance.id })
    const debit = { kind: 'NEW', type: 'DIRECT_DEBIT', token: fake.debit(IBAN) } as const
    const sent = await requestsDuring(async () => {
      for (const given of [{ initiator: 'MERCHANT' }, { payer: { ...order.payer, ip: null } }]) {
        const answer = await adapter?.pay({
          ...order,
          operation: randomUUID(),
          merchant: instance.id,
          amount: 500,
          currency: 'EUR',
          method: debit,
          store: false,
          return_url: 'http://127.0.0.1/return',
          ...(given as object),
        })
        expect(answer).toMatchObject({
          status: 'ERROR',
          message: expect.stringContaining('needs a mandate'),
        })
      }
    })
    expect(sent).toBe(0)
  })
})

describe('a link whose amount no method carries', () => {
  const link = (options: object) =>
    shop.api('/payment_links', { body: { payment_link: { options } } })

  it('is refused with what the methods take', async () => {
    expect(errorSummary(await link({ amount: '0.49', currency: 'EUR' }))).toEqual(
      refused('payment_link.options.amount must be at least 0.50 EUR for CARD'),
    )
    expect(errorSummary(await link({ amount: '1.235', currency: 'KWD' }))).toEqual(
      refused('payment_link.options.amount must be a multiple of 0.010 KWD for CARD'),
    )
    const account = await newAccount()
    await saveCard(account)
    expect((await link({ amount: '0.49', currency: 'EUR', account })).status).toBe(400)
  })

  it('is made where one method carries it, or the payer chooses it', async () => {
    expect((await link({ amount: '0.50', currency: 'EUR' })).status).toBe(200)
    expect((await link({ default_amount: '0.49', currency: 'EUR' })).status).toBe(200)
    const made = await debits.openLink({ amount: '0.30', currency: 'EUR' })
    expect(typesOf(made)).toEqual(['DIRECT_DEBIT', 'IDEAL'])
  })

  it('cannot result from a change', async () => {
    const { json } = await link({ amount: '0.50', currency: 'EUR' })
    const body = { mode: 'PATCH', payment_link: { options: { amount: '0.20' } } }
    const { id } = json.payment_link
    expect((await shop.api(`/payment_links/${id}`, { method: 'PUT', body })).status).toBe(400)
  })
})

describe('a merchant', () => {
  it('authorizes no method that cannot be authorized', async () => {
    const payment_method = { type: 'DIRECT_DEBIT', token: fake.debit(IBAN) }
    const payment = { action: 'AUTH', amount: '5.00', currency: 'EUR', payment_method }
    expect(errorSummary(await debits.client.send(payment))).toEqual(
      refused('payment.action AUTH is not possible for DIRECT_DEBIT'),
    )
  })

  it('learns which amounts a method takes', async () => {
    const payment = { amount: '0.49', currency: 'EUR', payment_method: card() }
    expect(errorSummary(await client.send(payment))).toEqual(
      refused('payment.amount must be at least 0.50 EUR for CARD'),
    )
    const dinars = { amount: '1.235', currency: 'KWD', payment_method: card() }
    expect(errorSummary(await client.send(dinars))).toEqual(
      refused('payment.amount must be a multiple of 0.010 KWD for CARD'),
    )
  })

  it('sends no card number and no token of another form to Stripe', async () => {
    const sent = await requestsDuring(async () => {
      const pay = (token: string) =>
        client.send({ amount: '5.00', payment_method: { processor: connection, token } })
      expect((await pay('4242424242424242')).status).toBe(400)
      expect(errorSummary(await pay('tok_4242'))).toEqual(
        refused('payment.payment_method.token is not a token of the processor'),
      )
    })
    expect(sent).toBe(0)
    expect(app.logged()).not.toContain('4242424242424242')
  })
})
