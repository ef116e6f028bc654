import { expect } from 'vitest'
import { type Merchant, startTestApp, type TestApp } from '../app.ts'
import { atEnd } from '../at-end.ts'
import type { Client } from '../client.ts'
import { readLedger } from '../money-model/books.ts'
import { guardTables } from '../money-model/guards.ts'
import { expectInvariants } from '../money-model/invariants.ts'
import { deleteMerchantData } from '../money-model/world.ts'
import { newLink, openPayerClient } from '../payer-client.ts'
import { type Json, openPaymentsClient, type PaymentsClient } from '../payments-client.ts'
import { booksOf } from '../stripe-fake/books.ts'
import { connectStripe } from '../stripe-fake/connect.ts'
import { startStripeFake, type StripeFake } from '../stripe-fake/start.ts'
import { stripeEnvironment } from '../stripe-fake/environment.ts'
import { amountsOf, type StripeModel } from './model.ts'

/** The product with a merchant who has connected the fake. */
export interface StripeWorld {
  app: TestApp
  fake: StripeFake
  merchant: Merchant
  client: PaymentsClient
  /** Pays a new link; `token` is missing where the method has no fields. */
  payLink: (amount: number, type: string, token?: string) => Promise<PaidLink>
}

interface PaidLink {
  outcome: string
  /** Of the payment at Stripe. */
  intent: string
  /** The page of the bank. */
  bank: string
  /** Pays in the same session another way. */
  payAgain: (type: string, token?: string) => Promise<PaidLink>
}

const ADA = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com' }

export const formatAmount = (minor: number): string => (minor / 100).toFixed(2)

/** Returns what makes a world for each run. */
export async function prepareStripeWorld() {
  let now = () => 0
  const fake = await startStripeFake({ now: () => now() })
  const app = await startTestApp({ ...stripeEnvironment(fake), CARD_TESTING_GUARD: '0' })
  now = app.now
  atEnd(async () => {
    await fake.close()
    expect(fake.problems).toEqual([])
  })
  await guardTables(app)
  // A mandate names the address of the payer.
  const browser: Client = { call: (path, call) => app.call(path, { ...call, from: '203.0.113.7' }) }

  async function newWorld(): Promise<StripeWorld> {
    const merchant = await app.newMerchant()
    const methods = ['CARD', 'IDEAL', 'DIRECT_DEBIT']
    const { id: processor } = await connectStripe(app, merchant, fake, { methods })
    return {
      app,
      fake,
      merchant,
      client: openPaymentsClient(app, merchant),
      async payLink(amount, type, token) {
        const options = { amount: formatAmount(amount), currency: 'EUR', account: ADA }
        const link = await newLink(merchant, options)
        const payer = await openPayerClient(browser, link.id)
        const pay: PaidLink['payAgain'] = async (chosen, given) => {
          const payment_method = {
            type: chosen,
            processor,
            ...(given !== undefined && { token: given }),
          }
          const { status, json, text } = await payer.submit({ payment_method, account: ADA })
          expect(status, text).toBe(200)
          const intent = [...fake.account.intents.keys()].at(-1) as string
          return { outcome: json.outcome, intent, bank: json.action?.url ?? '', payAgain: pay }
        }
        return pay(type, token)
      },
    }
  }
  return { app, newWorld, putAway: deleteMerchantData }
}

/** Compares every payment of the merchant with the model, and both books with each other. */
export async function expectSamePayments(model: StripeModel, world: StripeWorld): Promise<void> {
  const { merchant, fake, app } = world
  const { json } = await merchant.api('/payments?limit=100')
  const shown = json.payments.map((payment: Json) => [
    payment.gateway_reference,
    payment.status,
    payment.surplus,
    {
      refunded: payment.refunded_amount,
      disputed: payment.disputed_amount,
      refundable: payment.refundable_amount,
    },
  ])
  const expected = model.payments.map((payment) => [
    payment.intent,
    payment.status,
    payment.surplus,
    mapValues(amountsOf(payment), formatAmount),
  ])
  expect(inOrder(shown)).toEqual(inOrder(expected))
  expectInvariants(
    await readLedger({ app, merchant }, async (_db, operations) =>
      booksOf(fake.account, new Map(), new Set(operations)),
    ),
  )
}

const inOrder = (rows: unknown[][]) =>
  rows.toSorted(([one], [other]) => String(one).localeCompare(String(other)))

function mapValues<Value, Mapped>(from: Record<string, Value>, map: (value: Value) => Mapped) {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, map(value)]))
}
