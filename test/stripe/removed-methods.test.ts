import { describe, expect, it } from 'vitest'
import { forgetDue } from '../../server/payment-methods/forget.ts'
import { removeDetachedMethod } from '../../server/payment-methods/remove.ts'
import { syncReversals } from '../../server/payments/sync-reversals.ts'
import { recordedEvents } from '../payments-client.ts'
import { deliver, noticeOf } from '../stripe-fake/deliver.ts'
import type { Event } from '../stripe-fake/objects.ts'
import { startStripeApp, STRIPE_CARDS } from '../stripe-fake/stripe-app.ts'

/** Methods that are removed here are detached at Stripe, and the other way round. */

const { app, fake, deps, shop, newStripeShop } = await startStripeApp()
const { api, client, connection, newAccount, saveCard, merchant } = shop

const DETACH = 'POST /v1/payment_methods/{payment_method}/detach'
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const remove = (id: string, by = api) => by(`/payment_methods/${id}`, { method: 'DELETE' })

/** Ids of the methods that a customer of Stripe has. */
const attached = () =>
  [...fake.account.methods.values()]
    .filter(({ customer }) => customer !== null)
    .map(({ id }) => id)
    .toSorted()

/** Runs the job after some time, which first sees new rows and then calls what is due. */
async function forgetAfter(ms: number): Promise<number> {
  await forgetDue(deps)
  app.pass(ms)
  return forgetDue(deps)
}

const waiting = () => deps.db.selectFrom('tokens_to_forget').selectAll().execute()

const newestMethod = () => [...fake.account.methods.keys()].at(-1) as string

const readMethod = async (id: string) => (await api(`/payment_methods/${id}`)).json.payment_method

describe('a method that a merchant removes', () => {
  it('is detached at Stripe, after calls that may charge it have ended', async () => {
    const before = attached()
    const { payment_method } = await saveCard(await newAccount())
    expect(attached()).toHaveLength(before.length + 1)
    expect((await remove(payment_method)).status).toBe(204)
    expect(await forgetAfter(MINUTE_MS)).toBe(0)
    expect(attached()).toHaveLength(before.length + 1)
    expect(await forgetAfter(5 * MINUTE_MS)).toBe(1)
    expect(attached()).toEqual(before)
    expect(await waiting()).toEqual([])
  })

  it('is removed at once while Stripe does not answer, and detached when it does', async () => {
    const before = attached()
    const { payment_method } = await saveCard(await newAccount())
    fake.fault(DETACH, '500_BEFORE', 1000)
    expect((await remove(payment_method)).status).toBe(204)
    expect(await forgetAfter(6 * MINUTE_MS)).toBe(0)
    expect(await waiting()).toMatchObject([{ tries: 1 }])
    expect(await forgetAfter(2 * DAY_MS)).toBe(0)
    expect(app.logged()).toContain('"level":50')
    fake.clearFaults()
    expect(await forgetAfter(DAY_MS)).toBe(1)
    expect(attached()).toEqual(before)
  })

  it('is forgotten when Stripe does not know it any more', async () => {
    const { payment_method } = await saveCard(await newAccount())
    const [id = ''] = attached().slice(-1)
    await remove(payment_method)
    for (const method of attached()) fake.account.methods.delete(method)
    expect(fake.account.methods.has(id)).toBe(false)
    expect(await forgetAfter(6 * MINUTE_MS)).toBe(1)
    expect(await waiting()).toEqual([])
  })

  it('is detached once by two processes', async () => {
    const { payment_method } = await saveCard(await newAccount())
    await remove(payment_method)
    await forgetDue(deps)
    app.pass(6 * MINUTE_MS)
    const done = await Promise.all([forgetDue(deps), forgetDue(deps)])
    expect(done.toSorted()).toEqual([0, 1])
  })

  it('is detached when the instance has disconnected Stripe meanwhile', async () => {
    const other = await newStripeShop()
    const { payment_method } = await other.saveCard(await other.newAccount())
    await remove(payment_method, other.api)
    await deps.db
      .updateTable('processor_connections')
      .set({ status: 'DISABLED' })
      .where('id', '=', other.connection)
      .execute()
    deps.processors.invalidate({ id: other.connection, instance_id: other.merchant.instance.id })
    expect(await forgetAfter(6 * MINUTE_MS)).toBe(1)
  })
})

