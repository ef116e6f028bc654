import { sql } from 'kysely'
import { afterEach, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { createDeliverer } from './deliver.ts'
import { fanOutEvents } from './fan-out.ts'
import {
  LOCAL_RECEIVERS,
  forgetWebhooks,
  happen,
  newWebhook,
  startReceiver,
} from '../../test/webhook-receiver.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand
const { db } = deps
afterEach(() => forgetWebhooks(app))

const waitingIn = async ({ instance }: Merchant) => {
  const events = db.selectFrom('events').select('id').where('fan_out', '=', 1)
  return (await events.where('instance_id', '=', instance.id).execute()).length
}

/** Two merchants with a webhook and an event each, and the one receiver of both. */
async function twoMerchants() {
  const receiver = await startReceiver()
  const [held, other] = [await app.newMerchant(), await app.newMerchant()]
  for (const merchant of [held, other]) {
    await newWebhook(merchant, receiver.url)
    await happen(app, merchant)
  }
  return { receiver, held, other }
}

it('events that a hanging process has locked do not delay other merchants', async () => {
  const { held, other } = await twoMerchants()
  await db.transaction().execute(async (tx) => {
    await sql`update events set fan_out = 0 where instance_id = ${held.instance.id}`.execute(tx)
    expect(await fanOutEvents(deps)).toBe(1)
    expect(await waitingIn(other)).toBe(0)
  })
  const { held: died } = await twoMerchants()
  const undone = db.transaction().execute(async (tx) => {
    await sql`update events set fan_out = 0 where instance_id = ${died.instance.id}`.execute(tx)
    await fanOutEvents(deps)
    throw new Error('died')
  })
  await expect(undone).rejects.toThrow('died')
  expect(await waitingIn(died)).toBe(1)
  expect(await fanOutEvents(deps)).toBe(1)
})

it('deliveries that a hanging process has locked do not delay other webhooks', async () => {
  const { receiver, held } = await twoMerchants()
  await fanOutEvents(deps)
  const deliverer = createDeliverer(deps)
  await db.transaction().execute(async (tx) => {
    await sql`select id from deliveries where instance_id = ${held.instance.id} for update`.execute(
      tx,
    )
    expect(await deliverer.start()).toBe(1)
  })
  expect(await deliverer.start()).toBe(1)
  await deliverer.drain()
  expect(receiver.received).toHaveLength(2)
})
