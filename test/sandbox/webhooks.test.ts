import { expect, it } from 'vitest'
import { cardNumberFor } from '../cards.ts'
import {
  LOCAL_RECEIVERS,
  newWebhook,
  startReceiver,
  verified,
  deliverAll,
} from '../webhook-receiver.ts'
import { startTestApp } from '../app.ts'
import type { Json } from '../payments-client.ts'
import { DAYS_LATER_MS, SETTLE_MS, openSandboxScenario } from './sandbox-scenario.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { paymentsClient, later, read } = openSandboxScenario(app)
const receiver = await startReceiver()
const { secret } = await newWebhook(app.merchant, receiver.url, {
  events: ['refund.*', 'capture.*', 'void.*'],
})

/** Returns the type and record of each event that is delivered after `ms` milliseconds. */
async function hearAfter(ms: number): Promise<[type: string, record: Json][]> {
  const heard = receiver.received.length
  await later(ms)
  await deliverAll(app)
  return receiver.received.slice(heard).map((request) => {
    const { event } = verified(app, secret, request) as Json
    return [event.type, Object.values(event.data)[0]]
  })
}

it('a webhook receives a refund that is accepted, and days later that it failed', async () => {
  const payment = await paymentsClient.pay(cardNumberFor('REFUND_FAILURE_DAYS_LATER'))
  const { refund } = (await paymentsClient.refund(payment.id)).json
  expect(await hearAfter(0)).toEqual([['refund.pending', refund]])
  expect(await hearAfter(DAYS_LATER_MS - 1)).toEqual([])
  expect(await hearAfter(1)).toEqual([['refund.declined', await read('refunds', refund.id)]])
})

it('a webhook receives a capture that is pending, and that it failed', async () => {
  const auth = await paymentsClient.authorise(cardNumberFor('CAPTURE_PENDING_THEN_FAILURE'))
  const { capture } = (await paymentsClient.capture(auth.id)).json
  expect(await hearAfter(0)).toEqual([['capture.pending', capture]])
  expect(await hearAfter(SETTLE_MS)).toEqual([
    ['capture.decline', await paymentsClient.read(capture.id)],
  ])
})

it('a webhook receives a void that is pending, and that it failed', async () => {
  const auth = await paymentsClient.authorise(cardNumberFor('VOID_PENDING_THEN_FAILURE'))
  const released = (await paymentsClient.release(auth.id)).json.void
  expect(await hearAfter(0)).toEqual([['void.pending', released]])
  expect(await hearAfter(SETTLE_MS)).toEqual([['void.declined', await read('voids', released.id)]])
})
