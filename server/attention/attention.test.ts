import { sql } from 'kysely'
import { describe, expect, it, vi } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { disputePayment } from '../../test/dispute.ts'
import { newPlatform, newTokens, newUser, withToken } from '../../test/oauth.ts'
import { newLink, openPayerClient, payNewLink } from '../../test/payer-client.ts'
import { DAY_MS, type Json } from '../../test/payments-client.ts'
import { planOf, recordStatements } from '../../test/statement-recorder.ts'
import { connectDisabled } from '../../test/stripe-fake/connect.ts'
import { LOCAL_RECEIVERS, newWebhook } from '../../test/webhook-receiver.ts'
import { ATTENTION_KINDS, type Attention } from '../../shared/schemas/attention.ts'
import type { ListTurn } from '../deps.ts'
import { parseListQuery } from '../http/list-query.ts'
import { PAYMENT_FILTERS } from '../payments/filters.ts'
import { listPayments } from '../payments/store.ts'
import { countKind } from './count-kind.ts'
import { LISTED_KINDS } from './kinds.ts'

// Passwords are hashed slowly on purpose.
vi.setConfig({ testTimeout: 60_000 })

const app = await startTestApp({ CARD_TESTING_GUARD: '0', ...LOCAL_RECEIVERS })
const { deps, database } = app.checkstand
const at = (ms: number) => new Date(app.now() + ms).toISOString()

const attentionOf = async ({ api }: Pick<Merchant, 'api'>): Promise<Attention> => {
  const { status, json, text } = await api('/attention')
  expect(status, text).toBe(200)
  return json.attention
}

const counts = (attention: Attention) =>
  Object.fromEntries(ATTENTION_KINDS.map((kind) => [kind, attention[kind]?.count ?? null]))

async function post({ api }: Merchant, path: string, body: object): Promise<Json> {
  const { status, json, text } = await api(path, { body })
  expect(status, text).toBe(200)
  return Object.values(json)[0]
}

/** A shop in which one thing of each kind needs attention, and one like it does not. */
async function neglect(merchant: Merchant): Promise<void> {
  const waiting = await newLink(merchant, { amount: '5.00' })
  await (await openPayerClient(app, waiting.id)).payByCard(CARDS.noAnswerNotTaken)
  await newLink(merchant, {}, { expires: at(DAY_MS) })
  await newLink(merchant, {}, { expires: at(3 * DAY_MS) })
  await payNewLink({ ...app, merchant }, CARDS.approve, { amount: '24.00' })
  const { payments } = (await merchant.api('/payments?criteria=status=SUCCESS')).json
  await disputePayment(app, merchant, payments[0].id)
  const refund = await post(merchant, `/payments/${payments[0].id}/refund`, {
    refund: { amount: '1.00', offline: true },
  })
  const manual = { manual: 1, status: 'PENDING', processed: null } as const
  await deps.db.updateTable('refunds').set(manual).where('id', '=', refund.id).execute()
  const { newCharge } = testCharges(app, merchant)
  for (const attempts of [2, 3]) {
    const { id } = await newCharge()
    await deps.db.updateTable('charges').set({ attempts }).where('id', '=', id).execute()
  }
  const { id: failing } = await newWebhook(merchant, 'http://localhost:9/')
  await newWebhook(merchant, 'http://localhost:9/other')
  await deps.db
    .updateTable('webhook_endpoints')
    .set({ failing_since: at(0) })
    .where('id', '=', failing)
    .execute()
  const connection = await connectDisabled(app, merchant)
  await deps.db
    .updateTable('processor_connections')
    .set({ status: 'BROKEN' })
    .where('id', '=', connection)
    .execute()
  for (const days of [1, 30])
    await post(merchant, '/secret_keys', { secret_key: { expires: at(days * DAY_MS) } })
  const string = { text: 'Send the money' }
  await merchant.api('/strings/checkout.pay', { method: 'PUT', body: { string } })
}

const INDEXES: Readonly<Record<string, string>> = {
  unresolved: 'payments_unresolved',
  manual_refunds: 'refunds_to_make',
  open_disputes: 'reversals_open',
  failed_charges: 'charges_failed',
  links_ending: 'payment_links_ending',
}

const { merchant, email } = await newUser(app)
await neglect(merchant)
app.pass(120_000)
const attention = await attentionOf(merchant)

