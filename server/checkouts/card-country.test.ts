import { afterAll, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { openEntitiesClient } from '../../test/legal-entities.ts'
import { cardToken, newLink, openPayerClient, readLink } from '../../test/payer-client.ts'
import { openPaymentsClient, stubProcessor } from '../../test/payments-client.ts'
import { connectStripe } from '../../test/stripe-fake/connect.ts'
import { startStripeFake } from '../../test/stripe-fake/start.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'

/** Routes by the country of a card that a payer enters, which its processor tells before it is charged. */

const fake = await startStripeFake()
const app = await startTestApp({ ...stripeEnvironment(fake), CARD_TESTING_GUARD: '0' })

afterAll(async () => {
  await fake.close()
  expect(fake.problems).toEqual([])
})

/** A shop whose route leads payers of Spain to an entity that is not the default. */
async function openShop() {
  const merchant = await app.newMerchant()
  const { entity, route } = openEntitiesClient(merchant)
  const main = await entity()
  const spain = await entity({ legal_name: 'Nord Iberia SL', country: 'ES' })
  await route(spain.id, { when: { country: ['ES'] } })
  return { merchant, main: main.id as string, spain: spain.id as string }
}

async function openLink(shop: Awaited<ReturnType<typeof openShop>>, options: object = {}) {
  const link = await newLink(shop.merchant, { amount: '12.50', currency: 'EUR', ...options })
  const payer = await openPayerClient(app, link.id)
  const paidTo = async () =>
    (await readLink(shop.merchant, link.id, 'payment')).payment.legal_entity
  return { ...shop, link, payer, paidTo }
}

describe('a payment by a new card', () => {
  it('belongs to the entity of the country of the card, which only its receipt names', async () => {
    const { payer, paidTo, spain } = await openLink(await openShop())
    expect(payer.checkout).not.toHaveProperty('legal_entity')
    expect((await payer.payByCard(CARDS.spain)).json.outcome).toBe('COMPLETED')
    expect(await paidTo()).toBe(spain)
    const { checkout } = (await payer.current()).json
    expect(checkout.legal_entity.legal_name).toBe('Nord Iberia SL')
  })

  it.each([
    ['of another country', CARDS.germany],
    ['of a country that is not known', CARDS.approve],
  ])('that is %s belongs to the default', async (_which, card) => {
    const { payer, paidTo, main } = await openLink(await openShop())
    expect((await payer.payByCard(card)).json.outcome).toBe('COMPLETED')
    expect(await paidTo()).toBe(main)
  })

  it('belongs to the country that the payer enters rather than to that of the card', async () => {
    const { payer, paidTo, main, spain } = await openLink(await openShop())
    const account = { address: { country: 'DE' } }
    expect((await payer.payByCard(CARDS.spain, { account })).json.outcome).toBe('COMPLETED')
    expect(await paidTo()).toBe(main)
    const other = await openLink(await openShop(), { account: { address: { country: 'ES' } } })
    expect(other.payer.checkout.legal_entity.legal_name).toBe('Nord Iberia SL')
    expect((await other.payer.payByCard(CARDS.germany)).json.outcome).toBe('COMPLETED')
    expect(await other.paidTo()).toBe(other.spain)
    expect(main).not.toBe(spain)
  })

  it('keeps the entity of the card before it, which was declined', async () => {
    const { merchant, payer, paidTo, main } = await openLink(await openShop())
    expect((await payer.payByCard(CARDS.decline)).json.outcome).toBe('DECLINED')
    const { checkout } = (await payer.current()).json
    expect(checkout.legal_entity.legal_name).toBe('Atelier Nord SAS')
    expect((await payer.payByCard(CARDS.spain)).json.outcome).toBe('COMPLETED')
    expect(await paidTo()).toBe(main)
    const { checkouts } = (await merchant.api('/checkouts')).json
    expect(checkouts[0].legal_entity).toBe(main)
  })

  it('is taken for the default when the processor does not tell the country', async () => {
    const { payer, paidTo, main } = await openLink(await openShop())
    stubProcessor(app, () => ({ countryOf: async () => Promise.reject(new Error('no answer')) }))
    expect((await payer.payByCard(CARDS.spain)).json.outcome).toBe('COMPLETED')
    expect(await paidTo()).toBe(main)
  })

  it('asks for the country of a card only where a route depends on it', async () => {
    const shop = await openShop()
    const asked: string[] = []
    stubProcessor(app, () => ({
      countryOf: async (token) => {
        asked.push(token)
        return null
      },
    }))
    const known = await openLink(shop, { account: { address: { country: 'FR' } } })
    expect((await known.payer.payByCard(CARDS.spain)).json.outcome).toBe('COMPLETED')
    const chosen = await openLink(shop, { legal_entity: shop.main })
    expect((await chosen.payer.payByCard(CARDS.spain)).json.outcome).toBe('COMPLETED')
    expect(asked).toEqual([])
    const open = await openLink(shop)
    expect((await open.payer.payByCard(CARDS.spain)).json.outcome).toBe('COMPLETED')
    expect(asked).toHaveLength(1)
  })
})

describe('a payment by API with a new card', () => {
  it('belongs to the entity of the country of the card', async () => {
    const { merchant, main, spain } = await openShop()
    const client = openPaymentsClient(app, merchant)
    expect((await client.pay(CARDS.spain)).legal_entity).toBe(spain)
    expect((await client.pay(CARDS.germany)).legal_entity).toBe(main)
    const payment_method = { token: await cardToken(app, CARDS.spain) }
    const account = { crm_key: 'payer', address: { country: 'DE' } }
    expect((await client.pay(undefined, { payment_method, account })).legal_entity).toBe(main)
  })
})

describe('a card of Stripe', () => {
  it('leads to its country as Stripe tells it, and to the default when Stripe does not', async () => {
    const shop = await openShop()
    const { id: processor, processor: adapter } = await connectStripe(app, shop.merchant, fake)
    const spanish = () => fake.card('4000007240000007')
    // Without a limit of time: the stand-in takes long to compile what it checks a first request by.
    expect(await adapter.countryOf?.(spanish())).toBe('ES')
    expect(await adapter.countryOf?.(fake.card('4242424242424242'))).toBe('GB')
    const pay = async () => {
      const { payer, paidTo } = await openLink(shop)
      const token = spanish()
      const { json } = await payer.submit({ payment_method: { type: 'CARD', processor, token } })
      expect(json.outcome).toBe('COMPLETED')
      return paidTo()
    }
    expect(await pay()).toBe(shop.spain)
    fake.fault('GET /v1/payment_methods/{payment_method}', 'FORBIDDEN')
    expect(await pay()).toBe(shop.main)
  })
})
