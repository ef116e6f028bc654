import { describe, expect, it } from 'vitest'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { newLink, openPayerClient, readLink } from '../../test/payer-client.ts'

const app = await startTestApp()
const { api } = app.merchant

const create = async (account: Record<string, unknown>) =>
  (await api('/accounts', { body: { account } })).json.account
const change = (named: string, account: unknown) =>
  api(`/accounts/${named}`, { method: 'PUT', body: { account } })
const read = (named: string) => api(`/accounts/${named}`)

describe('making an account', () => {
  it('needs a crm_key and takes the rest as it comes', async () => {
    const input = {
      crm_key: 'crm 1/ü',
      company: 'Ada & Co',
      email: 'not an e-mail',
      phone: 'call after six',
      first_name: 'Ada',
      last_name: 'Lovelace',
      address: { line1: '1 Road', line5: 'any code', country: 'GB', line6: 'GB-ENG' },
      metadata: { tier: 'gold' },
      tags: 'a,b',
      locale: 'en_GB',
      timezone: 'Asia/Kolkata',
      channel: 'web-shop',
      division: 'North',
      crm: 'salesforce',
    }
    const account = await create(input)
    expect(account).toMatchObject({ ...input, status: 'ACTIVE', last_transacted: null, v: 1 })
    expect(account.id).toMatch(/^acc_[0-9]+_[0-9a-z]+$/)
    expect((await read(account.id)).json.account).toEqual(account)
  })

  it.each([
    [{}, 'account.crm_key is required'],
    [{ crm_key: null }, 'account.crm_key must not be null'],
    [{ crm_key: '' }, 'account.crm_key must not be empty'],
    [{ crm_key: 'acc_1_a' }, 'account.crm_key must not have the form of an id'],
    [{ crm_key: 'x', name: 'y' }, 'Unknown field account.name'],
    [
      { crm_key: 'x', address: { country: 'UK' } },
      'account.address.country must be an ISO 3166-1 alpha-2 code such as DE',
    ],
    [
      { crm_key: 'x', address: { line6: 'California' } },
      'account.address.line6 must be an ISO 3166-2 code such as US-CA',
    ],
    [
      { crm_key: 'x', address: { line6: 'US-CA', country: 'DE' } },
      'account.address.line6 must lie in the country of the address',
    ],
    [{ crm_key: 'x', channel: 'x'.repeat(65) }, 'account.channel must be at most 64 characters'],
    [{ crm_key: 'x', metadata: { a: 1 } }, 'account.metadata.a must be a string'],
    [{ crm_key: 'x', timezone: 'Mars' }, 'account.timezone must be an IANA time zone name'],
    [{ crm_key: 'x', status: 'ACTIVE' }, 'Unknown field account.status'],
  ])('refuses %j', async (account, message) => {
    const { status, json } = await api('/accounts', { body: { account } })
    expect(status).toBe(400)
    expect(json.error.message).toContain(message)
  })

  it('makes another one for a crm_key that exists', async () => {
    const [first, second] = [await create({ crm_key: 'twice' }), await create({ crm_key: 'twice' })]
    expect(first.id).not.toBe(second.id)
  })
})

describe('finding an account', () => {
  it('by crm_key means the most recently updated one', async () => {
    const older = await create({ crm_key: 'shared' })
    app.pass(1000)
    const newer = await create({ crm_key: 'shared' })
    expect((await read('shared')).json.account.id).toBe(newer.id)
    app.pass(1000)
    await change(older.id, { company: 'Now newer' })
    expect((await read('shared')).json.account.id).toBe(older.id)
  })

  it('by crm_key is exact, and decodes the path once', async () => {
    const account = await create({ crm_key: 'a/b %2F+c' })
    expect((await read(encodeURIComponent('a/b %2F+c'))).json.account.id).toBe(account.id)
    await create({ crm_key: 'Case' })
    expect((await read('case')).status).toBe(404)
  })

  it.each(['acc_1_a', 'nobody', '%00'])('answers 404 for %s', async (idOrKey) => {
    const { status, json } = await read(idOrKey)
    expect([status, json.error]).toEqual([404, { type: 'NOT_FOUND', message: 'Account not found' }])
  })
})

