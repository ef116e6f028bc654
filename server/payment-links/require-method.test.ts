import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import {
  addLiveProcessor,
  stubCapabilities,
  openPaymentsClient,
  errorSummary,
  type Json,
} from '../../test/payments-client.ts'
import { newLink, openNewLink } from '../../test/payer-client.ts'
import { CARD_METHOD } from '../../test/processor-operation.ts'

// Live instances require https.
const app = await startTestApp({ BASE_URL: 'https://shop.test', TRUST_PROXY: '1' })
const { merchant } = app
const create = (options: object, of = merchant) =>
  of.api('/payment_links', { body: { payment_link: { options } } })
const change = (id: string, options: object, mode = 'PATCH') =>
  merchant.api(`/payment_links/${id}`, { method: 'PUT', body: { mode, payment_link: { options } } })
const NO_LIVE =
  'No payment processor of this server takes LIVE payments; set one up, or use an instance in TEST mode'

describe('a link of a live instance', () => {
  it('is refused without a live processor, and so is a payment', async () => {
    const live = await app.newMerchant({ mode: 'LIVE' })
    const payment = { amount: '1.00', currency: 'EUR', payment_method: { token: 'tok_a' } }
    const payments = openPaymentsClient(app, live)
    for (const response of [await create({ amount: '1.00' }, live), await payments.send(payment)]) {
      expect(errorSummary(response)).toEqual([400, 'INVALID_STATE', NO_LIVE])
    }
    expect((await live.api('/payment_links')).json.meta.total).toBe(0)
  })

  it('is created with a live processor and offers its methods', async () => {
    const live = await app.newMerchant({ mode: 'LIVE' })
    addLiveProcessor(app)
    for (const [to, name] of [
      [live, 'real'],
      [merchant, 'sandbox'],
    ] as const) {
      const { methods } = (await openNewLink({ ...app, merchant: to })).payer.checkout
      expect(new Set(methods.map(({ processor }: Json) => processor))).toEqual(new Set([name]))
    }
  })
})

describe('a link in a currency that no processor accepts', () => {
  it.each([
    ['its own', { currency: 'JPY' }, 'JPY'],
    ['that of the instance', {}, 'EUR'],
  ])('is refused: %s', async (_, options, currency) => {
    stubCapabilities(app, { currencies: ['GBP'] })
    expect(errorSummary(await create(options))).toEqual([
      400,
      'INVALID_REQUEST',
      `payment_link.options.currency is ${currency}, which no payment processor of this instance takes`,
    ])
  })

  it('cannot result from a change, and other changes of such a link are accepted', async () => {
    stubCapabilities(app, { currencies: ['EUR'] })
    const { id, v } = await newLink(merchant, { currency: 'EUR' })
    expect(errorSummary(await change(id, { currency: 'GBP' }))[2]).toContain('currency is GBP')
    expect((await merchant.api(`/payment_links/${id}`)).json.payment_link).toMatchObject({
      options: { currency: 'EUR' },
      v,
    })
    stubCapabilities(app, { currencies: ['GBP'] })
    const put = { method: 'PUT', body: { payment_link: { state: { note: 1 } } } }
    expect((await merchant.api(`/payment_links/${id}`, put)).status).toBe(200)
    expect((await change(id, { currency: 'GBP' })).status).toBe(200)
  })
})

describe('a link whose options exclude every method', () => {
  const LEFT = 'payment_link.options.save_card leaves no way to pay in EUR'

  it.each([
    [{ save_card: true }, [{ ...CARD_METHOD, storable: false }]],
    [{ save_card: false }, [{ ...CARD_METHOD, token_first: true }]],
  ])('is refused, and does not come about by a change: %j', async (options, methods) => {
    stubCapabilities(app, { methods })
    expect(errorSummary(await create(options))).toEqual([400, 'INVALID_REQUEST', LEFT])
    const { id } = await newLink(merchant, {})
    expect(errorSummary(await change(id, options))[2]).toBe(LEFT)
    expect(errorSummary(await change(id, options, 'REPLACE'))[2]).toBe(LEFT)
    const { json } = await merchant.api('/accounts', { body: { account: { crm_key: 'known' } } })
    // The account may have a saved method of an excluded type.
    expect((await create({ ...options, account: json.account.id })).status).toBe(200)
    const added = { ...options, account: json.account.id, force_add: true }
    expect(errorSummary(await create(added))[2]).toBe(LEFT)
  })
})
