import { beforeAll, describe, expect, it } from 'vitest'
import { newColleague, signedInBrowser } from './oauth.ts'
import { LOCAL_RECEIVERS, newWebhook, startReceiver, deliverAll } from './webhook-receiver.ts'
import { basic, startTestApp } from './app.ts'
import { CARDS } from './cards.ts'
import { seedAll } from './seed-all.ts'
import { openPaymentsClient } from './payments-client.ts'
import { newDeepLink } from './deep-links.ts'
import { newLink, openPayerClient, openPayerClientAt } from './payer-client.ts'
import { connectDisabled } from './stripe-fake/connect.ts'

/** Whatever a list can be filtered by, a documented request can write. */

const app = await startTestApp(LOCAL_RECEIVERS)
const { merchant } = app
const { api } = merchant
const inAnHour = () => new Date(app.now() + 3_600_000).toISOString()

const lists = app.checkstand.mounts
  .filter(({ security }) => security === 'basic')
  .flatMap(({ routes }) => routes)
  .filter(({ query }) => Object.hasOwn(query?.shape ?? {}, 'order'))

let webhooks: string[] = []
let poster = ''

/** Writes every member that a list can be filtered by, each by a request of the API or the page. */
async function writeEveryMember(): Promise<void> {
  const receiver = await startReceiver()
  const failing = await startReceiver()
  failing.answer(500)
  webhooks = [
    await newWebhook(merchant, receiver.url, { description: 'The shop' }),
    await newWebhook(merchant, failing.url),
  ].map(({ id }) => id)
  await seedAll(app, merchant)
  const account = {
    crm_key: 'all',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    phone: '1',
    company: 'Engines',
    tags: 'a',
    channel: 'shop',
    division: 'North',
    crm: 'salesforce',
  }
  expect((await api('/accounts', { body: { account } })).status).toBe(200)
  const paymentsClient = openPaymentsClient(app)
  const stored = await paymentsClient.storeCard()
  const paid = { account: stored.account, payment_method: stored.method, channel: 'shop' }
  await paymentsClient.pay(undefined, { ...paid, alt_key: 'rent', due: inAnHour() })
  const recurring = { frequency: 'MONTH', count: 2 }
  const { contract } = await paymentsClient.pay(undefined, { ...paid, alt_key: 'plan', recurring })
  const authorisation = await paymentsClient.authorise(undefined, paid)
  expect((await paymentsClient.capture(authorisation.id, { alt_key: 'shipped' })).status).toBe(200)
  const { id } = await paymentsClient.pay()
  expect((await paymentsClient.refund(id, { reason: 'Broken' })).status).toBe(200)
  const brandings = [{ key: 'kids', name: 'Kids', channels: ['kids'] }]
  const instance = { method: 'PUT', body: { instance: { brandings } } }
  expect((await api('/instances/default', instance)).status).toBe(200)
  const string = { text: 'Pay like this', branding: 'kids' }
  expect((await api('/strings/methods.title', { method: 'PUT', body: { string } })).status).toBe(
    200,
  )
  const right = { id: 'methods.title', branding: 'kids', stale_hash: 'x'.repeat(22) }
  const acks = { method: 'PUT', body: { string_acks: [right] } }
  expect((await api('/string_acks', acks)).status).toBe(200)
  const { string_revisions } = (await api('/string_revisions?limit=1&order=version')).json
  const reverted = await api(`/string_revisions/${string_revisions[0].id}/revert`, { body: {} })
  expect(reverted.json.string_revision).not.toBeNull()
  const offer = { name: 'Tea', alt_key: 'order-7', channel: 'kids' }
  const link = await newLink(merchant, offer, { expires: inAnHour() })
  await openPayerClient(app, link.id)
  const waiting = await newLink(merchant, { amount: '5.00', account: stored.account })
  await (await openPayerClient(app, waiting.id)).payByCard(CARDS.noAnswerNotTaken)
  const archived = await newLink(merchant)
  expect((await api(`/payment_links/${archived.id}`, { method: 'DELETE' })).status).toBe(204)
  const task = { action: 'MANAGE_CONTRACT', account: stored.account, contract, expires: inAnHour() }
  expect((await api('/deep_links', { body: { deep_link: task } })).status).toBe(200)
  await writeDeepLinks()
  await writeSecretKeys()
  await connectDisabled(app, merchant)
  await deliverAll(app)
}

/** A key with an expiry, a revoked one, and a user who is signed in. */
async function writeSecretKeys(): Promise<void> {
  for (const expires of [inAnHour(), null]) {
    const { json } = await api('/secret_keys', { body: { secret_key: { expires } } })
    if (expires !== null) continue
    await api(`/secret_keys/${json.secret_key.id}`, { method: 'DELETE' })
  }
  await signedInBrowser(app, (await newColleague(app, merchant)).email)
  // The audit log has the name of the key that makes another, and from where.
  const body = { secret_key: { name: 'Provisioning' } }
  const { secret } = (await api('/secret_keys', { body })).json.secret_key
  const headers = { authorization: basic(`${secret}:`) }
  await api('/secret_keys', { body, headers, from: '203.0.113.7' })
}

/** A poster with a paid and an archived payment link, and an archived poster. */
async function writeDeepLinks(): Promise<void> {
  const expires = inAnHour()
  const offer = { name: 'Tea', amount: '3.00', alt_key: 'poster', channel: 'kids' }
  poster = (await newDeepLink(merchant, offer, { slug: 'poster', expires })).id
  for (const card of [CARDS.approve, CARDS.decline]) {
    const payer = await openPayerClientAt(app, '/go/poster')
    await payer.payByCard(card, { account: { last_name: 'Lovelace' } })
  }
  const path = `/deep_links/${poster}/payment_links?criteria=status=ACTIVE`
  const { payment_links } = (await api(path)).json
  expect((await api(`/payment_links/${payment_links[0].id}`, { method: 'DELETE' })).status).toBe(
    204,
  )
  await newDeepLink(merchant, undefined, { slug: 'withdrawn' })
  expect((await api('/deep_links/withdrawn', { method: 'DELETE' })).status).toBe(204)
}

beforeAll(writeEveryMember)

/** Ids of the records below which a list may be. */
function parentsOf(path: string): string[] {
  if (path.startsWith('/deep_links/')) return [poster]
  return path.includes(':id') ? webhooks : ['']
}

describe.each(lists)('$path', ({ path, fields = [] }) => {
  it.each([...fields])('can be filtered by %s, which something writes', async (field) => {
    const totals = await Promise.all(
      parentsOf(path).map(async (parent) => {
        const { status, json, text } = await api(
          `${path.replace(':id', parent)}?criteria=${field}!!&limit=1`,
        )
        expect(status, text).toBe(200)
        return json.meta.total as number
      }),
    )
    expect(Math.max(...totals)).toBeGreaterThan(0)
  })
})

it('every list is asked for every field that it has', () => {
  expect(lists.length).toBeGreaterThan(12)
  for (const { path, fields = [] } of lists) expect(fields.length, path).toBeGreaterThan(2)
})
