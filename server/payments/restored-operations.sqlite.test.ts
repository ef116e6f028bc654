import { afterAll, describe, expect, it } from 'vitest'
import { prepareAfterRestore } from '../admin/after-restore.ts'
import { startTestApp } from '../../test/app.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { ABOUT_PAYMENT } from '../../test/processor-operation.ts'
import { connectStripe } from '../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'
import { type Fault, startStripeFake } from '../../test/stripe-fake/start.ts'
import { reconcileDue } from './reconcile.ts'

const HOUR_MS = 3_600_000
const clock = { now: Date.now }
const fake = await startStripeFake({ now: () => clock.now() })
const app = await startTestApp(stripeEnvironment(fake))
clock.now = app.now
const { deps } = app.checkstand
const { processor } = await connectStripe(app, app.merchant, fake)
const client = openPaymentsClient(app)

const confirm = 'POST /v1/payment_intents/{intent}/confirm'

/** Puts the database back to before any entry about the operations, as a backup taken then would. */
async function restore(): Promise<void> {
  await deps.db.deleteFrom('processor_operations').execute()
  await prepareAfterRestore(deps)
  app.pass(HOUR_MS)
}

const newPayment = (card = '4242424242424242') => ({
  amount: '10.00',
  currency: 'GBP',
  payment_method: { type: 'CARD', token: fake.card(card) },
})

async function pay(fault?: Fault) {
  if (fault) fake.fault(confirm, fault, 3)
  const response = await client.send(newPayment())
  expect(response.status, response.text).toBe(200)
  return response.json.payment
}

const newestIntent = () => [...fake.account.intents.values()].at(-1)

afterAll(async () => {
  await fake.close()
  expect(fake.problems).toEqual([])
})

describe('after a restore to before the processor was called', () => {
  it('records a payment that was taken', async () => {
    const { id, status } = await pay('LOST_AFTER')
    expect(status).toBe('UNRESOLVED')
    await restore()
    await reconcileDue(deps)
    expect(await client.read(id)).toMatchObject({ status: 'SUCCESS' })
    expect((await client.refund(id)).status).toBe(200)
  })

  it('cancels a payment that was not confirmed', async () => {
    const { id } = await pay('LOST_BEFORE')
    await restore()
    await reconcileDue(deps)
    expect(await client.read(id)).toMatchObject({ status: 'DECLINE' })
    expect(newestIntent()?.status).toBe('canceled')
  })

  it('cancels the payment of a payer who never came back from the bank', async () => {
    fake.fault('POST /v1/payment_intents', 'LOST_BEFORE', 3)
    const { payment } = (await client.send(newPayment())).json
    const { id: operation } = await deps.db
      .selectFrom('attempts')
      .select('id')
      .where('payment_id', '=', payment.id)
      .executeTakeFirstOrThrow()
    const asked = await processor.pay({
      ...ABOUT_PAYMENT,
      operation,
      merchant: app.merchant.instance.id,
      amount: 1000,
      currency: 'GBP',
      method: { kind: 'NEW', type: 'CARD', token: fake.card('4000002500003155') },
      store: false,
      return_url: 'http://127.0.0.1/return',
    })
    if (asked.status !== 'ACTION') throw new Error(`it is ${asked.status}`)
    await deps.db
      .updateTable('attempts')
      .set({ state: 'ACTION', action_url: asked.url })
      .where('id', '=', operation)
      .execute()
    await restore()
    await reconcileDue(deps)
    expect(await client.read(payment.id)).toMatchObject({ status: 'DECLINE' })
    fake.confirm(asked.url, 'approve')
    expect(newestIntent()?.status).toBe('canceled')
  })

  it.each([
    ['LOST_AFTER', 'SUCCESS', 1000],
    ['LOST_BEFORE', 'DECLINED', 0],
  ] as const)('finds a refund whose call met %s: %s', async (fault, status, refunded) => {
    const { id } = await pay()
    fake.fault('POST /v1/refunds', fault, 3)
    const { refund } = (await client.refund(id)).json
    expect(refund.status).toBe('UNRESOLVED')
    await restore()
    await reconcileDue(deps)
    const { json } = await app.merchant.api(`/refunds/${refund.id}`)
    expect(json.refund.status).toBe(status)
    const charge = fake.account.charges.get(newestIntent()?.latest_charge ?? '')
    expect(charge?.amount_refunded).toBe(refunded)
  })

  it.each([
    ['LOST_AFTER', 'SUCCESS', 'succeeded'],
    ['LOST_BEFORE', 'DECLINE', 'requires_capture'],
  ] as const)('finds a capture whose call met %s: %s', async (fault, status, state) => {
    const { id } = (await client.send({ ...newPayment(), action: 'AUTH' })).json.payment
    fake.fault('POST /v1/payment_intents/{intent}/capture', fault, 3)
    const { capture } = (await client.capture(id)).json
    expect(capture.status).toBe('UNRESOLVED')
    await restore()
    await reconcileDue(deps)
    expect(await client.read(capture.id)).toMatchObject({ status })
    expect(newestIntent()?.status).toBe(state)
  })
})
