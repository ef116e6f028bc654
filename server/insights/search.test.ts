import { describe, expect, it } from 'vitest'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newPlatform, newTokens, newUser, withToken } from '../../test/oauth.ts'
import { payNewLink } from '../../test/payer-client.ts'
import type { Json } from '../../test/payments-client.ts'
import { planOf } from '../../test/statement-recorder.ts'
import { SEARCH_KINDS } from '../../shared/schemas/search.ts'
import { fileInsights, rebuildInsights } from './file.ts'
import { search, visibleKinds } from './search.ts'
import { sumTotals } from './totals.ts'

const app = await startTestApp({ CARD_TESTING_GUARD: '0' })
const { deps, database } = app.checkstand

async function found({ api }: Pick<Merchant, 'api'>, q: string, more = ''): Promise<Json[]> {
  await fileInsights(deps)
  const { status, json, text } = await api(`/search?q=${encodeURIComponent(q)}${more}`)
  expect(status, text).toBe(200)
  return json.results
}

const kindsOf = (results: Json[]) => results.map(({ kind, matched }) => `${kind} by ${matched}`)

const make = async ({ api }: Merchant, path: string, body: object) => {
  const { status, json, text } = await api(path, { body })
  expect(status, text).toBe(200)
  return Object.values(json)[0] as Json
}

async function fill(merchant: Merchant) {
  const account = await make(merchant, '/accounts', {
    account: {
      crm_key: 'crm-77',
      first_name: 'Zoë',
      last_name: 'Ångström',
      email: 'zoe@sea.example',
    },
  })
  const options = { amount: '24.00', name: 'Tea for two', alt_key: 'order-1043' }
  const { link } = await payNewLink({ ...app, merchant }, CARDS.approve, options)
  const deepLink = await make(merchant, '/deep_links', {
    deep_link: {
      action: 'PAY',
      options: { amount: '5.00', name: 'Tea every day' },
      slug: 'daily-tea',
    },
  })
  const [payment] = (await merchant.api('/payments')).json.payments
  return { account, link, deepLink, payment }
}

const merchant = await app.newMerchant()
const records = await fill(merchant)