describe('what needs attention', () => {
  it('is of every kind', () => {
    expect(counts(attention)).toEqual({
      unresolved: 1,
      manual_refunds: 1,
      open_disputes: 1,
      failed_charges: 1,
      links_ending: 1,
      failing_webhooks: 1,
      broken_processors: 1,
      expiring_keys: 1,
      owners_without_factor: 1,
      stale_strings: expect.any(Number),
    })
  })

  it.each(ATTENTION_KINDS)('is what its list lists: %s', async (kind) => {
    const { count, list } = attention[kind] ?? { count: 0, list: '' }
    const { status, json, text } = await merchant.api(list ?? '')
    expect(status, text).toBe(200)
    expect(json.meta.total).toBeGreaterThan(0)
    if (kind === 'stale_strings') expect(json.meta.total).toBeLessThanOrEqual(count)
    else expect(json.meta.total).toBe(count)
  })

  it('leaves out a webhook that its merchant has disabled', async () => {
    const { instance_webhooks: webhooks } = (
      await merchant.api(attention.failing_webhooks?.list ?? '')
    ).json
    const put = (enabled: boolean) =>
      merchant.api(`/instance_webhooks/${webhooks[0].id}`, {
        method: 'PUT',
        body: { instance_webhook: { enabled } },
      })
    expect((await put(false)).status).toBe(200)
    expect(counts(await attentionOf(merchant)).failing_webhooks).toBe(0)
  })

  it('is a key that ends soon by the real time, whatever a test clock says', async () => {
    const other = await app.newMerchant()
    const expires = new Date(deps.realNow() + DAY_MS).toISOString()
    await post(other, '/secret_keys', { secret_key: { expires } })
    await post(other, '/sandbox/clock', { clock: { advance: 'P90D' } })
    expect(counts(await attentionOf(other)).expiring_keys).toBe(1)
  })

  it('is nothing in another instance', async () => {
    const other = await app.newMerchant()
    expect(Object.values(counts(await attentionOf(other)))).toEqual(ATTENTION_KINDS.map(() => 0))
  })

  it('is not told of a list that the caller may not read', async () => {
    const platform = await newPlatform(app)
    const scope = 'payments:read strings:read'
    const { access_token } = await newTokens(app, email, platform, { scope })
    const { status, json, text } = await withToken(app, access_token)('/attention')
    expect(status, text).toBe(200)
    const told = ATTENTION_KINDS.filter((kind) => json.attention[kind] !== null)
    expect(told).toEqual(['unresolved', 'manual_refunds', 'open_disputes', 'stale_strings'])
  })

  it('is no longer a text that was found right', async () => {
    const { list, count } = attention.stale_strings ?? { list: '', count: 0 }
    const { language } = Object.fromEntries(new URLSearchParams(list?.split('?')[1]))
    const { strings } = (await merchant.api(list ?? '')).json
    const body = {
      string_acks: strings.map(({ id, stale_hash }: Json) => ({ id, language, stale_hash })),
    }
    expect((await merchant.api('/string_acks', { method: 'PUT', body })).status).toBe(200)
    const after = (await attentionOf(merchant)).stale_strings
    expect(after?.count).toBe(count - strings.length)
  })
})

it('counts no further than it has to', async () => {
  const list = { ...parseListQuery({}, PAYMENT_FILTERS), countMax: 1 }
  const page = await deps.listReads.inTurn(merchant.instance.id, (turn) =>
    listPayments(turn, merchant.instance.id, ['PAYMENT', 'AUTH'], list),
  )
  expect(page).toEqual({ rows: [], total: 1 })
})

it('is found by an index, however many others there are', async () => {
  const recorder = recordStatements(deps)
  const found: Record<string, string | undefined> = {}
  for (const [name, kind] of Object.entries(LISTED_KINDS)) {
    if (!kind.indexed) continue
    const { instance } = merchant
    // The reading connection bounds its time by a function that this one lacks.
    const turn: ListTurn = { read: (_member, work) => work(recorder.db) }
    const times = { now: app.now(), realNow: app.now() }
    await countKind(kind, { turn, instance, caller: undefined, ...times })
    const statements = recorder.take()
    const plan = await deps.db.transaction().execute(async (tx) => {
      // PostgreSQL reads a table of a few rows as a whole.
      if (database.kind === 'postgres') await sql`set local enable_seqscan = off`.execute(tx)
      const lines: string[] = []
      for (const statement of statements)
        lines.push(...(await planOf(tx, database.kind, statement)))
      return lines.join('\n')
    })
    found[name] = Object.values(INDEXES).find((index) => plan.includes(index))
  }
  expect(found).toEqual(INDEXES)
})
