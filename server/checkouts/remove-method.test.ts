import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { openPaymentsClient, errorSummary } from '../../test/payments-client.ts'
import { openPayerClient, readLink, openNewLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { merchant } = app
const client = openPaymentsClient(app)

const remove = (token: string, method: string) =>
  app.call(`/pay/checkouts/current/payment_methods/${method}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  })
const statusOf = async (method: string, of: Merchant = merchant) =>
  (await of.api(`/payment_methods/${method}`)).json.payment_method.status
const openFor = async (options: Record<string, unknown>) =>
  (await openNewLink(app, { amount: '2.00', ...options })).payer
/** A payer who paid and saved their card. */
async function paidAndSaved(options: Record<string, unknown>) {
  const { link, payer } = await openNewLink(app, { amount: '2.00', save_card: true, ...options })
  expect((await payer.payByCard(CARDS.mastercard)).json.outcome).toBe('COMPLETED')
  return { payer, method: (await readLink(merchant, link.id)).payment_method as string }
}
const NOT_OWN = [
  400,
  'INVALID_STATE',
  'Payment method was not saved in this checkout; only the merchant can remove it',
]
const NOT_FOUND = [404, 'NOT_FOUND', 'Payment method not found']

describe('a method that was saved before the session', () => {
  it('is offered on a link with its account and cannot be removed there', async () => {
    const { account, method } = await client.storeCard()
    const payer = await openFor({ account })
    expect(payer.checkout.saved_methods.map(({ id }: { id: string }) => id)).toEqual([method])
    expect(payer.checkout.saved_methods[0]).not.toHaveProperty('removable')
    expect(errorSummary(await remove(payer.token, method))).toEqual(NOT_OWN)
    expect(await statusOf(method)).toBe('ACTIVE')
    expect((await payer.current()).json.checkout.saved_methods).toHaveLength(1)
  })

  it('cannot be removed by a payer who enters the same card again', async () => {
    const { account, method } = await client.storeCard(CARDS.mastercard)
    const { payer, method: saved } = await paidAndSaved({ account })
    expect(saved).toBe(method)
    expect((await payer.current()).json.checkout.saved_methods).toEqual([])
    expect(errorSummary(await remove(payer.token, method))).toEqual(NOT_OWN)
    expect(await statusOf(method)).toBe('ACTIVE')
  })

  it('is 404 in every session that does not show it', async () => {
    const { account, method } = await client.storeCard()
    const stranger = await openFor({})
    const hidden = await openFor({ account, force_add: true })
    for (const { token } of [stranger, hidden]) {
      expect(errorSummary(await remove(token, method))).toEqual(NOT_FOUND)
      for (const id of ['pm_1_unknown', 'nonsense', 'pm_1_x%00']) {
        expect(errorSummary(await remove(token, id))).toEqual(NOT_FOUND)
      }
    }
    expect((await remove('ckt_1_x_wrong', method)).status).toBe(401)
    expect(await statusOf(method)).toBe('ACTIVE')
  })
})

describe('a method that was saved in the session', () => {
  it.each([
    ['of an account that the payer made', { account: { email: 'ada@example.com' } }],
    ['of the account that the link names', undefined],
  ])('can be removed in it: %s', async (_, options) => {
    const idOrKey = options ?? { account: (await client.storeCard()).account }
    const { payer, method } = await paidAndSaved(idOrKey)
    expect((await payer.current()).json.checkout.saved_methods).toEqual([
      expect.objectContaining({ id: method, brand: 'mastercard', removable: true }),
    ])
    expect((await remove(payer.token, method)).status).toBe(204)
    expect(await statusOf(method)).toBe('REMOVED')
    expect((await payer.current()).json.checkout.saved_methods).toEqual([])
    expect(errorSummary(await remove(payer.token, method))).toEqual(NOT_FOUND)
  })

  it('is neither shown nor removed by another session of the same link', async () => {
    const account = { email: 'a@b.example' }
    const { link, payer } = await openNewLink(app, { amount: '2.00', save_card: true, account })
    const other = await openPayerClient(app, link.id)
    await payer.payByCard(CARDS.approve)
    const { payment_method: method } = await readLink(merchant, link.id)
    for (const { current, token } of [other, await openPayerClient(app, link.id)]) {
      expect((await current()).json.checkout.saved_methods).toEqual([])
      expect((await remove(token, method)).status).toBe(404)
    }
    expect(await statusOf(method)).toBe('ACTIVE')
  })

  it('cannot be removed once a contract uses it', async () => {
    const { payer, method } = await paidAndSaved({ account: { email: 'c@d.example' } })
    const { contract } = await client.pay(undefined, {
      payment_method: method,
      recurring: { frequency: 'MONTH' },
    })
    expect(errorSummary(await remove(payer.token, method))).toEqual([
      400,
      'INVALID_STATE',
      `Payment method is charged for contract ${contract}; give the contract another payment_method or cancel it`,
    ])
    expect(await statusOf(method)).toBe('ACTIVE')
  })

  it('can be removed only by the merchant once the session has expired', async () => {
    const { payer, method } = await paidAndSaved({ account: { email: 'e@f.example' } })
    app.pass(61 * 60_000)
    expect((await payer.current()).json.checkout.saved_methods).toEqual([])
    const error = [400, 'INVALID_STATE', 'Checkout is not open']
    expect(errorSummary(await remove(payer.token, method))).toEqual(error)
    expect(await statusOf(method)).toBe('ACTIVE')
    const removal = await merchant.api(`/payment_methods/${method}`, { method: 'DELETE' })
    expect(removal.status).toBe(204)
  })
})

it('a payment with a saved method does not allow its removal', async () => {
  const { account, method } = await client.storeCard()
  const payer = await openFor({ account })
  await payer.submit({ payment_method: { id: method, csc: '123' } })
  expect((await payer.current()).json.checkout).toMatchObject({
    status: 'COMPLETED',
    saved_methods: [],
  })
  expect(errorSummary(await remove(payer.token, method))).toEqual(NOT_OWN)
  expect(await statusOf(method)).toBe('ACTIVE')
})
