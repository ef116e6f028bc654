import { afterAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../app.ts'
import { parseForm } from '../stripe-fake/form.ts'
import { openEntitiesClient } from '../legal-entities.ts'
import { newLink, openPayerClient } from '../payer-client.ts'
import { openPaymentsClient } from '../payments-client.ts'
import { connectStripe } from '../stripe-fake/connect.ts'
import { startStripeFake } from '../stripe-fake/start.ts'
import { stripeEnvironment } from '../stripe-fake/environment.ts'

/** What Stripe is told for the statements of payers. The stand-in refuses what Stripe refuses. */

const fake = await startStripeFake()
const app = await startTestApp({ ...stripeEnvironment(fake), CARD_TESTING_GUARD: '0' })

afterAll(async () => {
  await fake.close()
  expect(fake.problems).toEqual([])
})

const METHODS = ['CARD', 'IDEAL']

async function openShop(descriptor: string | null, settings: object = {}) {
  const merchant = await app.newMerchant()
  const { id: processor } = await connectStripe(app, merchant, fake, {
    methods: METHODS,
    ...settings,
  })
  const { entity, change } = openEntitiesClient(merchant)
  const { id } = await entity({ statement_descriptor: descriptor })
  const pay = async (payment_method: object) => {
    const link = await newLink(merchant, { amount: '12.50', currency: 'EUR' })
    const payer = await openPayerClient(app, link.id)
    const account = { first_name: 'Ada', last_name: 'Lovelace' }
    const { json } = await payer.submit({
      payment_method: { processor, ...payment_method },
      account,
    })
    return json.outcome
  }
  return {
    merchant,
    client: openPaymentsClient(app, merchant),
    change: (statement_descriptor: string | null) => change(id, { statement_descriptor }),
    byCard: () => pay({ type: 'CARD', token: fake.card('4242424242424242') }),
    byBank: () => pay({ type: 'IDEAL' }),
  }
}

/** Returns what the last payment at Stripe was made with. */
function lastStatement(): object {
  const made = fake.requests.findLast(
    ({ method, path }) => method === 'post' && path === '/v1/payment_intents',
  )
  const { statement_descriptor, statement_descriptor_suffix } = parseForm(made?.body ?? '')
  return {
    ...(statement_descriptor !== undefined && { whole: statement_descriptor }),
    ...(statement_descriptor_suffix !== undefined && { suffix: statement_descriptor_suffix }),
  }
}

describe('the statement of a payer', () => {
  it('shows the text of the legal entity, on cards behind the prefix of the account', async () => {
    const shop = await openShop('NORD* ATELIER', { statement_suffix: 'Order' })
    expect(await shop.byCard()).toBe('COMPLETED')
    expect(lastStatement()).toEqual({ suffix: 'NORD ATELIER' })
    expect(await shop.byBank()).toBe('ACTION')
    expect(lastStatement()).toEqual({ whole: 'NORD ATELIER' })
  })

  it('shows the setting of the connection where the legal entity has no text', async () => {
    const shop = await openShop(null, { statement_suffix: 'Order' })
    expect(await shop.byCard()).toBe('COMPLETED')
    expect(lastStatement()).toEqual({ suffix: 'Order' })
    expect(await shop.byBank()).toBe('ACTION')
    expect(lastStatement()).toEqual({ whole: 'Order' })
  })

  it('is left to Stripe where there is neither, and where a text is too short for it', async () => {
    const shop = await openShop(null)
    expect(await shop.byCard()).toBe('COMPLETED')
    expect(lastStatement()).toEqual({})
    await shop.change('A****')
    expect(await shop.byBank()).toBe('ACTION')
    expect(lastStatement()).toEqual({})
    expect(await shop.byCard()).toBe('COMPLETED')
    expect(lastStatement()).toEqual({ suffix: 'A' })
  })

  it('shows the text of the time at which a payment was requested, also by API', async () => {
    const shop = await openShop('NORD ATELIER')
    const card = () => ({ payment_method: { token: fake.card('4242424242424242') } })
    const request = () => ({ amount: '10.00', currency: 'EUR', ...card() })
    expect((await shop.client.send(request())).json.payment.status).toBe('SUCCESS')
    expect(lastStatement()).toEqual({ suffix: 'NORD ATELIER' })
    await shop.change('NORD SUD')
    expect((await shop.client.send(request())).json.payment.status).toBe('SUCCESS')
    expect(lastStatement()).toEqual({ suffix: 'NORD SUD' })
  })
})
