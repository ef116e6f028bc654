import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newLink, openNewLink, payNewLink, readLink } from '../../test/payer-client.ts'
import type { AmountLimits, Processor } from '../processors/port.ts'
import { chargedDuring, errorSummary, stubCapabilities } from '../../test/payments-client.ts'

const app = await startTestApp()

const BOUNDED = {
  amount_min: '5',
  amount_max: '50.00',
  amount_presets: ['10', '20.00'],
  default_amount: '10.00',
}
const TICKETS = { unit_amount: '12.50', quantity_max: 4, description: 'Seats', name: 'Concert' }

describe('an amount that the payer chooses', () => {
  it.each(['5.00', '50', '33.33'])('is charged within its bounds: %s', async (amount) => {
    const { json } = await payNewLink(app, CARDS.approve, BOUNDED, { amount })
    expect(json.outcome).toBe('COMPLETED')
  })

  it.each([
    [{ amount: '4.99' }, 'amount must be at least 5.00 EUR'],
    [{ amount: '50.01' }, 'amount must be at most 50.00 EUR'],
    [{ amount: '10.00', quantity: 2 }, 'quantity is not asked for by the link'],
  ])('is refused outside of them whatever the browser sends: %j', async (sent, message) => {
    const { payer } = await openNewLink(app, BOUNDED)
    const pay = async () =>
      expect(errorSummary(await payer.payByCard(CARDS.approve, sent))).toEqual([
        400,
        'INVALID_REQUEST',
        message,
      ])
    expect(await chargedDuring(app, pay)).toEqual([])
  })

  it('is shown with its bounds and suggestions in the decimals of the currency', async () => {
    const { checkout } = (await (await openNewLink(app, BOUNDED)).payer.current()).json
    expect(checkout.terms).toMatchObject({
      amount: '10.00',
      amount_editable: true,
      choice: { amount_min: '5.00', amount_max: '50.00', amount_presets: ['10.00', '20.00'] },
    })
    const plain = await (await openNewLink(app, { default_amount: '5.00' })).payer.current()
    expect(plain.json.checkout.terms).not.toHaveProperty('choice')
  })

  it('is bounded by what the payment methods take, which the page says', async () => {
    const { capabilities } = app.checkstand.deps.processors.builtIn.get('sandbox') as Processor
    const limit = (amounts: Record<string, AmountLimits>[]) =>
      stubCapabilities(app, {
        methods: capabilities.methods
          .slice(0, amounts.length)
          .map((method, at) => ({ ...method, amounts: amounts[at] ?? {} })),
      })
    limit([{ EUR: { min: 50, max: 90_000 } }, { EUR: { min: 100, max: 80_000 } }])
    const choiceOf = async (options: Record<string, unknown>) =>
      (await openNewLink(app, options)).payer.checkout.terms.choice
    expect(await choiceOf({})).toEqual({ amount_min: '0.50', amount_max: '900.00' })
    expect(await choiceOf({ amount_min: '5.00' })).toEqual({
      amount_min: '5.00',
      amount_max: '900.00',
    })
    expect(await choiceOf({ amount: '5.00' })).toBeUndefined()
    expect(await choiceOf({ unit_amount: '5.00', quantity_max: 2 })).toEqual({
      unit_amount: '5.00',
      quantity_max: 2,
    })
    // One of the methods takes any amount.
    limit([{ EUR: { min: 50 } }, {}])
    expect(await choiceOf({})).toBeUndefined()
  })

  it('keeps to bounds that changed while the page was open', async () => {
    const { link, payer } = await openNewLink(app, BOUNDED)
    await app.merchant.api(`/payment_links/${link.id}`, {
      method: 'PUT',
      body: { mode: 'PATCH', payment_link: { options: { amount_max: '20.00' } } },
    })
    const old = await payer.payByCard(CARDS.approve, { amount: '50.00' })
    expect(old.json.outcome).toBe('TERMS_CHANGED')
    const again = await payer.payByCard(CARDS.approve, { amount: '50.00', options_v: 2 })
    expect(again.json.error.message).toContain('amount must be at most 20.00 EUR')
  })
})

describe('a quantity that the payer chooses', () => {
  it('is charged as the product, and shown on receipt, payment and session', async () => {
    const { link, payer } = await openNewLink(app, TICKETS)
    const pay = () => payer.payByCard(CARDS.approve, { quantity: 3, amount: '37.5' })
    expect(await chargedDuring(app, pay)).toEqual([3750])
    expect((await readLink(app.merchant, link.id, 'payment')).payment).toMatchObject({
      amount: '37.50',
      quantity: 3,
      unit_amount: '12.50',
    })
    const { checkout } = (await payer.current()).json
    expect(checkout.result).toMatchObject({
      amount: '37.50',
      quantity: 3,
      unit_amount: '12.50',
      description: 'Seats',
    })
    const { json } = await app.merchant.api(`/checkouts/${checkout.id}`)
    expect(json.checkout).toMatchObject({ quantity: 3, amount: '37.50' })
  })

  it('stays after a decline, with the quantity of the last attempt', async () => {
    const { payer } = await openNewLink(app, TICKETS)
    expect((await payer.payByCard(CARDS.decline, { quantity: 4 })).json.outcome).toBe('DECLINED')
    expect((await payer.payByCard(CARDS.approve, { quantity: 1 })).json.outcome).toBe('COMPLETED')
    const { checkout } = (await payer.current()).json
    expect(checkout.result).toMatchObject({ amount: '12.50', quantity: 1 })
  })

  it.each([
    [{}, 'quantity is required'],
    [{ amount: '12.50' }, 'quantity is required'],
    [{ quantity: 5 }, 'quantity must be at most 4'],
    [{ quantity: 0 }, 'quantity'],
    [{ quantity: 1.5 }, 'quantity'],
    [{ quantity: 2, amount: '12.50' }, 'amount must be 25.00, the price of 2'],
  ])('is refused where the link does not allow it: %j', async (sent, message) => {
    const { payer } = await openNewLink(app, TICKETS)
    const pay = async () => {
      const { status, json } = await payer.payByCard(CARDS.approve, sent)
      expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)])
    }
    expect(await chargedDuring(app, pay)).toEqual([])
  })
})

it('a comment that a payer entered is on the receipt of their own session only', async () => {
  const options = { amount: '1.00', allow_description: true }
  const { link } = await payNewLink(app, CARDS.approve, options, { description: 'For Ada' })
  const page = await app.call(`/pay/${link.id}`)
  expect(page.text).not.toContain('For Ada')
})

it.each([
  [{ amount_presets: [] }, 'amount_presets must have 1 to 6 amounts'],
  [{ quantity_max: 10_001, unit_amount: '1.00' }, 'quantity_max'],
  [{ amount_min: '2.00', amount_max: '1.00' }, 'amount_min must not be more than amount_max'],
])('a link is refused with %j', async (options, message) => {
  const body = { payment_link: { options } }
  const { status, json } = await app.merchant.api('/payment_links', { body })
  expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)])
})

it('a PATCH is checked with the members that it keeps', async () => {
  const link = await newLink(app.merchant, BOUNDED)
  const patch = (options: object) =>
    app.merchant.api(`/payment_links/${link.id}`, {
      method: 'PUT',
      body: { mode: 'PATCH', payment_link: { options } },
    })
  expect((await patch({ amount: '7.00' })).json.error.message).toContain(
    'amount_min cannot be combined with amount',
  )
  const cleared = { amount: '7.00', amount_min: null, amount_max: null, amount_presets: null }
  expect((await patch(cleared)).status).toBe(200)
})
