import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const shop = app.merchant
const { api } = shop

interface Listed {
  id: string
  status: string
}

const list = async (query: Record<string, string> = {}) => {
  const { status, json, text } = await api(
    `/payment_links?${new URLSearchParams(query).toString()}`,
  )
  expect(status, text).toBe(200)
  const links = json.payment_links as Listed[]
  return { links, ids: links.map(({ id }) => id), total: json.meta.total }
}
const archive = (id: string) => api(`/payment_links/${id}`, { method: 'DELETE' })
const next = async (more: Record<string, unknown> = {}, options?: Record<string, unknown>) => {
  app.pass(1000)
  return (await newLink(shop, options, more)).id as string
}

const soon = new Date(app.now() + 3_600_000).toISOString()
const plain = await next()
const expiring = await next({ expires: soon })
const lasting = await next({ expires: '2031-01-01T00:00:00.000Z' })
const archived = await next()
await archive(archived)
const account = (await api('/accounts', { body: { account: { crm_key: 'a' } } })).json.account.id
const paid = await next({ expires: soon }, { amount: '2.00', account })
await (await openPayerClient(app, paid)).payByCard(CARDS.approve)
const pending = await next()
await (await openPayerClient(app, pending)).payByCard(CARDS.pendingSuccess)
const opened = await next()
const payer = await openPayerClient(app, opened)
await payer.payByCard(CARDS.decline)
app.pass(1000)
await openPayerClient(app, opened)
const LIVING = [opened, pending, paid, lasting, expiring, plain]

describe('a list of links', () => {
  it('contains each link as its GET returns it, with its history', async () => {
    const { links } = await list()
    expect(links).toEqual(await Promise.all(LIVING.map((id) => readLink(shop, id))))
    const seen = links[0] as Listed & { opened: string; last_opened: string; attempts: number }
    expect(seen).toMatchObject({ id: opened, attempts: 1 })
    expect(Date.parse(seen.last_opened) - Date.parse(seen.opened)).toBe(1000)
    expect(links.at(-1)).toMatchObject({ opened: null, last_opened: null, attempts: 0 })
  })

  it('has the same history in any order and page size', async () => {
    const all = new Map((await list()).links.map((link) => [link.id, link]))
    for (const order of ['status', 'expires:desc', 'updated', 'account,id']) {
      for (const offset of ['0', '2', '4']) {
        const { links } = await list({ order, limit: '2', offset })
        expect(links).toEqual(links.map(({ id }) => all.get(id)))
        expect(links).toHaveLength(2)
      }
    }
  })

  it('counts no session or payment of another merchant, even if its row refers to the link', async () => {
    const { db } = app.checkstand.deps
    const other = (await app.newMerchant()).instance.id
    const before = await readLink(shop, opened)
    const give = async (instance_id: string) => {
      for (const table of ['checkouts', 'payments'] as const) {
        const rows = db.updateTable(table as 'payments').where('payment_link_id', '=', opened)
        await rows.set({ instance_id }).execute()
      }
    }
    await give(other)
    expect(await readLink(shop, opened)).toMatchObject({ opened: null, attempts: 0 })
    await give(shop.instance.id)
    expect(await readLink(shop, opened)).toEqual(before)
  })
})

describe('archived links', () => {
  it('are left out and not counted, unless the criteria name archived', async () => {
    expect(await list()).toMatchObject({ ids: LIVING, total: LIVING.length })
    expect(await list({ criteria: 'archived!!' })).toMatchObject({ ids: [archived], total: 1 })
    expect((await list({ criteria: 'archived!' })).ids).toEqual(LIVING)
    expect((await list({ criteria: 'archived>2030-01-01' })).ids).toEqual([archived])
    expect((await list({ criteria: `id=${archived}` })).ids).toEqual([])
    expect((await list({ criteria: `id=${archived},archived!!` })).ids).toEqual([archived])
    expect((await list({ criteria: 'archived!=1970-01-01' })).total).toBe(LIVING.length + 1)
  })

  it('are not included by an order on archived', async () => {
    expect((await list({ order: 'archived' })).total).toBe(LIVING.length)
  })
})

describe('criteria of links', () => {
  it('find by account only links that it paid', async () => {
    await next({}, { amount: '1.00', account })
    expect((await list({ criteria: `account=${account}` })).ids).toEqual([paid])
  })

  it.each(['default_amount=1', 'options!!', 'state=x', 'claim!', 'instance_id=x'])(
    'refuse %s',
    async (criteria) => {
      const { status, json } = await api(`/payment_links?criteria=${criteria}`)
      const field = /^[a-z_]+/.exec(criteria)?.[0]
      expect([status, json.error.message]).toEqual([400, `Unknown criteria field ${field}`])
    },
  )

  it('use the status at the time of the request', async () => {
    const of = async (status: string) => (await list({ criteria: `status=${status}` })).ids
    app.pass(Date.parse(soon) - app.now() - 1)
    expect(await of('EXPIRED')).toEqual([])
    expect(await of('ACTIVE')).toContain(expiring)
    app.pass(1)
    expect(await of('EXPIRED')).toEqual([expiring])
    expect(await of('ACTIVE')).not.toContain(expiring)
    // A payment takes precedence over expiry.
    expect(await of('PAYMENT_SUCCESS')).toEqual([paid])
    expect(await of('payment_pending')).toEqual([pending])
    expect((await list({ criteria: 'status!=EXPIRED' })).ids).not.toContain(expiring)
  })

  it('find by status exactly the links with that status, and order by it', async () => {
    app.pass(1)
    const { links } = await list()
    for (const status of ['ACTIVE', 'PAYMENT_PENDING', 'PAYMENT_SUCCESS', 'EXPIRED']) {
      const expected = links.filter((link) => link.status === status)
      expect((await list({ criteria: `status=${status}` })).links).toEqual(expected)
    }
    const names = (await list({ order: 'status' })).links.map(({ status }) => status)
    expect(names).toEqual(names.toSorted())
    expect(new Set(names).size).toBe(4)
  })
})