describe('changing an account', () => {
  it('counts another order of the metadata as no change', async () => {
    const account = await create({ crm_key: 'order', metadata: { b: '1', a: '2' } })
    const after = (await change(account.id, { metadata: { a: '2', b: '1' } })).json.account
    expect([after.v, Object.keys(after.metadata)]).toEqual([1, ['b', 'a']])
  })

  it('keeps what is not named, clears what is null, merges the address, replaces the metadata', async () => {
    const account = await create({
      crm_key: 'change',
      first_name: 'Ada',
      phone: '1',
      address: { line1: 'a', line4: 'b' },
      metadata: { x: '1', y: '2' },
    })
    app.pass(1000)
    const { json } = await change(account.id, {
      phone: null,
      address: { line4: null, country: 'GB' },
      metadata: { z: '3' },
    })
    expect(json.account).toMatchObject({
      first_name: 'Ada',
      phone: null,
      address: { line1: 'a', country: 'GB' },
      metadata: { z: '3' },
      v: 2,
    })
    expect(Date.parse(json.account.updated)).toBe(app.now())
    const cleared = (await change(account.id, { address: null, metadata: null })).json.account
    expect([cleared.address, cleared.metadata]).toEqual([null, {}])
  })

  it('sets and clears the channel, the division and the CRM', async () => {
    const account = await create({ crm_key: 'sorted', channel: 'shop' })
    const input = { channel: 'phone', division: 'North', crm: 'hubspot' }
    expect((await change(account.id, input)).json.account).toMatchObject({ ...input, v: 2 })
    const cleared = { channel: null, division: null, crm: null }
    expect((await change(account.id, cleared)).json.account).toMatchObject(cleared)
  })

  it('keeps the subdivision in the country, whichever of them was there before', async () => {
    const { id } = await create({ crm_key: 'moves', address: { country: 'US', line6: 'US-CA' } })
    for (const address of [{ country: 'DE' }, { line6: 'DE-BY' }]) {
      const { status, json } = await change(id, { address })
      expect([status, json.error.message]).toEqual([
        400,
        'account.address.line6 must lie in the country of the address',
      ])
    }
    const moved = await change(id, { address: { country: 'DE', line6: 'DE-BY' } })
    expect(moved.json.account.address).toEqual({ country: 'DE', line6: 'DE-BY' })
    expect((await change(id, { address: { line6: null, country: 'FR' } })).status).toBe(200)
  })

  it('counts a version for a real change only', async () => {
    const account = await create({ crm_key: 'same', company: 'A' })
    app.pass(1000)
    expect((await change(account.id, { company: 'A' })).json.account).toEqual(account)
  })

  it('never changes the crm_key', async () => {
    const account = await create({ crm_key: 'fixed' })
    const { status, json } = await change(account.id, { crm_key: 'other' })
    expect([status, json.error.message]).toEqual([400, 'Unknown field account.crm_key'])
  })

  it('makes an account active that a payer’s page made', async () => {
    const link = await newLink(app.merchant, { amount: '1.00', account: { crm_key: 'payer' } })
    const payer = await openPayerClient(app, link.id)
    await payer.payByCard(CARDS.decline, { account: { first_name: 'P' } })
    expect((await read('payer')).json.account.status).toBe('PENDING')
    expect((await change('payer', {})).json.account.status).toBe('ACTIVE')
  })

  it('loses none of many changes that arrive together', async () => {
    const account = await create({ crm_key: 'busy' })
    const lines = ['line1', 'line2', 'line3', 'line4', 'line5']
    await Promise.all(lines.map((line) => change(account.id, { address: { [line]: line } })))
    const after = (await read(account.id)).json.account
    expect([Object.keys(after.address).toSorted(), after.v]).toEqual([lines, 6])
  })
})

describe('an account on a link', () => {
  it('is paid for, and remembers when', async () => {
    const account = await create({ crm_key: 'link' })
    const link = await newLink(app.merchant, { amount: '1.00', account: account.id })
    await (await openPayerClient(app, link.id)).payByCard(CARDS.approve)
    const paid = await readLink(app.merchant, link.id)
    expect(paid.account).toBe(account.id)
    expect((await read(account.id)).json.account).toMatchObject({
      last_transaction: paid.transaction,
    })
  })

  it('decides the language by its locale', async () => {
    const account = await create({ crm_key: 'locale', locale: 'fr-CH' })
    const link = await newLink(app.merchant, { amount: '1.00', account: account.id })
    expect((await openPayerClient(app, link.id)).checkout.language).toBe('fr')
  })
})

it('a list finds an e-mail address in any case, also one that was changed', async () => {
  const account = await create({ crm_key: 'mail', email: 'Ada@Example.COM' })
  const found = async (email: string) => {
    const { json } = await api(`/accounts?criteria=email=${email}`)
    return json.accounts.map(({ id }: { id: string }) => id)
  }
  expect(await found('ada@example.com')).toEqual([account.id])
  await change(account.id, { email: 'ADA@example.org' })
  expect(await found('ada@example.com')).toEqual([])
  expect(await found('ada@EXAMPLE.org')).toEqual([account.id])
  await change(account.id, { email: '漢'.repeat(1000) })
  expect(await found('漢'.repeat(1000))).toEqual([account.id])
  expect(await found('漢'.repeat(999))).toEqual([])
  await change(account.id, { email: '' })
  expect(await found('ada@example.org')).toEqual([])
})
