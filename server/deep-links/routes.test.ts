import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { testCharges } from '../../test/charges.ts'
import { openPayerClientAt } from '../../test/payer-client.ts'
import { openPaymentsClient } from '../../test/payments-client.ts'
import { nextDue } from '../jobs/next-due-record.ts'
import { recordDeepLinkExpiries } from './expire.ts'

const app = await startTestApp()
const { api } = app.merchant
const inDays = (days: number) => new Date(app.now() + days * 86_400_000).toISOString()

const create = (deep_link: object, as = api) => as('/deep_links', { body: { deep_link } })
const created = async (deep_link: object) => {
  const { status, json, text } = await create({ action: 'PAY', ...deep_link })
  expect(status, text).toBe(200)
  return json.deep_link
}
const put = (id: string, deep_link: object, more: object = {}, headers = {}) =>
  api(`/deep_links/${id}`, { method: 'PUT', body: { deep_link, ...more }, headers })
const eventsOf = async (id: string) => {
  const { events } = (await api('/events?criteria=type~=deep_link&limit=1000')).json
  const ofLink = events.filter(
    ({ data }: { data: { deep_link: { id: string } } }) => data.deep_link.id === id,
  )
  return ofLink.map(({ type }: { type: string }) => type.split('.')[1]).toSorted()
}

