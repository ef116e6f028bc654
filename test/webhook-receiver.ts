import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, vi } from 'vitest'
import type { Account } from '../shared/schemas/account.ts'
import type { Event } from '../shared/schemas/event.ts'
import { inTransaction } from '../server/db/transaction.ts'
import type { EventType } from '../server/events/event-types.ts'
import { recordEvent } from '../server/events/record-event.ts'
import type { Merchant, TestApp } from './app.ts'

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
  /** Sets how requests are answered from now on: a status, or a function. */
  answer: (how: number | ((response: ServerResponse, request: Received) => void)) => void
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
    answer: (next) => {
      how = next
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
  // oxlint-disable-next-line typescript/no-explicit-any -- as the answers of the harness
): Promise<any> {
  const instance_webhook = { url, events: ['*'], ...more }
  const { json } = await merchant.api('/instance_webhooks', { body: { instance_webhook } })
  return json.instance_webhook
}

/** The data of an event about an account, with the given members. */
export function accountWith(members: Partial<Account> = {}): { account: Account } {
  return {
    account: {
      id: 'acc_1_a',
      crm_key: 'c-1',
      first_name: null,
      last_name: null,
      company: null,
      email: null,
      phone: null,
      address: null,
      metadata: {},
      tags: null,
      locale: null,
      timezone: null,
      channel: null,
      division: null,
      crm: null,
      status: 'ACTIVE',
      last_transacted: null,
      last_transaction: null,
      created_session: null,
      updated_session: null,
      created: '2030-05-01T12:00:00.000Z',
      updated: '2030-05-01T12:00:00.000Z',
      v: 1,
      ...members,
    },
  }
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

/** Deletes the webhooks of a test, so that the next test receives its own events alone. */
export async function forgetWebhooks({ checkstand }: TestApp): Promise<void> {
  await checkstand.deps.db.deleteFrom('webhook_endpoints').execute()
}
