import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { connectStripe, warmUp } from '../../test/stripe-fake/connect.ts'
import { stripeEnvironment } from '../../test/stripe-fake/environment.ts'
import { startStripeFake } from '../../test/stripe-fake/start.ts'
import { encrypt } from '../encryption.ts'
import { secretPurpose } from '../processors/connect.ts'
import { readEncryptionKeys } from '../processors/encryption-keys.ts'

const fake = await startStripeFake()
await warmUp(fake)
const app = await startTestApp(stripeEnvironment(fake))
const { db, processors } = app.checkstand.deps
afterAll(() => fake.close())

const revoked = { ...fake, secretKey: 'sk_test_51Revoked0Key' }

async function connect(by: Pick<typeof fake, 'secretKey' | 'publishableKey'>) {
  const merchant = await app.newMerchant()
  const { id, processor } = await connectStripe(app, merchant, by)
  const read = async () => (await merchant.api(`/processors/${id}`)).json.processor
  const offered = async () => (await processors.ofInstance(merchant.instance)).map((one) => one.id)
  const failures = async () =>
    (
      await db
        .selectFrom('processor_connections')
        .select('failures')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).failures
  /** Asks Stripe something, whatever it answers. */
  const call = () => processor.forget?.('cus_1:pm_unknown').catch(() => {})
  return { merchant, id, processor, read, offered, failures, call }
}

describe('a key that the processor refuses', () => {
  it('five times in a row breaks the connection, which is told once', async () => {
    const { merchant, id, read, offered, call } = await connect(revoked)
    for (let n = 1; n <= 4; n += 1) await call()
    expect([(await read()).status, await offered()]).toEqual(['ACTIVE', [id]])
    await call()
    expect([(await read()).status, await offered()]).toEqual(['BROKEN', []])
    await call()
    const { events } = (await merchant.api('/events')).json
    expect(events).toEqual([
      expect.objectContaining({
        type: 'processor.broken',
        data: { processor: expect.objectContaining({ id, status: 'BROKEN', v: 2 }) },
      }),
    ])
    expect(app.logged()).toContain('a processor refuses its key')
  })

  it('still serves what is asked about open payments', async () => {
    const { merchant, id, call } = await connect(revoked)
    for (let n = 1; n <= 5; n += 1) await call()
    const kept = await processors.get({ processor: id, instance_id: merchant.instance.id })
    expect(kept?.id).toBe(id)
  })

  it('leaves the sandbox closed, and no link can be made', async () => {
    const { merchant, call } = await connect(revoked)
    for (let n = 1; n <= 5; n += 1) await call()
    const { status, json } = await merchant.api('/payment_links', { body: { payment_link: {} } })
    expect([status, json.error.type]).toEqual([400, 'INVALID_STATE'])
  })

  it('is active again after a check with an accepted key', async () => {
    const { merchant, id, read, offered } = await connect(fake)
    await db
      .updateTable('processor_connections')
      .set({ status: 'BROKEN', failures: 5 })
      .where('id', '=', id)
      .execute()
    processors.invalidate({ id, instance_id: merchant.instance.id })
    expect(await offered()).toEqual([])
    const { status } = await merchant.api(`/processors/${id}/check`, { body: {} })
    expect([status, (await read()).status, await offered()]).toEqual([200, 'ACTIVE', [id]])
  })

  it('is broken at once by a check', async () => {
    const { merchant, id } = await connect(revoked)
    const { json } = await merchant.api(`/processors/${id}/check`, { body: {} })
    expect(json.processor.status).toBe('BROKEN')
  })

  it('is replaced by an accepted one, and takes payments again', async () => {
    const { merchant, id, offered, call } = await connect(revoked)
    for (let n = 1; n <= 5; n += 1) await call()
    const processor = { secret_key: fake.secretKey }
    const changed = await merchant.api(`/processors/${id}`, { method: 'PUT', body: { processor } })
    expect([changed.json.processor.status, await offered()]).toEqual(['ACTIVE', [id]])
  })
})

describe('a key that lacks a permission', () => {
  const DETACH = 'POST /v1/payment_methods/{payment_method}/detach'
  const CREATE = 'POST /v1/payment_intents'
  afterEach(() => fake.clearFaults())

  it('for something else than payments stays, however often Stripe refuses that', async () => {
    const { failures, read, offered, id, call } = await connect(fake)
    fake.fault(DETACH, 'FORBIDDEN', 10)
    for (let n = 1; n <= 6; n += 1) await call()
    expect([await failures(), (await read()).status, await offered()]).toEqual([0, 'ACTIVE', [id]])
  })

  it('for payments is broken after five, whatever else Stripe accepts meanwhile', async () => {
    const { merchant, read, call } = await connect(fake)
    const client = openPaymentsClient(app, merchant)
    fake.fault(CREATE, 'FORBIDDEN', 10)
    for (let n = 1; n <= 5; n += 1) {
      expect((await read()).status).toBe('ACTIVE')
      const payment = await client.pay(undefined, {
        payment_method: { token: fake.card('4242424242424242') },
      })
      expect(payment.status).toBe('DECLINE')
      await call()
    }
    expect((await read()).status).toBe('BROKEN')
  })

  it('to be checked keeps its state', async () => {
    const { merchant, id, read } = await connect(fake)
    fake.fault('GET /v1/account', 'FORBIDDEN')
    const { status, json } = await merchant.api(`/processors/${id}/check`, { body: {} })
    expect([status, json.error.message]).toEqual([
      400,
      'The key is not accepted by Stripe: it must be allowed to read the account',
    ])
    expect((await read()).status).toBe('ACTIVE')
  })
})

describe('an accepted call', () => {
  it('ends the row of refused ones, also when the processor refuses what was asked', async () => {
    const { merchant, id, failures, call } = await connect(revoked)
    for (let n = 1; n <= 4; n += 1) await call()
    expect(await failures()).toBe(4)
    const keys = readEncryptionKeys(app.checkstand.deps.config)
    if (!keys) throw new Error('the server has a key')
    // The adapter that is in use keeps the old key until the version changes.
    await db
      .updateTable('processor_connections')
      .set({ secret_key: encrypt(keys, fake.secretKey, secretPurpose({ id }, 'secret_key')), v: 2 })
      .where('id', '=', id)
      .execute()
    const row = { processor: id, instance_id: merchant.instance.id }
    processors.invalidate({ id, instance_id: row.instance_id })
    const again = await processors.get(row)
    await again?.forget?.('cus_1:pm_unknown')
    expect(await failures()).toBe(0)
  })
})