describe('a deep link', () => {
  it('is found by its id and by its slug', async () => {
    const link = await created({ slug: 'poster', max_uses: 3, options: { amount: '5.00' } })
    expect(link).toMatchObject({
      url: `${app.checkstand.deps.config.baseUrl}/go/poster`,
      status: 'ACTIVE',
      options: { amount: '5.00' },
      uses: 0,
      created_session: expect.stringMatching(/^ses_/),
    })
    for (const name of [link.id, 'poster']) {
      expect((await api(`/deep_links/${name}`)).json.deep_link).toEqual(link)
    }
    expect((await created({})).url).toMatch(/\/go\/dl_/)
  })

  it('changes by the members that a PUT names, of which null clears one', async () => {
    const { id } = await created({ slug: 'cleared', max_uses: 3, options: { amount: '5.00' } })
    const patch = { mode: 'PATCH' }
    const named = (await put(id, { options: { name: 'Fund' } }, patch)).json.deep_link
    expect(named).toMatchObject({
      slug: 'cleared',
      max_uses: 3,
      options: { amount: '5.00', name: 'Fund' },
      options_v: 2,
    })
    const bare = (await put(id, { slug: null, max_uses: null, options: null })).json.deep_link
    expect(bare).toMatchObject({ slug: null, max_uses: null, options: {}, options_v: 3, v: 3 })
    expect((await put(id, { slug: null })).json.deep_link).toEqual(bare)
    expect((await put(id, { max_uses: 1 }, {}, { 'if-match': '"2"' })).status).toBe(409)
    expect(await eventsOf(id)).toEqual(['created', 'updated', 'updated'])
  })

  it('keeps its slug from every other link of the server, archived or not', async () => {
    const taken = { type: 'DUPLICATE', message: 'deep_link.slug is taken on this server' }
    const { id } = await created({ slug: 'only' })
    const other = await app.newMerchant()
    expect((await create({ action: 'PAY', slug: 'only' }, other.api)).json.error).toEqual(taken)
    const second = await created({})
    expect((await put(second.id, { slug: 'only' })).json.error).toEqual(taken)
    expect((await api('/deep_links/only', { method: 'DELETE' })).status).toBe(204)
    expect((await create({ action: 'PAY', slug: 'only' })).json.error).toEqual(taken)
    expect((await put(id, { max_uses: 5 })).json.error.message).toBe('Deep link is archived')
    expect(await eventsOf(id)).toEqual(['archived', 'created'])
    const races = await Promise.all([1, 2, 3].map(() => create({ action: 'PAY', slug: 'race' })))
    expect(races.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('is found by its slug whatever the case in which a payer types it', async () => {
    await created({ slug: 'open-day', options: { amount: '5.00' } })
    for (const typed of ['open-day', 'Open-Day', 'OPEN-DAY']) {
      expect((await app.call(`/go/${typed}`)).status, typed).toBe(200)
      expect((await app.call(`/go/${typed}/checkouts`, { body: {} })).status, typed).toBe(200)
    }
    expect((await app.call('/go/DL_OPEN-DAY')).status).toBe(404)
  })

  it('is exhausted by a limit that its uses have reached already', async () => {
    const { id } = await created({ options: { amount: '5.00' } })
    const payer = await openPayerClientAt(app, `/go/${id}`)
    await payer.payByCard(CARDS.approve)
    expect((await put(id, { max_uses: 1 })).json.deep_link.status).toBe('EXHAUSTED')
    await put(id, { options: { name: 'Other' } }, { mode: 'PATCH' })
    const types = await eventsOf(id)
    expect(types).toEqual(['created', 'exhausted', 'updated', 'updated', 'used'])
  })

  it('expires with one event, on the day that a test clock stops at', async () => {
    const { id, expires } = await created({ expires: inDays(2) })
    const window = { after: inDays(1), until: inDays(3) }
    const { db } = app.checkstand.deps
    expect(await nextDue(db, app.merchant.instance.id, window)).toBe(expires)
    app.pass(2 * 86_400_000)
    expect((await api(`/deep_links/${id}`)).json.deep_link.status).toBe('EXPIRED')
    for (const run of [1, 2]) {
      await recordDeepLinkExpiries(app.checkstand.deps)
      expect(await eventsOf(id), `run ${run}`).toEqual(['created', 'expired'])
    }
    expect((await put(id, { expires: null })).json.deep_link.status).toBe('ACTIVE')
  })
})

describe('a deep link of an account', () => {
  it('requires and refuses members by its action', async () => {
    const paymentsClient = openPaymentsClient(app)
    const { account, method } = await paymentsClient.storeCard()
    const other = await paymentsClient.storeCard()
    const recurring = { frequency: 'MONTH', count: 3 }
    const { contract, charge } = await paymentsClient.pay(undefined, {
      payment_method: method,
      recurring,
    })
    const owe = async (currency: string) =>
      (await testCharges(app).newCharge({ accountId: account, amount: 500, currency })).id
    const [euros, dollars] = [await owe('EUR'), await owe('USD')]
    const expires = inDays(10)
    const refusals: [object, string][] = [
      [{ action: 'PAY', account }, 'account is not taken by PAY'],
      [{ action: 'PAY', slug: 'a', expires }, 'slug must be 2 to 63 of a-z, 0-9 and -'],
      [{ action: 'PAY', slug: 'aa', options: { account } }, 'options.account must not be an id'],
      [{ action: 'PAY', options: { account } }, 'expires is required beside an account'],
      [{ action: 'PAY', options: { account }, expires: inDays(31) }, 'expires must be at most 30'],
      ...['ADD_PAYMENT_METHOD', 'MANAGE_CONTRACT'].map((action): [object, string] => [
        { action, account, contract, expires, options: { amount: '5.00' } },
        `options.amount is not taken by ${action}`,
      ]),
      [{ action: 'PAY', options: { amount: '0' } }, 'options.amount must be more than zero'],
      [{ action: 'PAY', options: { amount: '0.001' } }, 'options.amount'],
      [{ action: 'PAY_CHARGES', expires }, 'account is required by PAY_CHARGES'],
      [{ action: 'PAY_CHARGES', account }, 'expires is required by PAY_CHARGES'],
      [{ action: 'PAY_CHARGES', account, expires: inDays(31) }, 'expires must be at most 30 days'],
      [{ action: 'PAY_CHARGES', account, expires, slug: 'guess' }, 'slug is only for PAY'],
      [{ action: 'PAY_CHARGES', account, expires, contract }, 'contract is not taken by PAY'],
      [{ action: 'MANAGE_CONTRACT', account, expires }, 'contract is required by MANAGE'],
      [
        { action: 'MANAGE_CONTRACT', account: other.account, contract, expires },
        'contract belongs to another account',
      ],
      [
        { action: 'PAY_CHARGES', account: other.account, charges: [charge], expires },
        'charges.0 belongs to another account',
      ],
      [{ action: 'PAY_CHARGES', account, charges: [charge], expires }, 'charges.0 is PAID'],
      [
        { action: 'PAY_CHARGES', account, charges: [euros, dollars], expires },
        'charges.1 is in USD, not in EUR',
      ],
      [
        { action: 'PAY_CHARGES', account, charges: [euros, euros], expires },
        'charges may name each charge once',
      ],
      [
        { action: 'MANAGE_CONTRACT', account, contract, expires, allow: ['PAUSE', 'PAUSE'] },
        'allow may name each permission once',
      ],
    ]
    for (const [deep_link, message] of refusals) {
      const { status, json } = await create(deep_link)
      expect([status, json.error.message]).toEqual([
        400,
        expect.stringContaining(`deep_link.${message}`),
      ])
    }
    const link = { action: 'PAY_CHARGES', account, charges: [euros], expires }
    const { id } = (await create(link)).json.deep_link
    const expanded = await api(`/deep_links/${id}?expand=account,charges`)
    expect(expanded.json.deep_link).toMatchObject({
      account: { id: account },
      charges: [{ id: euros, account }],
    })
  })
})
