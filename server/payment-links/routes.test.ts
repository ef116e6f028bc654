import { describe, expect, it } from 'vitest'
import { basic, startTestApp } from '../../test/app.ts'
import { newLink, readLink } from '../../test/payer-client.ts'
import { errorSummary } from '../../test/payments-client.ts'

const app = await startTestApp()
const { api } = app.merchant
const FUTURE = '2030-06-01T00:00:00.000Z'

const create = (payment_link: unknown) => api('/payment_links', { body: { payment_link } })
const change = (id: string, payment_link: unknown, mode?: string) =>
  api(`/payment_links/${id}`, {
    method: 'PUT',
    body: { payment_link, ...(mode === undefined ? {} : { mode }) },
  })

describe('creating a link', () => {
  it('requires only an empty object', async () => {
    const { status, json } = await create({})
    expect(status).toBe(200)
    expect(json.payment_link).toMatchObject({
      status: 'ACTIVE',
      expires: null,
      options: {},
      state: null,
      archived: null,
      opened: null,
      attempts: 0,
      v: 1,
    })
    expect(json.payment_link.id).toMatch(/^pl_[0-9A-Za-z]+_[0-9A-Za-z]{24}$/)
    expect(json.payment_link.url).toBe(`http://shop.test/pay/${json.payment_link.id}`)
  })

  it('keeps options exactly as they were sent and adds no defaults', async () => {
    const options = {
      amount: '010.50',
      currency: 'EUR',
      success_url: 'https://shop.example/thanks?q=a%20b&flag#top',
      save_card: false,
      skip_receipt: true,
      account: { email: 'ada@example.com', address: { country: 'US', line6: 'US-CA' } },
      timezone: 'Asia/Kolkata',
    }
    expect((await create({ options })).json.payment_link.options).toEqual(options)
  })

  it('keeps any object, array or string as state', async () => {
    for (const state of [{ a: { b: [1, null] } }, [1, 'x'], 'text', {}]) {
      expect((await create({ state })).json.payment_link.state).toEqual(state)
    }
  })

  it.each([
    [{ expires: '2030-05-01T12:00:00Z' }, 'expires must be in the future'],
    [{ expires: '2031-01-01' }, 'expires must be an RFC 3339 date-time'],
    [{ expires: '2031-02-30T00:00:00Z' }, 'expires must be an RFC 3339 date-time'],
    [{ state: 5 }, 'state must be an object, an array or a string'],
    [{ options: [] }, 'options must be an object'],
  ])('refuses %j and names the member', async (payment_link, message) => {
    const response = await create(payment_link)
    const named = expect.stringContaining(`payment_link.${message}`)
    expect(errorSummary(response)).toEqual([400, 'INVALID_REQUEST', named])
  })

  it.each([
    [{ amount: 10.5 }, 'amount must be a string'],
    [{ amount: '1,000.00' }, 'amount must be a decimal amount'],
    [{ amount: '0.00' }, 'amount must be more than zero'],
    [{ default_amount: '1.234' }, 'default_amount has too many decimal places for EUR'],
    [{ currency: 'XAU' }, 'currency is not an ISO 4217 currency'],
    [{ currency: 'eur' }, 'currency must be three capital letters'],
    [{ save_card: 'true' }, 'save_card must be true or false'],
    [{ account: 'acc_1' }, 'account must be an account id'],
    [{ account: { email: 'x' } }, 'account.email must be an email address'],
    [
      { account: { address: { country: 'DE', line6: 'US-CA' } } },
      'account.address.line6 must lie in the country',
    ],
    [{ success_url: 'javascript:alert(1)' }, 'success_url must be an absolute https URL'],
    [{ pending_url: 'https://u:p@shop.example' }, 'pending_url may not carry'],
    [{ source: 'MOTO' }, 'source must be ECOMMERCE'],
    [{ timezone: '+01:00' }, 'timezone must be an IANA time zone name'],
    [{ alt_key: 'pay_1_a' }, 'alt_key must not have the form of an id'],
    [{ alt_key: ' a' }, 'alt_key must not begin or end with a space'],
  ])('refuses the options %j and names the member', async (options, message) => {
    const response = await create({ options })
    const named = expect.stringContaining(`payment_link.options.${message}`)
    expect(errorSummary(response)).toEqual([400, 'INVALID_REQUEST', named])
  })

  it.each([
    [{ mode: 'PATCH', payment_link: {} }, 'mode'],
    [{ payment_link: { option: {} } }, 'payment_link.option'],
    [{ payment_link: { options: { skip_reciept: true } } }, 'payment_link.options.skip_reciept'],
  ])('refuses the unknown member of %j', async (body, member) => {
    const response = await api('/payment_links', { body })
    expect(errorSummary(response)).toEqual([400, 'INVALID_REQUEST', `Unknown field ${member}`])
  })

  it('returns 404 for an account that the instance does not have', async () => {
    const response = await create({ options: { account: 'acc_1_abc' } })
    expect(errorSummary(response)).toEqual([404, 'NOT_FOUND', 'Account not found'])
  })
})

