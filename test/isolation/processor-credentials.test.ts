import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { reconcileDue } from '../../server/payments/reconcile.ts'
import { type Merchant, startTestApp, type TestApp } from '../app.ts'
import { atEnd } from '../at-end.ts'
import { CARDS } from '../cards.ts'
import { newLink, openPayerClient } from '../payer-client.ts'
import { errorSummary, openPaymentsClient } from '../payments-client.ts'
import { connectStripe } from '../stripe-fake/connect.ts'
import { stripeEnvironment } from '../stripe-fake/environment.ts'
import { startStripeFake, type StripeFake } from '../stripe-fake/start.ts'
import { deliverRequest, readWireRequest } from '../stripe-fake/wire.ts'

/** Two merchants of one server, each with an account of Stripe of their own. */

interface Shop {
  merchant: Merchant
  fake: StripeFake
  /** The connection's id. */
  processor: string
}

/** One address for several accounts, as Stripe has: the key selects the account. */
async function startStripe(fakes: readonly StripeFake[]) {
  const unknown: string[] = []
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { authorization = '' } = request.headers
    const fake = fakes.find(({ secretKey }) => authorization === `Bearer ${secretKey}`)
    if (!fake) {
      unknown.push(authorization)
      return void response.writeHead(401).end('{"error":{"type":"invalid_request_error"}}')
    }
    const { status, text } = await deliverRequest(fake, await readWireRequest(request))
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  }
  const server = createServer((request, response) => {
    // An answer that the fake loses is lost here as well.
    forward(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  atEnd(() => server.close().closeAllConnections())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, unknown }
}

async function startShops(): Promise<{ app: TestApp; shops: [Shop, Shop]; unknown: string[] }> {
  // The clock of a test app.
  const now = () => Date.parse('2030-05-01T12:00:00.000Z')
  const fakes = [
    await startStripeFake({ name: 'First', now }),
    await startStripeFake({ name: 'Second', now }),
  ] as const
  for (const fake of fakes) atEnd(() => fake.close())
  const { url, unknown } = await startStripe(fakes)
  const app = await startTestApp(stripeEnvironment({ url }))
  const open = async (fake: StripeFake): Promise<Shop> => {
    const merchant = await app.newMerchant()
    const { id } = await connectStripe(app, merchant, fake)
    return { merchant, fake, processor: id }
  }
  return { app, shops: [await open(fakes[0]), await open(fakes[1])], unknown }
}

/** Everything that asks Stripe for something. */
async function trade(app: TestApp, { merchant, fake, processor }: Shop): Promise<void> {
  const { pay, refund, capture, release } = openPaymentsClient(app, merchant)
  const card = (number = CARDS.approve) => ({ processor, token: fake.card(number) })
  const paid = await pay(undefined, { payment_method: card() })
  expect((await refund(paid.id, { amount: '1.00' })).status).toBe(200)
  const reserved = await pay(undefined, { action: 'AUTH', payment_method: card() })
  expect((await capture(reserved.id, { amount: '2.00' })).status).toBe(200)
  const another = await pay(undefined, { action: 'AUTH', payment_method: card() })
  expect((await release(another.id)).status).toBe(200)
  fake.fault('POST /v1/payment_intents/{intent}/confirm', 'LOST_AFTER', 3)
  expect((await pay(undefined, { payment_method: card() })).status).toBe('UNRESOLVED')
  const { id } = await newLink(merchant)
  const payer = await openPayerClient(app, id)
  const submitted = await payer.submit({ payment_method: { type: 'CARD', ...card() } })
  expect(submitted.json.outcome).toBe('COMPLETED')
  const challenged = await newLink(merchant)
  const away = await openPayerClient(app, challenged.id)
  const payment_method = { type: 'CARD', ...card('4000002760003184') }
  expect((await away.submit({ payment_method })).json.outcome).toBe('ACTION')
}

it("uses a merchant's credentials for this merchant's payments only", async () => {
  const { app, shops, unknown } = await startShops()
  await Promise.all(shops.map((shop) => trade(app, shop)))
  // What had no response, and the payer who left, are asked about by a job for all merchants.
  app.pass(3_600_000)
  await reconcileDue(app.checkstand.deps)
  for (const { merchant, fake, processor } of shops) {
    const attempts = await app.checkstand.deps.db
      .selectFrom('attempts')
      .innerJoin('transactions', 'transactions.id', 'attempts.transaction_id')
      .select(['attempts.id', 'attempts.state', 'attempts.kind', 'attempts.processor'])
      .where('transactions.instance_id', '=', merchant.instance.id)
      .execute()
    expect(attempts.map(({ state }) => state)).toEqual(attempts.map(() => 'DONE'))
    expect(new Set(attempts.map((attempt) => attempt.processor))).toEqual(new Set([processor]))
    const payments = attempts.filter(({ kind }) => kind === 'PAY' || kind === 'AUTHORISE')
    const known = [...fake.account.intents.values()].map(({ metadata }) =>
      String(metadata['operation']),
    )
    expect(known.toSorted()).toEqual(payments.map(({ id }) => id).toSorted())
    expect(fake.requests.map(({ headers }) => headers.authorization)).toEqual(
      fake.requests.map(() => `Bearer ${fake.secretKey}`),
    )
    expect(fake.problems).toEqual([])
  }
  expect(unknown).toEqual([])
})

it("refuses another merchant's processor, and asks it for nothing", async () => {
  const { app, shops } = await startShops()
  const [own, other] = shops
  const token = other.fake.card(CARDS.approve)
  const response = await openPaymentsClient(app, own.merchant).send({
    amount: '10.00',
    currency: 'EUR',
    payment_method: { processor: other.processor, token },
  })
  expect(errorSummary(response).slice(0, 2)).toEqual([400, 'INVALID_REQUEST'])
  const { id } = await newLink(own.merchant)
  const payer = await openPayerClient(app, id)
  const payment_method = { type: 'CARD', processor: other.processor, token }
  expect((await payer.submit({ payment_method })).status).toBe(400)
  expect([...own.fake.requests, ...other.fake.requests]).toEqual([])
})

it("uses no adapter for a row that names another merchant's connection", async () => {
  const { app, shops } = await startShops()
  const [own, other] = shops
  const { processors } = app.checkstand.deps
  const instance_id = own.merchant.instance.id
  expect(await processors.get({ processor: other.processor, instance_id })).toBeUndefined()
  expect(await processors.get({ processor: own.processor, instance_id })).toMatchObject({
    id: own.processor,
  })
})
