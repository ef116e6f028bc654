import { expect, it } from 'vitest'
import { CARDS } from '../cards.ts'
import { cardToken, newLink, openPayerClient } from '../payer-client.ts'
import type { Merchant } from '../app.ts'
import { sentDuring, startStripeApp, STRIPE_CARDS } from '../stripe-fake/stripe-app.ts'

/** Declines of Stripe count against card testing as those of any processor. */

const { app, fake, newStripeShop } = await startStripeApp()

const ATTEMPTS = 8
/** Different cards of one session. */
const CARDS_MAX = 3

/** Pays a link again and again. Returns what each attempt gets. */
async function payAgain(merchant: Merchant, token: () => Promise<string> | string) {
  const payer = await openPayerClient(app, (await newLink(merchant)).id)
  const outcomes: string[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const { status, json } = await payer.submit({ payment_method: { token: await token() } })
    outcomes.push(`${status} ${json.outcome}`)
  }
  return outcomes
}

it('refuses a declined card as soon as one of the sandbox', async () => {
  const expected = await payAgain(await app.newMerchant(), () => cardToken(app, CARDS.decline))
  expect(expected[0]).toBe('200 DECLINED')
  expect(expected.at(-1)).toBe('429 undefined')
  const { merchant } = await newStripeShop()
  const sent = await sentDuring(fake, 'POST /v1/payment_intents', async () => {
    const token = () => fake.card(STRIPE_CARDS.decline)
    expect(await payAgain(merchant, token)).toEqual(expected)
  })
  expect(sent).toHaveLength(expected.filter((outcome) => outcome === '200 DECLINED').length)
})

it('counts every method that Stripe does not know as another card', async () => {
  const { merchant } = await newStripeShop()
  const outcomes = await payAgain(merchant, () => 'pm_unknown')
  const declined = Array.from({ length: CARDS_MAX }, () => '200 DECLINED')
  const refused = Array.from({ length: ATTEMPTS - CARDS_MAX }, () => '429 undefined')
  expect(outcomes).toEqual([...declined, ...refused])
})