describe('changing a link', () => {
  const options = { name: 'A', amount: '1.00' }
  const state = { j: 2 }
  it.each([
    [{ options: { name: 'B' } }, 'REPLACE', { options: { name: 'B' }, state }],
    [{ options: { name: 'B' } }, 'PATCH', { options: { ...options, name: 'B' }, state }],
    [{ options: null }, 'PATCH', { options: {}, state }],
    [{ state: { k: 1 } }, 'REPLACE', { options, state: { k: 1 } }],
    [{ state: { k: 1 } }, 'PATCH', { options, state: { j: 2, k: 1 } }],
    [{ state: null }, 'REPLACE', { options, state: null }],
  ])('by %j under %s stores %j', async (payment_link, mode, changed) => {
    const { id } = await newLink(app.merchant, options, { state })
    expect((await change(id, payment_link, mode)).json.payment_link).toMatchObject(changed)
    const read = await readLink(app.merchant, id)
    expect({ options: read.options, state: read.state }).toEqual(changed)
  })

  it('replaces when no mode is given', async () => {
    const link = await newLink(app.merchant, { name: 'A', amount: '1.00' })
    expect((await change(link.id, { options: { name: 'B' } })).json.payment_link.options).toEqual({
      name: 'B',
    })
  })

  it('limits the state that a PATCH results in', async () => {
    const big = 'x'.repeat(6000)
    const link = await newLink(app.merchant, {}, { state: { a: big } })
    expect(errorSummary(await change(link.id, { state: { b: big } }, 'PATCH'))).toEqual([
      400,
      'INVALID_REQUEST',
      'payment_link.state must be at most 10240 bytes as JSON',
    ])
    expect((await readLink(app.merchant, link.id)).state).toEqual({ a: big })
  })

  it('refuses an unknown mode, in small letters too', async () => {
    const link = await newLink(app.merchant)
    for (const mode of ['patch', 'MERGE', '']) {
      const error = [400, 'INVALID_REQUEST', 'mode must be PATCH or REPLACE']
      expect(errorSummary(await change(link.id, {}, mode))).toEqual(error)
    }
  })

  it('increments the version for each actual change only', async () => {
    const link = await newLink(app.merchant, { name: 'A' })
    app.pass(1000)
    const same = (await change(link.id, { options: { name: 'A' } })).json.payment_link
    expect([same.v, same.updated]).toEqual([1, link.updated])
    const other = (await change(link.id, { options: { name: 'B' } })).json.payment_link
    expect(other.v).toBe(2)
    expect(Date.parse(other.updated)).toBe(app.now())
  })

  it('keeps all of many concurrent changes', async () => {
    const link = await newLink(app.merchant, {}, { state: {} })
    await Promise.all(
      Array.from({ length: 10 }, (_, i) => change(link.id, { state: { [`k${i}`]: i } }, 'PATCH')),
    )
    const after = await readLink(app.merchant, link.id)
    expect(Object.keys(after.state)).toHaveLength(10)
    expect(after.v).toBe(11)
  })
})

