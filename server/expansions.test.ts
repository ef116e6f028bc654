import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { EXPANSIONS } from './expansions.ts'
import { ROWS_AT_ONCE } from './http/list-response.ts'
import { BASE, type Merchant, startTestApp } from '../test/app.ts'
import { seedMore, type SeededIds, seedAll } from '../test/seed-all.ts'
import { CARDS, newLink, openPayerClient } from '../test/payer-client.ts'
import { queriesDuring } from '../test/query-spy.ts'

const app = await startTestApp()
const { db } = app.checkstand.deps
const { api } = app.merchant
const mine = await seedAll(app, app.merchant)
const other = await app.newMerchant()
const theirs = await seedAll(app, other)

const read = async (path: string, as: Merchant['api'] = api) => {
  const { status, json, text } = await as(path)
  expect(status, text).toBe(200)
  return json
}

describe('the graph', () => {
  const kinds = Object.entries(EXPANSIONS)
  const namesOf = (members: (typeof EXPANSIONS)[string]['members']) =>
    Object.values(members).map((member) => (typeof member === 'string' ? member : member.kind))

  it.each(kinds)('%s refers only to kinds above it that can be loaded', (kind, { members }) => {
    const above = kinds.slice(
      0,
      kinds.findIndex(([name]) => name === kind),
    )
    const loaded = above.filter(([, { load }]) => load).map(([name]) => name)
    for (const name of namesOf(members)) expect(loaded, `${kind} leads to ${name}`).toContain(name)
  })

  it('matches the documentation', async () => {
    const text = await readFile(new URL('../docs/criteria.md', import.meta.url), 'utf8')
    const rows = [...text.matchAll(/^\| `(\w+)` +\| (`.*`) +\|$/gm)]
    const documented = rows.map(([, kind = '', names = '']) => [
      kind,
      names.replaceAll('`', '').split(', '),
    ])
    const expected = kinds
      .filter(([, { members }]) => Object.keys(members).length > 0)
      .map(([kind, { members }]) => [kind, Object.keys(members)])
    const sorted = (pairs: unknown[][]) =>
      Object.fromEntries(pairs.map(([kind, names]) => [kind, (names as string[]).toSorted()]))
    expect(sorted(documented)).toEqual(sorted(expected))
  })

  it('has no loader without a member', () => {
    const reached = new Set(kinds.flatMap(([, { members }]) => namesOf(members)))
    for (const [kind, { load }] of kinds)
      expect([kind, load !== undefined]).toEqual([kind, reached.has(kind)])
  })
})

describe('an expanded record', () => {
  it.each([
    [`/payment_links/${mine.payment_link}`, 'account', `/accounts/${mine.account}`],
    [`/payment_links/${mine.payment_link}`, 'payment', `/payments/${mine.payment}`],
    [`/payments/${mine.payment}`, 'payment_method', `/payment_methods/${mine.payment_method}`],
    [`/payments/${mine.instalment}`, 'charge', `/charges/${mine.charge}`],
    [`/payments/${mine.instalment}`, 'contract', `/contracts/${mine.contract}`],
    [`/checkouts/${mine.checkout}`, 'payment_link', `/payment_links/${mine.payment_link}`],
  ])('has the shape of its own GET: %s?expand=%s', async (path, member, own) => {
    const [record] = Object.values(await read(own))
    const [holder] = Object.values(await read(`${path}?expand=${member}`))
    expect((holder as Record<string, unknown>)[member]).toEqual(record)
    const list = path.slice(1).split('/')[0] as string
    const listed = await read(`/${list}?expand=${member}`)
    expect(listed[list]).toContainEqual(holder)
  })

  it('is in each part of a payment', async () => {
    const { payment } = await read(`/payments/${mine.instalment}?expand=parts.contract`)
    const { charge } = await read(`/charges/${mine.charge}?expand=contract`)
    expect(payment.parts).toEqual([{ charge, amount: '10.00' }])
    expect([payment.charge, payment.contract]).toEqual([mine.charge, mine.contract])
  })

  it('can be nested four levels deep', async () => {
    const path = 'payment_link.payment.payment_method.account'
    const { checkout } = await read(`/checkouts/${mine.checkout}?expand=${path}`)
    expect(checkout.payment_link.payment.payment_method.account).toMatchObject({
      id: mine.account,
      created_session: mine.session,
    })
    expect(checkout.account).toBe(mine.account)
  })

  it('includes an account’s session and its last transaction', async () => {
    const members = 'last_transaction,created_session,updated_session'
    const { account } = await read(`/accounts/${mine.account}?expand=${members}`)
    expect(account.last_transaction).toMatchObject({
      type: 'PAYMENT',
      payment: mine.instalment,
      amount: '10.00',
      status: 'SUCCESS',
    })
    expect(account.created_session).toEqual({
      id: mine.session,
      type: 'API_KEY',
      user: null,
      client_id: null,
      checkout: null,
      ip: null,
      user_agent: null,
      created: expect.any(String),
    })
    expect(account.updated_session).toEqual(account.created_session)
    const { accounts } = await read(`/accounts?expand=${members}`)
    expect(accounts).toEqual([account])
  })

  it('is on a link only once it is paid or pending, and null otherwise', async () => {
    const expand = 'account,payment,payment.transaction,payment_method,transaction'
    const account = mine.account
    const link = await newLink(app.merchant, { amount: '1.00', account })
    const nothing = { account: null, payment: null, payment_method: null, transaction: null }
    const readExpanded = async () =>
      (await read(`/payment_links/${link.id}?expand=${expand}`)).payment_link
    expect(await readExpanded()).toMatchObject({ status: 'ACTIVE', ...nothing })
    const payer = await openPayerClient(app, link.id)
    await payer.payByCard(CARDS.decline)
    expect(await readExpanded()).toMatchObject({ status: 'ACTIVE', attempts: 1, ...nothing })
    await payer.payByCard(CARDS.pendingSuccess)
    expect(await readExpanded()).toMatchObject({
      status: 'PAYMENT_PENDING',
      account: { id: account },
      payment: { status: 'PENDING', transaction: { status: 'PENDING' } },
      payment_method: null,
    })
  })
})

