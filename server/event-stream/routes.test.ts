import { describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { inTransaction } from '../db/transaction.ts'
import { isSqlite } from '../db/dialect.ts'
import { basic, BASE } from '../../test/client.ts'
import { happen, LOCAL_RECEIVERS } from '../../test/webhook-receiver.ts'
import { recordEvent } from '../events/record-event.ts'
import { lastEventId } from './last-event-id.ts'
import {
  findEndOfEvents,
  findPlace,
  type Place,
  readEventsAfter,
  resetForeignPositions,
} from './store.ts'

const app = await startTestApp(LOCAL_RECEIVERS)
const { deps } = app.checkstand

const path = (merchant: Merchant, query = '') =>
  `/c/api/instances/${merchant.instance.key}/events/stream${query}`

/** Returns the ids and data of the messages of a stream. */
function messagesOf(text: string): { id: string; data: { id: string; type: string } }[] {
  return [...text.matchAll(/^data: (.*)\nid: (.*)$/gm)].map(([, data = '', id = '']) => ({
    id,
    data: JSON.parse(data) as { id: string; type: string },
  }))
}

/**
 * On PostgreSQL an event waits until every earlier transaction of the server has ended, and other tests
 * have transactions on it.
 */
const eventually = (read: () => Promise<string[]>) => expect.poll(read, { timeout: 30_000 })

/** Reads what is behind an event, without waiting for more. */
async function readBehind(merchant: Merchant, id: string, query = ''): Promise<string[]> {
  const { text, status } = await merchant.api(`/events/stream?follow=false${query}`, {
    headers: { 'last-event-id': id },
  })
  expect(status, text).toBe(200)
  return messagesOf(text).map((message) => message.id)
}

/** Opens a stream, and returns what reads its next message. */
async function openStream(merchant: Merchant, headers: Record<string, string> = {}) {
  const response = await app.checkstand.fetch(
    new Request(`${BASE}${path(merchant)}`, {
      headers: { authorization: basic(`${merchant.secretKey}:`), ...headers },
    }),
  )
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  let text = ''
  return {
    response,
    close: () => reader.cancel(),
    async next() {
      for (;;) {
        const end = text.indexOf('\n\n')
        const block = text.slice(0, end)
        if (end >= 0) text = text.slice(end + 2)
        const [message] = end >= 0 ? messagesOf(block) : []
        if (message) return message
        if (end >= 0) continue
        const { value, done } = await reader.read()
        if (done) return undefined
        text += new TextDecoder().decode(value)
      }
    },
  }
}

describe('a stream of events', () => {
  it('sends what happens after it was opened, as webhooks carry it', async () => {
    const merchant = await app.newMerchant()
    const first = await happen(app, merchant, 'account.created')
    const before = await happen(app, merchant, 'account.created')
    await eventually(() => readBehind(merchant, first)).toEqual([before])
    const stream = await openStream(merchant)
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream')
    const id = await happen(app, merchant, 'account.updated')
    const message = await stream.next()
    expect(message?.id).toBe(id)
    expect(message?.data).toEqual((await merchant.api(`/events/${id}`)).json.event)
    await stream.close()
  })

  it('goes on behind the last event, without a loss or a repetition', async () => {
    const merchant = await app.newMerchant()
    const other = await app.newMerchant()
    const made: string[] = []
    for (let i = 0; i < 230; i += 1) {
      // Ids do not follow the order of commits: a test clock may stand anywhere.
      app.pass(i % 3 === 0 ? -7000 : 5000)
      made.push(await happen(app, merchant))
      if (i % 50 === 0) await happen(app, other)
    }
    const [first = ''] = made
    await eventually(() => readBehind(merchant, first)).toEqual(made.slice(1))
    await eventually(() => readBehind(merchant, made[150] as string)).toEqual(made.slice(151))
    await eventually(() => readBehind(merchant, made.at(-1) as string)).toEqual([])
  })

  it('does not read the events of other instances twice', async () => {
    const merchant = await app.newMerchant()
    const other = await app.newMerchant()
    const read = (place: Place) => readEventsAfter(deps.db, merchant.instance.id, place, 10)
    const start = await findEndOfEvents(deps.db)
    const id = await happen(app, other)
    const place = await findPlace(deps.db, other.instance.id, id)
    let next = start
    await expect
      .poll(async () => {
        next = (await read(next)).place
        return next.position
      })
      .toBeGreaterThanOrEqual(place?.position ?? Number.NaN)
    const own = await happen(app, merchant)
    await eventually(async () => (await read(next)).events.map((event) => event.id)).toEqual([own])
  })

  it.skipIf(isSqlite(deps.db))(
    'holds events back while an earlier one can still be committed',
    async () => {
      const merchant = await app.newMerchant()
      const first = await happen(app, merchant)
      const record = (tx: Parameters<typeof recordEvent>[0], id: string) =>
        recordEvent(tx, {
          instanceId: merchant.instance.id,
          type: 'account.created',
          data: {},
          now: app.now(),
          id,
        })
      await inTransaction(deps.db, async (slow) => {
        await record(slow, 'evt_1_slow')
        await inTransaction(deps.db, (quick) => record(quick, 'evt_2_quick'))
        expect(await readBehind(merchant, first)).toEqual([])
        await sql`select 1`.execute(slow)
      })
      await eventually(() => readBehind(merchant, first)).toEqual(['evt_1_slow', 'evt_2_quick'])
    },
  )

  it('sends the types that were asked for', async () => {
    const merchant = await app.newMerchant()
    const first = await happen(app, merchant, 'account.created')
    const updated = await happen(app, merchant, 'account.updated')
    const strings = { language: 'fr', branding: null, ids: ['methods.title'] }
    const worded = await happen(app, merchant, 'strings.updated', { strings })
    await eventually(() => readBehind(merchant, first, '&types=strings.*')).toEqual([worded])
    await eventually(() => readBehind(merchant, first, '&types=account.*, strings.*')).toEqual([
      updated,
      worded,
    ])
    const { status, json } = await merchant.api('/events/stream?types=payments')
    expect([status, json.error.message]).toEqual([400, 'types has the unknown type payments'])
  })

  it('shows a restricted key the areas that it may read, and all with webhooks:read', async () => {
    const merchant = await app.newMerchant()
    const first = await happen(app, merchant, 'account.created')
    const account = await happen(app, merchant, 'account.updated')
    const strings = { language: 'fr', branding: null, ids: ['methods.title'] }
    const worded = await happen(app, merchant, 'strings.updated', { strings })
    const readAs = async (scopes: string[]) => {
      const body = { secret_key: { name: 'Reader', scopes } }
      const { secret_key: key } = (await merchant.api('/secret_keys', { body })).json
      const { text } = await app.call(path(merchant, '?follow=false'), {
        headers: { authorization: basic(`${key.secret}:`), 'last-event-id': first },
      })
      return messagesOf(text).map(({ id }) => id)
    }
    await eventually(() => readAs(['strings:read'])).toEqual([worded])
    await eventually(() => readAs(['webhooks:read'])).toEqual([account, worded])
    await eventually(() => readAs(['payments:write'])).toEqual([])
  })

  it('does not go on behind an event that the instance does not have', async () => {
    const foreign = await happen(app, await app.newMerchant())
    for (const id of [foreign, 'evt_1_a', 'x']) {
      const { status, json } = await app.merchant.api('/events/stream?follow=false', {
        headers: { 'last-event-id': id },
      })
      expect([status, json.error.message]).toEqual([
        400,
        'Last-Event-ID must be an id that a stream of the last thirty days has sent',
      ])
    }
  })

  it('begins with an id, behind which a client that has seen no event goes on', async () => {
    const merchant = await app.newMerchant()
    const begin = async ({ api }: Merchant) => {
      const { text } = await api('/events/stream?follow=false')
      return /^id: (.+)\n\n$/.exec(text)?.[1] ?? ''
    }
    const empty = await begin(merchant)
    const first = await happen(app, merchant)
    await eventually(() => readBehind(merchant, empty)).toEqual([first])
    const later = await begin(merchant)
    const second = await happen(app, merchant)
    await eventually(() => readBehind(merchant, later)).toEqual([second])
    const ahead = lastEventId(deps, merchant.instance.id, { position: 2 ** 40, id: '' })
    const refused = async ({ api }: Merchant, id: string) =>
      (await api('/events/stream?follow=false', { headers: { 'last-event-id': id } })).status
    expect(await refused(await app.newMerchant(), later)).toBe(400)
    expect(await refused(merchant, `${later.slice(0, -4)}AAAA`)).toBe(400)
    expect(await refused(merchant, ahead)).toBe(400)
  })

  it('begins with the id behind which it was asked for, also within a transaction', async () => {
    const merchant = await app.newMerchant()
    const ids = ['evt_3_first', 'evt_3_second']
    await inTransaction(deps.db, async (tx) => {
      for (const id of ids) {
        const event = { type: 'account.created', data: {}, now: app.now(), id } as const
        await recordEvent(tx, { instanceId: merchant.instance.id, ...event })
      }
    })
    const [first = '', second] = ids
    await eventually(() => readBehind(merchant, first)).toEqual([second])
    const { text } = await merchant.api('/events/stream?follow=false', {
      headers: { 'last-event-id': first },
    })
    const begun = /^id: (.+)$/m.exec(text)?.[1] ?? ''
    expect(begun).not.toContain('evt_')
    expect(await readBehind(merchant, begun)).toEqual([second])
  })

  it.skipIf(isSqlite(deps.db))('goes on in a cluster that a dump was restored to', async () => {
    const merchant = await app.newMerchant()
    const restored = await happen(app, merchant)
    // The other cluster had counted further.
    const position = 2 ** 40
    await deps.db.updateTable('events').set({ position }).where('id', '=', restored).execute()
    await resetForeignPositions(deps.db)
    const id = await happen(app, merchant)
    await eventually(() => readBehind(merchant, restored)).toEqual([id])
  })

  it('is refused beyond the twentieth of one key, until one is closed', async () => {
    const merchant = await app.newMerchant()
    const streams = await Promise.all(Array.from({ length: 20 }, () => openStream(merchant)))
    expect((await merchant.api('/events/stream')).status).toBe(429)
    await streams[0]?.close()
    await expect
      .poll(async () => (await merchant.api('/events/stream?follow=false')).status)
      .toBe(200)
    for (const stream of streams.slice(1)) await stream.close()
  })
})
