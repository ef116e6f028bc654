import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, vi } from 'vitest'
import { type Account, account } from '../shared/schemas/account.ts'
import type { Event } from '../shared/schemas/event.ts'
import { inTransaction } from '../server/db/transaction.ts'
import type { EventType } from '../server/events/event-types.ts'
import { recordEvent } from '../server/events/record-event.ts'
import type { HttpClient } from '../server/outbound/http-client.ts'
import { createDeliverer } from '../server/webhooks/deliver.ts'
import { fanOutEvents } from '../server/webhooks/fan-out.ts'
import type { ApiResponse, Merchant, TestApp } from './app.ts'
import type { Json } from './payments-client.ts'

/** Settings of a server whose test instances may send webhooks to `startReceiver`. */
export const LOCAL_RECEIVERS = { OUTBOUND_ALLOW: '127.0.0.1/32, ::1/128' }

/** One request as it arrived. */
export interface Received {
  path: string
  headers: Record<string, string>
  body: string
  event: Event
}

export interface Receiver {
  url: string
  received: Received[]
  /** Ids of the events that came, in the order in which they did. */
  ids: () => string[]
  /** Returns the newest request. */
  last: () => Received
  /** Sets how requests are answered from now on: a status, or a function. */
  answer: (how: number | ((response: ServerResponse, request: Received) => void)) => void
  /**
   * Holds all responses. Returns a function that sends them with `status`; later requests are
   * answered with 204.
   */
  hold: (status?: number) => () => void
  /** Resolves when that many requests have come. */
  until: (count: number) => Promise<void>
  close: () => void
}

/** Opens a receiver that is closed after the tests of a file. */
export async function startReceiver(): Promise<Receiver> {
  const receiver = await openReceiver()
  afterAll(receiver.close)
  return receiver
}

/** A merchant's receiver on this machine. It responds with 204 until `answer` is called. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = []
  const waiting: { count: number; resolve: () => void }[] = []
  let how: Parameters<Receiver['answer']>[0] = 204
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const { event } = JSON.parse(body) as { event: Event }
      const headers = incoming.headers as Record<string, string>
      const request = { path: incoming.url ?? '', headers, body, event }
      received.push(request)
      if (typeof how === 'number') response.writeHead(how).end()
      else how(response, request)
      for (const { count, resolve } of waiting) if (received.length >= count) resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    received,
    ids: () => received.map(({ event }) => event.id),
    last() {
      const request = received.at(-1)
      if (!request) throw new Error('nothing came')
      return request
    },
    answer: (next) => {
      how = next
    },
    hold(status = 204) {
      const held: ServerResponse[] = []
      how = (response) => held.push(response)
      return () => {
        how = 204
        for (const response of held) response.writeHead(status).end()
      }
    },
    until: (count) =>
      new Promise((resolve) => {
        if (received.length >= count) resolve()
        else waiting.push({ count, resolve })
      }),
    close() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Verifies a request with the receiver's own library, at the app's time. */
export function verified(app: TestApp, secret: string, { body, headers }: Received): unknown {
  vi.useFakeTimers({ toFake: ['Date'], now: app.now() })
  try {
    return new Webhook(secret).verify(body, headers)
  } finally {
    vi.useRealTimers()
  }
}

/** Makes a webhook by the API, and answers it with its secret. */
export async function newWebhook(
  merchant: Merchant,
  url: string,
  more: Record<string, unknown> = {},
): Promise<Json> {
  const instance_webhook = { url, events: ['*'], ...more }
  const { json } = await merchant.api('/instance_webhooks', { body: { instance_webhook } })
  return json.instance_webhook
}

/** A merchant whose one webhook leads to a receiver of its own. */
export interface Listener {
  merchant: Merchant
  receiver: Receiver
  /** As it was created, with its secret. */
  webhook: Json
  /** Records an event of the merchant and sends every due delivery. Returns the id of the event. */
  notify: () => Promise<string>
  /** Returns the current webhook. */
  read: () => Promise<Json>
  change: (members: Record<string, unknown>) => Promise<ApiResponse>
  replay: (replay: Record<string, unknown>) => Promise<ApiResponse>
  /** Returns the deliveries of the webhook, newest first. */
  deliveries: () => Promise<Json[]>
}

/** Starts a receiver for a new merchant; `more` overrides members of the webhook. */
export async function newListener(
  app: TestApp,
  more: Record<string, unknown> = {},
): Promise<Listener> {
  const [merchant, receiver] = [await app.newMerchant(), await startReceiver()]
  const webhook = await newWebhook(merchant, receiver.url, more)
  const path = `/instance_webhooks/${webhook.id}`
  return {
    merchant,
    receiver,
    webhook,
    async notify() {
      const id = await happen(app, merchant)
      await deliverAll(app)
      return id
    },
    read: async () => (await merchant.api(path)).json.instance_webhook,
    change: (instance_webhook) => merchant.api(path, { method: 'PUT', body: { instance_webhook } }),
    replay: (replay) => merchant.api(`${path}/replay`, { body: { replay } }),
    deliveries: async () => (await merchant.api(`${path}/deliveries`)).json.deliveries,
  }
}

/** The data of an event about an account, with the given members. */
export function accountWith(members: Partial<Account> = {}): { account: Account } {
  const blank = Object.fromEntries(Object.keys(account.shape).map((name) => [name, null]))
  const created = '2030-05-01T12:00:00.000Z'
  const status = { status: 'ACTIVE', mail_notices: true }
  const own = { id: 'acc_1_a', crm_key: 'c-1', metadata: {}, ...status, v: 1 }
  return { account: { ...blank, ...own, created, updated: created, ...members } as Account }
}

/** Changes a merchant's records. Returns the id of the event. */
export async function happen(
  app: TestApp,
  merchant: Merchant,
  type: EventType = 'account.created',
  data: Record<string, unknown> = accountWith(),
): Promise<string> {
  const { db } = app.checkstand.deps
  const instanceId = merchant.instance.id
  return inTransaction(db, async (tx) => {
    const ids = async () => {
      const query = tx.selectFrom('events').select('id').where('instance_id', '=', instanceId)
      return (await query.execute()).map(({ id }) => id)
    }
    const before = new Set(await ids())
    await recordEvent(tx, { instanceId, type, data, now: app.now() })
    return (await ids()).find((id) => !before.has(id)) as string
  })
}

/** Sends every due delivery and waits for it, also those of events that a delivery records. */
export async function deliverAll({ checkstand }: TestApp, post?: HttpClient): Promise<void> {
  const deliverer = createDeliverer(checkstand.deps, post)
  for (;;) {
    await fanOutEvents(checkstand.deps)
    if ((await deliverer.start()) === 0) return
    await deliverer.drain()
  }
}

/** Deletes the webhooks of a test, so that the next test receives its own events alone. */
export async function forgetWebhooks({ checkstand }: TestApp): Promise<void> {
  await checkstand.deps.db.deleteFrom('webhook_endpoints').execute()
}
