import { afterEach, describe, expect, it } from 'vitest'
import { inTransaction } from '../db/transaction.ts'
import { recordEvent } from '../events/record-event.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { fanOutEvents } from './fan-out.ts'
import { forgetWebhooks, happen, newWebhook } from '../../test/webhook-receiver.ts'

const app = await startTestApp()
const { deps } = app.checkstand
afterEach(() => forgetWebhooks(app))
const URL = 'https://shop.example/hooks'

const deliveriesTo = async (
  merchant: Merchant,
  id: string,
): Promise<{ event: string; created: string }[]> =>
  (await merchant.api(`/instance_webhooks/${id}/deliveries?limit=1000`)).json.deliveries

describe('an event', () => {
  it('is delivered once to every enabled webhook that subscribes to it', async () => {
    const merchant = await app.newMerchant()
    const all = await newWebhook(merchant, URL)
    const kind = await newWebhook(merchant, URL, { events: ['refund.*', 'account.created'] })
    const other = await newWebhook(merchant, URL, { events: ['payment.*'] })
    const disabled = await newWebhook(merchant, URL, { enabled: false })
    const event = await happen(app, merchant, 'account.created')
    expect(await fanOutEvents(deps)).toBe(1)
    expect(await fanOutEvents(deps)).toBe(0)
    for (const [webhook, expected] of [
      [all, [event]],
      [kind, [event]],
      [other, []],
      [disabled, []],
    ]) {
      const found = await deliveriesTo(merchant, webhook.id)
      expect(found.map((delivery) => delivery.event)).toEqual(expected)
    }
  })

  it('has a waiting delivery without an attempt', async () => {
    const merchant = await app.newMerchant()
    const { id } = await newWebhook(merchant, URL)
    const event = await happen(app, merchant)
    await fanOutEvents(deps)
    const now = new Date(app.now()).toISOString()
    expect(await deliveriesTo(merchant, id)).toEqual([
      {
        id: expect.stringMatching(/^dlv_[0-9]+_[0-9a-z]{16}$/),
        event,
        type: 'account.created',
        instance_webhook: id,
        status: 'WAITING',
        attempts: 0,
        last_attempt: null,
        next_attempt: now,
        response_status: null,
        error: null,
        delivered: null,
        created: now,
        updated: now,
      },
    ])
  })

  it('is fanned out once by two concurrent processes', async () => {
    const merchants = await Promise.all([1, 2, 3].map(() => app.newMerchant()))
    const webhooks = await Promise.all(
      merchants.flatMap((merchant) => [newWebhook(merchant, URL), newWebhook(merchant, URL)]),
    )
    for (let i = 0; i < 90; i += 1) {
      await Promise.all(merchants.map((merchant) => happen(app, merchant)))
    }
    const handed = await Promise.all([1, 2, 3].map(() => fanOutEvents(deps)))
    expect(handed.reduce((sum, count) => sum + count, 0)).toBe(270)
    for (const [at, { id }] of webhooks.entries()) {
      const found = await deliveriesTo(merchants[at >> 1] as Merchant, id)
      expect(new Set(found.map(({ event }) => event)).size).toBe(90)
      expect(found).toHaveLength(90)
    }
  })

  it('does not wait for all events of another merchant', async () => {
    const [many, few] = [await app.newMerchant(), await app.newMerchant()]
    const [busy, quiet] = [await newWebhook(many, URL), await newWebhook(few, URL)]
    for (let n = 0; n < 80; n += 1) await happen(app, many)
    await happen(app, few)
    // A clock that gives each transaction a distinct, increasing time.
    let turn = 0
    await fanOutEvents({ ...deps, now: () => app.now() + (turn += 1) })
    const turnsOf = async (merchant: Merchant, id: string) =>
      (await deliveriesTo(merchant, id)).map(({ created }) => Date.parse(created) - app.now())
    const [ofMany, ofFew] = [await turnsOf(many, busy.id), await turnsOf(few, quiet.id)]
    expect([ofMany.length, ofFew.length]).toEqual([80, 1])
    expect(Math.max(...ofMany)).toBe(5)
    expect(ofFew[0]).toBeLessThanOrEqual(2)
  })

  it('that cannot be fanned out does not stop those of other merchants', async () => {
    const merchants = await Promise.all([1, 2, 3, 4, 5, 6].map(() => app.newMerchant()))
    for (const merchant of merchants) {
      await newWebhook(merchant, URL)
      // More than are handed out in one go.
      for (let n = 0; n < 30; n += 1) await happen(app, merchant)
    }
    const [broken, ...others] = merchants.map(({ instance }) => instance.id)
    const patterns = (events: string) =>
      deps.db
        .updateTable('webhook_endpoints')
        .set({ events })
        .where('instance_id', '=', broken as string)
        .execute()
    const waiting = async () => {
      const events = deps.db.selectFrom('events').select('instance_id').where('fan_out', '=', 1)
      return new Set((await events.execute()).map(({ instance_id }) => instance_id))
    }
    await patterns('no list')
    expect(await waiting()).toEqual(new Set([broken, ...others]))
    await expect(fanOutEvents(deps)).rejects.toThrow('not valid JSON')
    expect(await waiting()).toEqual(new Set([broken]))
    await patterns('["*"]')
    expect(await fanOutEvents(deps)).toBe(30)
  })

  it('of a transaction that is rolled back does not exist', async () => {
    const merchant = await app.newMerchant()
    const { id } = await newWebhook(merchant, URL)
    const undone = inTransaction(deps.db, async (tx) => {
      const { id: instanceId } = merchant.instance
      await recordEvent(tx, { instanceId, type: 'account.created', data: {}, now: app.now() })
      throw new Error('undone')
    })
    await expect(undone).rejects.toThrow('undone')
    expect(await fanOutEvents(deps)).toBe(0)
    expect(await deliveriesTo(merchant, id)).toEqual([])
    expect((await merchant.api('/events')).json.events).toEqual([])
  })
})
