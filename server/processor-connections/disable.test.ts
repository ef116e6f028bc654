import { expect, describe, it } from 'vitest'
import { startStripeApp } from '../../test/stripe-fake/stripe-app.ts'
import { reconcileDue } from '../payments/reconcile.ts'

const { app, fake, deps, newStripeShop } = await startStripeApp()
const { processors } = deps

describe('disabling a processor', () => {
  it('ends new payments and keeps it for refunds', async () => {
    const { merchant, api, connection: id, client } = await newStripeShop()
    const payment = await client.pay(undefined, {
      payment_method: { token: fake.card('4242424242424242') },
    })
    const offered = async () =>
      (await processors.ofInstance(merchant.instance)).map((one) => one.id)
    expect(await offered()).toEqual([id])
    expect((await api(`/processors/${id}`, { method: 'DELETE' })).status).toBe(204)
    const { processor } = (await api(`/processors/${id}`)).json
    expect([processor.status, processor.v]).toEqual(['DISABLED', 2])
    expect(await offered()).not.toContain(id)
    expect((await client.refund(payment.id)).json.refund.status).toBe('SUCCESS')
    expect((await api(`/processors/${id}`, { method: 'DELETE' })).status).toBe(204)
    const { events } = (await api('/events')).json
    const types = (events as { type: string }[]).map(({ type }) => type)
    expect(types.filter((type) => type === 'processor.disabled')).toHaveLength(1)
    expect((await api(`/processors/${id}/check`, { body: {} })).json.error.type).toBe(
      'INVALID_STATE',
    )
    const { secretKey: secret_key, publishableKey: publishable_key } = fake
    const again = { name: 'stripe', secret_key, publishable_key }
    expect((await api('/processors', { body: { processor: again } })).status).toBe(200)
  })

  it('waits for payments without an outcome', async () => {
    const { api, connection: id, client } = await newStripeShop()
    const payment = await client.pay(undefined, {
      payment_method: { token: fake.card('4000000000000077') },
    })
    expect(payment.status).toBe('PENDING')
    const refused = await api(`/processors/${id}`, { method: 'DELETE' })
    expect([refused.status, refused.json.error]).toEqual([
      400,
      {
        type: 'INVALID_STATE',
        message: 'The processor has a payment or refund without an outcome',
      },
    ])
    expect((await api(`/processors/${id}`)).json.processor.status).toBe('ACTIVE')
    fake.settle()
    app.pass(86_400_000)
    await reconcileDue(deps)
    expect((await api(`/processors/${id}`, { method: 'DELETE' })).status).toBe(204)
  })
})