describe('a name that cannot be expanded', () => {
  it.each([
    ['/accounts', 'payment'],
    [`/accounts/${mine.account}`, 'created_session.user'],
    ['/accounts/nobody', 'crm_key'],
    [`/payment_links/${mine.payment_link}`, 'payment.payment_link'],
    ['/payment_links/pl_x_y', 'secret'],
    ['/payment_methods/pm_1_x', 'consent'],
    ['/payment_methods', 'account.payment'],
    ['/checkouts/ck_1_x', 'attempts'],
    ['/checkouts', 'payment_link.checkout'],
    ['/checkouts', 'payment_link.payment.payment_method.account.last_transaction'],
  ])('%s rejects %s, whether the record exists or not', async (path, name) => {
    const { status, json } = await api(`${path}?expand=${name}`)
    expect([status, json.error]).toEqual([
      400,
      { type: 'INVALID_REQUEST', message: `Cannot expand ${name}` },
    ])
  })

  it('is rejected with its parameter by a write', async () => {
    const { status, json } = await api('/accounts?expand=nobody', {
      body: { account: { crm_key: 'w' } },
    })
    expect([status, json.error.message]).toEqual([
      400,
      'Unknown query parameter expand; there are none here',
    ])
  })
})

describe('another merchant', () => {
  const loaded = Object.entries(EXPANSIONS).filter(([, { load }]) => load)

  it.each(loaded)('is not readable with any loader: %s', async (kind, { load }) => {
    const name = kind as keyof SeededIds
    expect(Object.keys(mine), 'makeEverything makes one of each kind').toContain(name)
    const from = { db, now: app.now, baseUrl: BASE }
    const ids = [mine[name], theirs[name], theirs[name], 'unknown']
    const { id: here } = app.merchant.instance
    expect([...((await load?.(from, here, ids)) ?? [])].map(([id]) => id)).toEqual([mine[name]])
    const { id: there } = other.instance
    expect([...((await load?.(from, there, ids)) ?? [])].map(([id]) => id)).toEqual([theirs[name]])
  })

  it('is not readable even if a row refers to its record', async () => {
    await db
      .updateTable('accounts')
      .set({ created_session: theirs.session, last_transaction_id: theirs.transaction })
      .where('id', '=', mine.account)
      .execute()
    await db
      .updateTable('payment_links')
      .set({
        account_id: theirs.account,
        payment_id: theirs.payment,
        payment_method_id: theirs.payment_method,
      })
      .where('id', '=', mine.payment_link)
      .execute()
    const forged = { created_session: theirs.session, last_transaction: theirs.transaction }
    const names = 'created_session,last_transaction'
    expect((await read(`/accounts/${mine.account}?expand=${names}`)).account).toMatchObject(forged)
    const expand = 'account.last_transaction,payment.transaction,payment_method.account,transaction'
    const { payment_links } = await read(
      `/payment_links?criteria=id=${mine.payment_link}&expand=${expand}`,
    )
    expect(payment_links[0]).toMatchObject({
      account: theirs.account,
      payment: theirs.payment,
      payment_method: theirs.payment_method,
      transaction: { id: mine.transaction },
    })
  })
})

describe('the number of queries', async () => {
  const full = await app.newMerchant()
  const made = await seedAll(app, full)
  await seedMore(app, made, 500)

  it.each([
    ['/payment_links', 'account.last_transaction,payment.payment_method.account,transaction'],
    ['/accounts', 'last_transaction,created_session,updated_session'],
    ['/payment_methods', 'account.created_session'],
    ['/checkouts', 'payment_link.payment.transaction,account.last_transaction'],
    ['/payments', 'transaction,account.last_transaction'],
    ['/charges', 'contract.payment_method,account'],
    ['/contracts', 'payment_method.account,account'],
  ])(
    '%s?expand=%s depends on the pieces of a page, not on the records in them',
    async (path, expand) => {
      const members = expand.split(',').map((name) => name.split('.')[0] as string)
      const listed = (limit: number) => async () => {
        const records = (await read(`${path}?limit=${limit}&expand=${expand}`, full.api))[
          path.slice(1)
        ]
        expect(records).toHaveLength(limit)
        for (const record of records) {
          for (const member of members) expect(record[member]).toHaveProperty('id')
        }
      }
      const few = await queriesDuring(app, listed(ROWS_AT_ONCE))
      const many = await queriesDuring(app, listed(20 * ROWS_AT_ONCE))
      expect(many.length).toBeLessThanOrEqual(20 * few.length)
      // One for each step of a path.
      expect(few.length).toBeGreaterThanOrEqual(expand.split(/[.,]/).length)
      expect(few.length).toBeLessThan(ROWS_AT_ONCE)
    },
  )
})
