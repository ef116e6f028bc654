import type { KyselyPlugin, RootOperationNode } from 'kysely'
import { describe, expect, it } from 'vitest'
import { createNamedLocks } from '../server/db/named-locks.ts'
import { reconcileDue } from '../server/payments/reconcile.ts'
import { type Merchant, startTestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { type Json, recordedEvents } from './payments-client.ts'
import { newLink, openPayerClient } from './payer-client.ts'
import {
  account,
  archive,
  putAccount,
  putLink,
  recordedChanges,
  strings,
} from './recorded-changes.ts'
import { secondServer, serverFor } from './second-server.ts'

/**
 * The events of accounts, links, sessions and strings. A change and its events are all stored, or
 * none of them.
 */

const app = await startTestApp()
const { deps, database } = app.checkstand

const OURS = /^(account|payment_link|checkout|strings)\./

/** Returns the events that were recorded while `act` ran, of the types tested here. */
async function during(merchant: Merchant, act: () => Promise<unknown>) {
  const before = new Set((await recordedEvents(app, merchant)).map(({ id }) => id))
  await act()
  const events = (await recordedEvents(app, merchant)).filter(({ id }) => !before.has(id))
  return events.filter(({ type }) => OURS.test(type))
}

const later = async (ms: number, on = deps) => {
  app.pass(ms)
  await reconcileDue(on)
}
const newPayer = async (merchant: Merchant) =>
  openPayerClient(app, (await newLink(merchant, { amount: '1.00' })).id)
const CHANGES = recordedChanges(app)
/** Fails right after an event was written: the last moment at which a change can still be undone. */
const FAILS_AFTER_EVENT: KyselyPlugin = (() => {
  const events = new WeakSet<object>()
  return {
    transformQuery({ queryId, node }) {
      if (writesEvent(node)) events.add(queryId)
      return node
    },
    async transformResult({ queryId, result }) {
      if (events.has(queryId)) throw new Error('planted')
      return result
    },
  }
})()

function writesEvent(node: RootOperationNode): boolean {
  return node.kind === 'InsertQueryNode' && JSON.stringify(node.into).includes('"events"')
}

const db = deps.db.withPlugin(FAILS_AFTER_EVENT)
const failing = secondServer(app, { db, locks: createNamedLocks(db, database.kind) })

const TABLES = [
  'accounts',
  'payment_links',
  'checkouts',
  'payments',
  'transactions',
  'attempts',
  'payment_methods',
  'strings',
  'events',
] as const

/** When the reconciler asks about an attempt, which it notes before it does. */
const RECONCILED = { checks: null, next_check: null }

/** Everything that a merchant has. */
async function everything({ instance }: Merchant): Promise<Record<string, unknown[]>> {
  const tables = TABLES.map(async (table) => {
    const rows = await deps.db
      .selectFrom(table)
      .selectAll()
      .where('instance_id', '=', instance.id)
      .orderBy('id')
      .execute()
    return [table, rows.map((row) => ({ ...row, ...RECONCILED }))] as const
  })
  return Object.fromEntries(await Promise.all(tables))
}

describe('a change that fails after its event was written', () => {
  const recording = CHANGES.filter(([, , events]) => events.length > 0)
  it.each(recording)('leaves neither the change nor the event: %s', async (_what, prepare) => {
    const merchant = await app.newMerchant()
    const act = await prepare(merchant)
    const before = await everything(merchant)
    const logged = app.logged().length
    const problem: unknown = await act(failing(merchant)).catch((error: unknown) => error)
    expect(`${String(problem)} ${app.logged().slice(logged)}`).toContain('planted')
    expect(await everything(merchant)).toEqual(before)
    // And it was the failure alone that stood in the way.
    const events = await during(merchant, () => act(serverFor(app, merchant)))
    expect(events).not.toEqual([])
  })

  it('records its event once, when reconciliation is repeated', async () => {
    const merchant = await app.newMerchant()
    const payer = await newPayer(merchant)
    await payer.payByCard(CARDS.pendingSuccess)
    const events = await during(merchant, async () => {
      await later(2000, failing(merchant).deps)
      expect(app.logged()).toContain('planted')
      await later(60_000)
      await later(0)
    })
    expect(events.map(({ type }) => type).toSorted()).toEqual([
      'checkout.completed',
      'payment_link.payment_success',
    ])
  })
})

describe('the events of a merchant', () => {
  it.each(CHANGES)('are exactly those of %s', async (_what, prepare, expected) => {
    const merchant = await app.newMerchant()
    const act = await prepare(merchant)
    const events = await during(merchant, () => act(serverFor(app, merchant)))
    expect(events.map(({ type }) => type).toSorted()).toEqual(expected)
  })

  it('contain the record as its GET returns it at that moment', async () => {
    const merchant = await app.newMerchant()
    const paths: Record<string, string> = {
      account: 'accounts',
      payment_link: 'payment_links',
      checkout: 'checkouts',
    }
    const check = async (act: () => Promise<unknown>) => {
      const events = await during(merchant, act)
      expect(events.length).toBeGreaterThan(0)
      for (const { data } of events) {
        const [kind, record] = Object.entries(data)[0] as [string, Json]
        const { json } = await merchant.api(`/${paths[kind]}/${record.id}`)
        expect(data).toEqual(json)
      }
      app.pass(1000)
    }
    let id = ''
    await check(async () => (id = (await account(merchant)).id))
    await check(() => putAccount(merchant, id, { address: { line1: 'a' }, metadata: { x: '1' } }))
    await check(async () => (id = (await newLink(merchant, { amount: '5.00' })).id))
    await check(() => putLink(merchant, id, { state: { n: 1 }, expires: '2031-01-01T00:00:00Z' }))
    const payers: Awaited<ReturnType<typeof openPayerClient>>[] = []
    await check(async () => payers.push(await openPayerClient(app, id)))
    await check(async () => payers.push(await openPayerClient(app, id)))
    await (await openPayerClient(app, id)).payByCard(CARDS.decline)
    await check(() => archive(merchant, (id = payers[0]?.checkout.payment_link)))
  })

  it('of a link that is paid what it was paid with', async () => {
    const merchant = await app.newMerchant()
    const payer = await newPayer(merchant)
    const events = await during(merchant, () => payer.payByCard(CARDS.pendingSuccess))
    events.push(...(await during(merchant, () => later(2000))))
    const { json } = await merchant.api(`/payment_links/${payer.checkout.payment_link}`)
    const record = (type: string) => events.find((event) => event.type === type)?.data
    expect(record('payment_link.payment_success')).toEqual(json)
    expect(record('payment_link.payment_pending').payment_link).toMatchObject({
      status: 'PAYMENT_PENDING',
      payment: json.payment_link.payment,
      transaction: json.payment_link.transaction,
      attempts: 1,
    })
    expect(record('checkout.submitted').checkout).toMatchObject({
      status: 'SUBMITTED',
      amount: '1.00',
      attempts: [{ payment: json.payment_link.payment, status: 'PENDING' }],
    })
    const { json: session } = await merchant.api(`/checkouts/${payer.checkout.id}`)
    expect(record('checkout.completed')).toEqual(session)
    expect(session.checkout.attempts).toMatchObject([{ status: 'SUCCESS' }])
  })

  it('of a link whose payment failed that it can be paid again', async () => {
    const merchant = await app.newMerchant()
    const payer = await newPayer(merchant)
    await payer.payByCard(CARDS.pendingFailure)
    const [failed] = await during(merchant, () => later(2000))
    expect(failed?.data.payment_link).toMatchObject({
      status: 'ACTIVE',
      payment: null,
      transaction: null,
      attempts: 1,
    })
  })

  it('of wording which of it changed, for which language and branding', async () => {
    const merchant = await app.newMerchant()
    const branding = { key: 'kids', name: 'Kids', channels: [] }
    await merchant.api('/instances/default', {
      method: 'PUT',
      body: { instance: { brandings: [branding] } },
    })
    await strings(merchant, [{ id: 'card.code', text: 'Same' }])
    const events = await during(merchant, () =>
      strings(merchant, [
        { id: 'card.code', text: 'Same' },
        { id: 'card.number', text: 'Number' },
      ]),
    )
    const scoped = await during(merchant, () =>
      merchant.api('/strings/card.code', {
        method: 'PUT',
        body: { string: { text: 'Geheimzahl', language: 'de', branding: 'kids' } },
      }),
    )
    expect([...events, ...scoped].map(({ data }) => data.strings)).toEqual([
      { language: 'default', branding: null, ids: ['card.number'] },
      { language: 'de', branding: 'kids', ids: ['card.code'] },
    ])
  })

  it('of one record in versions that grow with time, the last of which is the one that stands', async () => {
    const merchant = await app.newMerchant()
    const link = await newLink(merchant, { amount: '5.00' })
    const payer = await openPayerClient(app, link.id)
    const steps: (() => Promise<unknown>)[] = [
      () => putLink(merchant, link.id, { state: '1' }),
      () => payer.payByCard(CARDS.decline, { account: { first_name: 'Ada' } }),
      () => payer.payByCard(CARDS.pendingFailure),
      () => later(2000),
      () => payer.payByCard(CARDS.approve),
      () => putLink(merchant, link.id, { state: '2' }),
      () => archive(merchant, link.id),
    ]
    for (const step of steps) {
      app.pass(1000)
      await step()
    }
    const { account: accountId } = (await merchant.api(`/payment_links/${link.id}`)).json
      .payment_link
    for (const path of [
      `/payment_links/${link.id}`,
      `/checkouts/${payer.checkout.id}`,
      `/accounts/${accountId}`,
    ]) {
      const record = Object.values((await merchant.api(path)).json)[0] as Json
      const history = await historyOf(merchant, record.id)
      const versions = history.map(({ v }) => v)
      expect(versions.length, path).toBeGreaterThan(1)
      expect(new Set(versions).size, path).toBe(versions.length)
      expect(versions.at(-1), path).toBe(record.v)
      const times = history.map(({ created }) => created)
      expect(times, path).toEqual(times.toSorted())
    }
  })

  /** Returns the events of one record by version. */
  async function historyOf({ instance }: Merchant, id: string) {
    const rows = await deps.db
      .selectFrom('events')
      .select(['data', 'created'])
      .where('instance_id', '=', instance.id)
      .execute()
    return rows
      .map(({ data, created }) => ({ record: Object.values(JSON.parse(data))[0] as Json, created }))
      .filter(({ record }) => record.id === id)
      .map(({ record, created }) => ({ v: record.v as number, created }))
      .toSorted((one, other) => one.v - other.v)
  }
})