describe('the life of a link', () => {
  it('expires by time, and is active again when the expiry is moved', async () => {
    const link = await newLink(
      app.merchant,
      {},
      { expires: new Date(app.now() + 60_000).toISOString() },
    )
    app.pass(59_999)
    expect((await readLink(app.merchant, link.id)).status).toBe('ACTIVE')
    app.pass(1)
    expect((await readLink(app.merchant, link.id)).status).toBe('EXPIRED')
    expect((await change(link.id, { expires: FUTURE })).json.payment_link.status).toBe('ACTIVE')
  })

  it('is archived once, returns 204 again, and then refuses changes', async () => {
    const link = await newLink(app.merchant)
    const remove = () => api(`/payment_links/${link.id}`, { method: 'DELETE' })
    expect((await remove()).status).toBe(204)
    const archived = await readLink(app.merchant, link.id)
    expect([archived.status, archived.v]).toEqual(['ACTIVE', 2])
    expect(archived.archived).not.toBeNull()
    expect((await remove()).status).toBe(204)
    expect(await readLink(app.merchant, link.id)).toEqual(archived)
    const error = [400, 'INVALID_STATE', 'Payment link is archived']
    expect(errorSummary(await change(link.id, { state: 'x' }))).toEqual(error)
  })

  it('is 404 under every method when it does not exist', async () => {
    for (const id of ['pl_x_y', 'nonsense', '%00', 'acc_1_a', "pl_a_b'--"]) {
      for (const call of [
        {},
        { method: 'DELETE' },
        { method: 'PUT', body: { payment_link: {} } },
      ]) {
        const response = await api(`/payment_links/${id}`, call)
        expect(errorSummary(response)).toEqual([404, 'NOT_FOUND', 'Payment link not found'])
      }
    }
  })

  it('refuses to expand members that a link does not have', async () => {
    const link = await newLink(app.merchant)
    const { status, json } = await api(`/payment_links/${link.id}?expand=payment,secret`)
    expect([status, json.error.message]).toEqual([400, 'Cannot expand secret'])
  })
})

describe('authentication', () => {
  it('is checked before the route, and the instance before the body', async () => {
    expect((await app.call('/c/api/instances/default/nope')).status).toBe(401)
    const unknown = await app.call('/c/api/instances/nope/payment_links', {
      headers: { authorization: basic(`${app.merchant.secretKey}:`) },
      body: 'not even an object',
    })
    expect(errorSummary(unknown)).toEqual([404, 'NOT_FOUND', 'Instance not found'])
  })

  it('accepts a user for every instance of their merchant and no other', async () => {
    const user = { email: 'Owner@Example.com', password: 'correct horse: battery' }
    await app.newMerchant({ merchant: 'Two shops', key: 'one', user })
    const second = await app.newMerchant({ merchant: 'Two shops', key: 'two' })
    const headers = { authorization: basic(`owner@example.com:${user.password}`) }
    const link = await newLink(second)
    const read = (key: string) =>
      app.call(`/c/api/instances/${key}/payment_links/${link.id}`, { headers })
    expect((await read('two')).status).toBe(200)
    expect((await read('one')).json.error.message).toBe('Payment link not found')
    expect((await read('default')).json.error.message).toBe('Instance not found')
  })

  it('returns 405 with Allow for an unsupported method', async () => {
    const response = await api('/payment_links/pl_x_y', { method: 'POST', body: {} })
    expect([response.status, response.json.error.type]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(response.headers.get('allow')).toBe('GET, PUT, DELETE')
  })
})