describe('a search', () => {
  it.each([
    ['4242', ['payment by last4']],
    ['tea', ['deep_link by name', 'payment_link by name']],
    ['TEA tw', ['payment_link by name']],
    ['zoe ang', ['account by name']],
    ['ANGSTRÖM', ['account by name']],
    ['zoe@sea.example', ['account by email']],
    ['crm-77', ['account by crm_key']],
    ['daily', ['deep_link by slug']],
    ['5,00', ['deep_link by amount']],
    ['coffee', []],
    [' ', []],
    ['tea coffee', []],
    ['_%', []],
  ])('for %j finds %j', async (q, expected) => {
    expect(kindsOf(await found(merchant, q)).toSorted()).toEqual(expected)
  })

  it('needs two characters of a beginning', async () => {
    // References of payments are random, and may have a letter that stands alone.
    const kinds = '&kinds=payment_link,deep_link,account'
    expect(await found(merchant, 't', kinds)).toEqual([])
    expect(await found(merchant, 'te', kinds)).toHaveLength(2)
  })

  it('finds everything by a key of its own, the newest first', async () => {
    const results = await found(merchant, '1043')
    expect(kindsOf(results).toSorted()).toEqual(['payment by alt_key', 'payment_link by alt_key'])
    const created = results.map((each) => String(each.created))
    expect(created).toEqual(created.toSorted().toReversed())
  })

  it('finds records by their ids, and shows what names them', async () => {
    const { payment, account, link } = records
    expect(await found(merchant, ` ${payment.id} `)).toEqual([
      {
        kind: 'payment',
        id: payment.id,
        title: 'order-1043',
        detail: expect.stringMatching(/ 4242$/),
        status: 'SUCCESS',
        amount: '24.00',
        currency: 'EUR',
        created: payment.created,
        matched: 'id',
      },
    ])
    expect(await found(merchant, account.id)).toMatchObject([
      { kind: 'account', title: 'Zoë Ångström', detail: 'zoe@sea.example', amount: null },
    ])
    expect(await found(merchant, link.id)).toMatchObject([
      { kind: 'payment_link', status: 'PAYMENT_SUCCESS', amount: '24.00', currency: 'EUR' },
    ])
  })

  it('returns the kinds that are asked for, as many as are asked for', async () => {
    expect(kindsOf(await found(merchant, 'tea', '&kinds=deep_link'))).toEqual(['deep_link by name'])
    expect(await found(merchant, 'tea', '&limit=1')).toHaveLength(1)
  })

  it.each([
    ['q=', 'q '],
    ['', 'q '],
    ['q=x&kinds=teapot', 'kinds has the unknown kind teapot'],
    ['q=x&limit=51', 'limit'],
    ['q=4242424242424242', 'q must not contain a card number'],
  ])('refuses %s', async (query, message) => {
    const { status, json } = await merchant.api(`/search?${query}`)
    expect([status, json.error.message]).toEqual([400, expect.stringContaining(message)])
  })

  it('leaves out what the caller may not read, and other merchants', async () => {
    expect(await found(await app.newMerchant(), records.payment.id)).toEqual([])
    expect(await found(await app.newMerchant(), 'tea')).toEqual([])
    const { email } = await newUser(app)
    const tokens = await newTokens(app, email, await newPlatform(app), { scope: 'accounts:read' })
    const api = withToken(app, tokens.access_token)
    expect((await api('/search?q=tea')).status).toBe(200)
    expect(visibleKinds(new Set(['accounts:read']), SEARCH_KINDS)).toEqual(['account'])
    expect(visibleKinds(undefined, SEARCH_KINDS)).toEqual(SEARCH_KINDS)
  })

  it('follows changes, and forgets an anonymized customer', async () => {
    const { account } = records
    await merchant.api(`/accounts/${account.id}`, {
      method: 'PUT',
      body: { account: { email: 'zoe@lake.example' } },
    })
    expect(await found(merchant, 'sea.example')).toEqual([])
    expect(await found(merchant, 'lake')).toHaveLength(1)
    expect(
      (await merchant.api(`/accounts/${account.id}/anonymise`, { method: 'POST' })).status,
    ).toBe(200)
    const words = () =>
      deps.db.selectFrom('search_words').selectAll().where('record_id', '=', account.id).execute()
    // At once, and not only when the job runs.
    expect(await words()).toEqual([])
    await rebuildInsights(deps)
    expect(await words()).toEqual([])
    expect(await found(merchant, '4242')).toHaveLength(1)
  })
})

it('searches and totals are found by an index, and not sorted over more than they look at', async () => {
  const { instance } = merchant
  const seen: string[] = []
  const watched = deps.db.withPlugin({
    transformQuery({ node, queryId }) {
      seen.push(JSON.stringify(deps.db.getExecutor().compileQuery(node, queryId)))
      return node
    },
    transformResult: async ({ result }) => result,
  })
  await search(watched, {
    instanceId: instance.id,
    text: 'tea two',
    kinds: ['payment', 'payment_link', 'account'],
    limit: 20,
    now: app.now(),
    defaultCurrency: 'EUR',
  })
  await sumTotals(watched, {
    instanceId: instance.id,
    span: { from: 0, to: 9e8 },
    by: 'day',
    offsets: [{ from: 0, offset: 0 }],
    currency: undefined,
  })
  expect(seen.length).toBeGreaterThan(5)
  if (database.kind === 'postgres') return
  for (const statement of seen) {
    const query = JSON.parse(statement)
    for (const step of await planOf(deps.db, 'sqlite', query)) {
      // What was found, of which there is a bounded number.
      if (/^SCAN (looked|counts)/.test(step)) continue
      expect(step, query.sql).not.toMatch(/^SCAN|\(instance_id=\?\)$/)
    }
  }
})