describe('a card that is saved again', () => {
  it('leaves one method at Stripe, which is charged', async () => {
    const account = await newAccount()
    const before = attached()
    const { payment_method } = await saveCard(account)
    expect((await saveCard(account)).payment_method).toBe(payment_method)
    expect(await forgetAfter(6 * MINUTE_MS)).toBe(1)
    expect(attached()).toHaveLength(before.length + 1)
    expect((await client.pay(undefined, { account, payment_method })).status).toBe('SUCCESS')
  })

  it('stays at Stripe when the removed method was the same', async () => {
    const account = await newAccount()
    const method = { token: fake.card(STRIPE_CARDS.approve), save: true }
    const { payment_method } = await client.pay(undefined, { account, payment_method: method })
    await remove(payment_method)
    const again = await client.pay(undefined, { account, payment_method: method })
    expect(again.status).toBe('SUCCESS')
    expect(again.payment_method).not.toBe(payment_method)
    await forgetAfter(6 * MINUTE_MS)
    expect(attached()).toContain(method.token)
    expect(await waiting()).toEqual([])
  })
})

describe('a method that is detached at Stripe', () => {
  it('is removed here, also while it is in use', async () => {
    const account = await newAccount()
    const { payment_method } = await saveCard(account, STRIPE_CARDS.mastercard)
    const due = new Date(app.now() + DAY_MS).toISOString()
    await client.pay(undefined, { account, payment_method, due })
    const { processor_token } = await deps.db
      .selectFrom('payment_methods')
      .select('processor_token')
      .where('id', '=', payment_method)
      .executeTakeFirstOrThrow()
    const token = { instance_id: merchant.instance.id, processor: connection, processor_token }
    await removeDetachedMethod(deps, token)
    await removeDetachedMethod(deps, token)
    expect(await readMethod(payment_method)).toMatchObject({ status: 'REMOVED' })
    const told = (await recordedEvents(app, merchant)).filter(
      ({ type, data }) =>
        type === 'payment_method.removed' && data.payment_method.id === payment_method,
    )
    expect(told).toHaveLength(1)
    expect(await waiting()).toEqual([])
  })

  it('is removed by the notice about it, and by the hourly read without one', async () => {
    const account = await newAccount()
    const detached = await saveCard(account)
    fake.afterwards.detach(newestMethod())
    const [event] = fake.account.events
    expect(event?.type).toBe('payment_method.detached')
    await syncReversals(deps)
    const sent = await deliver(app, connection, noticeOf(event as Event, app.now()))
    expect(sent.status).toBe(204)
    await syncReversals(deps)
    expect(await readMethod(detached.payment_method)).toMatchObject({ status: 'REMOVED' })

    const { payment_method } = await saveCard(account, STRIPE_CARDS.mastercard)
    fake.afterwards.detach(newestMethod())
    expect(await readMethod(payment_method)).toMatchObject({ status: 'ACTIVE' })
    app.pass(61 * MINUTE_MS)
    await syncReversals(deps)
    expect(await readMethod(payment_method)).toMatchObject({ status: 'REMOVED' })
  })

  it('is removed when its mandate has ended, and not while that is active', async () => {
    const { payment_method } = await saveCard(await newAccount(), STRIPE_CARDS.mastercard)
    fake.afterwards.endMandate(newestMethod())
    const [mandate] = [...fake.account.mandates.values()].slice(-1)
    Object.assign(mandate ?? {}, { status: 'active' })
    app.pass(61 * MINUTE_MS)
    await syncReversals(deps)
    expect(await readMethod(payment_method)).toMatchObject({ status: 'ACTIVE' })
    fake.afterwards.endMandate(newestMethod())
    app.pass(61 * MINUTE_MS)
    await syncReversals(deps)
    expect(await readMethod(payment_method)).toMatchObject({ status: 'REMOVED' })
  })

  it('of another connection is not touched', async () => {
    const { payment_method } = await saveCard(await newAccount())
    const { processor_token } = await deps.db
      .selectFrom('payment_methods')
      .select('processor_token')
      .where('id', '=', payment_method)
      .executeTakeFirstOrThrow()
    const other = await newStripeShop()
    const { instance } = other.merchant
    await removeDetachedMethod(deps, {
      instance_id: instance.id,
      processor: other.connection,
      processor_token,
    })
    expect(await readMethod(payment_method)).toMatchObject({ status: 'ACTIVE' })
  })
})
