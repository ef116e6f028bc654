import { describe, expect, it } from 'vitest'
import { reconcileDue } from '../server/payments/reconcile.ts'
import { settleAttempt } from '../server/payments/settle.ts'
import { type Merchant, startTestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { type Json, recordedEvents } from './payments-client.ts'
import { newLink, openPayerClient } from './payer-client.ts'

/** The events of accounts, links, sessions and strings. */

const app = await startTestApp()
const { deps } = app.checkstand

const OURS = /^(account|payment_link|checkout|strings)\./

/** Returns the events that were recorded while `act` ran, of the types tested here. */
async function during(merchant: Merchant, act: () => Promise<unknown>) {
  const before = new Set((await recordedEvents(app, merchant)).map(({ id }) => id))
  await act()
  const events = (await recordedEvents(app, merchant)).filter(({ id }) => !before.has(id))
  return events.filter(({ type }) => OURS.test(type))
}

const later = async (ms: number) => {
  app.pass(ms)
  await reconcileDue(deps)
}
const account = async ({ api }: Merchant, more: object = {}) =>
  (await api('/accounts', { body: { account: { crm_key: 'crm', ...more } } })).json.account
const putAccount = ({ api }: Merchant, named: string, change: object) =>
  api(`/accounts/${named}`, { method: 'PUT', body: { account: change } })
const putLink = ({ api }: Merchant, id: string, payment_link: object) =>
  api(`/payment_links/${id}`, { method: 'PUT', body: { payment_link } })
const archive = ({ api }: Merchant, id: string) => api(`/payment_links/${id}`, { method: 'DELETE' })
const strings = ({ api }: Merchant, items: object[]) =>
  api('/strings', { body: { strings: items } })
const payerOf = async (merchant: Merchant, options: object = { amount: '1.00' }) =>
  openPayerClient(app, (await newLink(merchant, { ...options })).id)

type Act = () => Promise<unknown>

/** One change each: its preparation, and exactly the events that it records. */
const CHANGES: [string, (merchant: Merchant) => Promise<Act> | Act, string[]][] = [
  ['making an account', (m) => () => account(m), ['account.created']],
  [
    'changing an account',
    async (m) => {
      const { id } = await account(m)
      return () => putAccount(m, id, { company: 'X' })
    },
    ['account.updated'],
  ],
  [
    'changing nothing of an account',
    async (m) => {
      const { id } = await account(m, { company: 'X' })
      return () => putAccount(m, id, { company: 'X' })
    },
    [],
  ],
  ['making a link', (m) => () => newLink(m), ['payment_link.created']],
  [
    'a link that is refused',
    (m) => () => m.api('/payment_links', { body: { payment_link: { options: { amount: '0' } } } }),
    [],
  ],
  [
    'changing a link',
    async (m) => {
      const { id } = await newLink(m)
      return () => putLink(m, id, { state: 'x' })
    },
    ['payment_link.updated'],
  ],
  [
    'changing nothing of a link',
    async (m) => {
      const { id } = await newLink(m, {}, { state: 'x' })
      return () => putLink(m, id, { state: 'x' })
    },
    [],
  ],
  [
    'archiving a link',
    async (m) => {
      const { id } = await newLink(m)
      return () => archive(m, id)
    },
    ['payment_link.archived'],
  ],
  [
    'archiving a link twice',
    async (m) => {
      const { id } = await newLink(m)
      await archive(m, id)
      return () => archive(m, id)
    },
    [],
  ],
  [
    'looking at a link',
    async (m) => {
      const { id } = await newLink(m)
      return () => app.call(`/pay/${id}`)
    },
    [],
  ],
  [
    'the first session of a link',
    async (m) => {
      const { id } = await newLink(m)
      return () => openPayerClient(app, id)
    },
    ['checkout.opened', 'payment_link.opened'],
  ],
  [
    'many first sessions of a link at once',
    async (m) => {
      // Several at once, so that enough connections are open and none has to wait.
      const [{ id }] = (await Promise.all([1, 2, 3, 4, 5].map(() => newLink(m)))) as [Json]
      return () => Promise.all([1, 2, 3, 4, 5].map(() => openPayerClient(app, id)))
    },
    [...Array.from({ length: 5 }, () => 'checkout.opened'), 'payment_link.opened'],
  ],
  [
    'a later session of a link',
    async (m) => {
      const { id } = await newLink(m)
      await openPayerClient(app, id)
      return () => openPayerClient(app, id)
    },
    ['checkout.opened'],
  ],
  [
    'a card that is approved',
    async (m) => {
      const payer = await payerOf(m)
      return () => payer.payByCard(CARDS.approve)
    },
    ['checkout.completed', 'checkout.submitted', 'payment_link.payment_success'],
  ],
  [
    'a payer who gives their name and pays',
    async (m) => {
      const payer = await payerOf(m)
      return () => payer.payByCard(CARDS.approve, { account: { first_name: 'Ada' } })
    },
    [
      'account.created',
      'account.updated',
      'checkout.completed',
      'checkout.submitted',
      'payment_link.payment_success',
    ],
  ],
  [
    'a payer whose account is known',
    async (m) => {
      await account(m)
      const payer = await payerOf(m, { amount: '1.00', account: { crm_key: 'crm' } })
      return () => payer.payByCard(CARDS.decline, { account: { first_name: 'Ada' } })
    },
    ['checkout.submitted'],
  ],
  [
    'a card that is declined',
    async (m) => {
      const payer = await payerOf(m)
      return () => payer.payByCard(CARDS.decline)
    },
    ['checkout.submitted'],
  ],
  [
    'a submit that is refused',
    async (m) => {
      const payer = await payerOf(m)
      return () => payer.payByCard(CARDS.approve, { amount: '2.00' })
    },
    [],
  ],
  [
    'a card whose bank wants to see its owner',
    async (m) => {
      const payer = await payerOf(m)
      return () => payer.payByCard(CARDS.challenge)
    },
    ['checkout.submitted'],
  ],
  [
    'a payment that is pending',
    async (m) => {
      const payer = await payerOf(m)
      return () => payer.payByCard(CARDS.pendingSuccess)
    },
    ['checkout.submitted', 'payment_link.payment_pending'],
  ],
  [
    'a pending payment that succeeds',
    async (m) => {
      const payer = await payerOf(m)
      await payer.payByCard(CARDS.pendingSuccess)
      return () => later(2000)
    },
    ['checkout.completed', 'payment_link.payment_success'],
  ],
  [
    'a pending payment that fails',
    async (m) => {
      const payer = await payerOf(m)
      await payer.payByCard(CARDS.pendingFailure)
      return () => later(2000)
    },
    ['payment_link.payment_failed'],
  ],
  [
    'a processor that does not answer',
    async (m) => {
      const payer = await payerOf(m)
      return () => payer.payByCard(CARDS.noAnswerTaken)
    },
    ['checkout.submitted', 'payment_link.payment_pending'],
  ],
  [
    'a payment whose unknown outcome becomes pending',
    async (m) => {
      const payer = await payerOf(m)
      await payer.payByCard(CARDS.noAnswerTaken)
      const { id } = await deps.db
        .selectFrom('attempts')
        .select('id')
        .where('checkout_id', '=', payer.checkout.id)
        .executeTakeFirstOrThrow()
      return async () => {
        const path = `/payment_links/${payer.checkout.payment_link}`
        const before = (await m.api(path)).json
        await settleAttempt(deps, id, { status: 'PENDING', reference: 'r', check_after_ms: 1000 })
        expect((await m.api(path)).json).toEqual(before)
      }
    },
    [],
  ],
  [
    'wording of three sets',
    (m) => () =>
      strings(m, [
        { id: 'methods.title', text: 'A' },
        { id: 'card.code', text: 'B' },
        { id: 'checkout.pay_unknown', text: 'C' },
        { id: 'methods.title', text: 'D' },
      ]),
    ['strings.updated', 'strings.updated', 'strings.updated'],
  ],
  [
    'wording that stands already',
    async (m) => {
      await strings(m, [{ id: 'methods.title', text: 'A' }])
      return () => strings(m, [{ id: 'methods.title', text: 'A' }])
    },
    [],
  ],
]

describe('the events of a merchant', () => {
  it.each(CHANGES)('are exactly those of %s', async (_what, prepare, expected) => {
    const merchant = await app.newMerchant()
    const act = await prepare(merchant)
    const events = await during(merchant, act)
    expect(events.map(({ type }) => type).toSorted()).toEqual(expected)
  })

  it('contain the record as its GET returns it at that moment', async () => {
    const merchant = await app.newMerchant()
    const paths: Record<string, string> = {
      account: 'accounts',
      payment_link: 'payment_links',
      checkout: 'checkouts',
    }
    const check = async (act: Act) => {
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
    const payer = await payerOf(merchant)
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
    const payer = await payerOf(merchant)
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
    const steps: Act[] = [
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
