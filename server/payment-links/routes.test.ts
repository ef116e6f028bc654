import { describe, expect, it } from 'vitest'
import { basic, type Call, startTestApp } from '../../test/app.ts'
import { newLink, readLink } from '../../test/payer-client.ts'

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

  it('stores an option of null as not set', async () => {
    const { json } = await create({
      options: { amount: null, name: 'A', account: { phone: null } },
    })
    expect(json.payment_link.options).toEqual({ name: 'A', account: {} })
  })

  it('writes times in UTC with milliseconds', async () => {
    const { json } = await create({ expires: '2030-06-01T02:00:00+02:00' })
    expect(json.payment_link.expires).toBe('2030-06-01T00:00:00.000Z')
  })

  it('keeps any object, array or string as state, a __proto__ member too', async () => {
    for (const state of [{ a: { b: [1, null] } }, [1, 'x'], 'text', {}]) {
      expect((await create({ state })).json.payment_link.state).toEqual(state)
    }
    const raw = '{"payment_link":{"state":{"__proto__":{"polluted":true},"a":null}}}'
    const { text } = await api('/payment_links', {
      raw,
      headers: { 'content-type': 'application/json' },
    })
    expect(text).toContain('"state":{"__proto__":{"polluted":true},"a":null}')
  })

  it('counts the 10 240 bytes of state in UTF-8', async () => {
    const fits = 'é'.repeat(5119)
    expect((await create({ state: fits })).status).toBe(200)
    const response = await create({ state: `${fits}x` })
    expect(response.status).toBe(400)
    expect(response.json.error.message).toBe(
      'payment_link.state must be at most 10240 bytes as JSON',
    )
  })

  const refused: [string, unknown, string][] = [
    [
      'a past expiry',
      { expires: '2030-05-01T12:00:00Z' },
      'payment_link.expires must be in the future',
    ],
    [
      'a date alone',
      { expires: '2031-01-01' },
      'payment_link.expires must be an RFC 3339 date-time',
    ],
    [
      'a day that does not exist',
      { expires: '2031-02-30T00:00:00Z' },
      'payment_link.expires must be',
    ],
    [
      'a misspelt option',
      { options: { skip_reciept: true } },
      'Unknown field payment_link.options.skip_reciept',
    ],
    ['a misspelt member', { option: {} }, 'Unknown field payment_link.option'],
    [
      'a number as amount',
      { options: { amount: 10.5 } },
      'payment_link.options.amount must be a string',
    ],
    [
      'a comma in an amount',
      { options: { amount: '1,000.00' } },
      'payment_link.options.amount must be a decimal amount',
    ],
    [
      'an amount of nothing',
      { options: { amount: '0.00' } },
      'payment_link.options.amount must be more than zero',
    ],
    [
      'more decimals than the currency has',
      { options: { amount: '10.505', currency: 'GBP' } },
      'payment_link.options.amount has too many decimal places for GBP',
    ],
    [
      'decimals of a currency without',
      { options: { amount: '500.50', currency: 'JPY' } },
      'payment_link.options.amount has too many decimal places for JPY',
    ],
    [
      'decimals by the default currency',
      { options: { default_amount: '1.234' } },
      'payment_link.options.default_amount has too many decimal places for EUR',
    ],
    [
      'what is not money',
      { options: { currency: 'XAU' } },
      'payment_link.options.currency is not an ISO 4217 currency',
    ],
    [
      'a currency in small letters',
      { options: { currency: 'eur' } },
      'payment_link.options.currency must be three capital letters',
    ],
    [
      'text as a flag',
      { options: { save_card: 'true' } },
      'payment_link.options.save_card must be true or false',
    ],
    [
      'a wrong account id',
      { options: { account: 'acc_1' } },
      'payment_link.options.account must be an account id',
    ],
    [
      'a misspelt member of an account',
      { options: { account: { mail: 'x' } } },
      'Unknown field payment_link.options.account.mail',
    ],
    [
      'an e-mail that is none',
      { options: { account: { email: 'x' } } },
      'payment_link.options.account.email must be an email address',
    ],
    [
      'a region of another country',
      { options: { account: { address: { country: 'DE', line6: 'US-CA' } } } },
      'payment_link.options.account.address.line6 must lie in the country',
    ],
    [
      'a script as target',
      { options: { success_url: 'javascript:alert(1)' } },
      'payment_link.options.success_url must be an absolute https URL',
    ],
    [
      'a target with a user',
      { options: { pending_url: 'https://u:p@shop.example' } },
      'payment_link.options.pending_url may not carry',
    ],
    [
      'another source',
      { options: { source: 'MOTO' } },
      'payment_link.options.source must be ECOMMERCE',
    ],
    [
      'an offset as time zone',
      { options: { timezone: '+01:00' } },
      'payment_link.options.timezone must be an IANA time zone name',
    ],
    [
      'a key that looks like an id',
      { options: { alt_key: 'pay_1_a' } },
      'payment_link.options.alt_key must not have the form of an id',
    ],
    [
      'a key with outer spaces',
      { options: { alt_key: ' a' } },
      'payment_link.options.alt_key must not begin or end with a space',
    ],
    [
      'a number as state',
      { state: 5 },
      'payment_link.state must be an object, an array or a string',
    ],
    ['options that are a list', { options: [] }, 'payment_link.options must be an object'],
  ]
  it.each(refused)('refuses %s and names it', async (_what, payment_link, message) => {
    const { status, json } = await create(payment_link)
    expect([status, json.error.type]).toEqual([400, 'INVALID_REQUEST'])
    expect(json.error.message).toContain(message)
  })

  it('refuses a body without payment_link', async () => {
    for (const [body, message] of [
      [{}, 'payment_link is required'],
      [{ payment_link: null }, 'payment_link must not be null'],
      [[], 'body must be an object'],
      [{ payment_link: {}, mode: 'PATCH' }, 'Unknown field mode'],
    ] as const) {
      const { status, json } = await api('/payment_links', { body })
      expect([status, json.error.message]).toEqual([400, message])
    }
  })

  it('returns 404 for an account that the instance does not have', async () => {
    const { status, json } = await create({ options: { account: 'acc_1_abc' } })
    expect([status, json.error]).toEqual([404, { type: 'NOT_FOUND', message: 'Account not found' }])
  })
})

describe('invalid bodies', () => {
  const JSON_TYPE = { 'content-type': 'application/json' }
  const deep = `{"payment_link":{"state":${'['.repeat(40)}${']'.repeat(40)}}}`
  const wide = JSON.stringify({ payment_link: { state: Array.from({ length: 10_001 }, () => 0) } })
  const cases: [
    string,
    { raw: NonNullable<Call['raw']>; headers?: Record<string, string> },
    string,
  ][] = [
    ['no JSON', { raw: '{"payment_link":', headers: JSON_TYPE }, 'body must be valid JSON'],
    ['nothing', { raw: '', headers: JSON_TYPE }, 'payment_link is required'],
    [
      'another content type',
      { raw: '{}', headers: { 'content-type': 'text/plain' } },
      'Content-Type must be application/json',
    ],
    [
      'broken UTF-8',
      { raw: new Uint8Array([0x22, 0xff, 0x22]), headers: JSON_TYPE },
      'body must be valid JSON',
    ],
    [
      'forty levels',
      { raw: deep, headers: JSON_TYPE },
      'body must be nested at most 32 levels deep',
    ],
    [
      'ten thousand members',
      { raw: wide, headers: JSON_TYPE },
      'body must have at most 10000 members',
    ],
    [
      'more than a megabyte',
      { raw: ' '.repeat(1_000_001), headers: JSON_TYPE },
      'body must be at most 1000000 bytes',
    ],
    [
      'a megabyte in pieces',
      { raw: pieces(1_000_001), headers: JSON_TYPE },
      'body must be at most 1000000 bytes',
    ],
  ]
  it.each(cases)('refuses %s in the nested shape', async (_what, call, message) => {
    const { status, json } = await api('/payment_links', { method: 'POST', ...call })
    expect([status, json.error]).toEqual([400, { type: 'INVALID_REQUEST', message }])
  })

  function pieces(bytes: number): ReadableStream<Uint8Array> {
    let left = bytes
    return new ReadableStream({
      pull(controller) {
        const size = Math.min(left, 64_000)
        if (size === 0) controller.close()
        else controller.enqueue(new Uint8Array(size).fill(32))
        left -= size
      },
    })
  }
})

describe('changing a link', () => {
  const stored = {
    options: { name: 'A', amount: '1.00', account: { email: 'y@example.com', phone: '1' } },
    state: { j: 2 },
  }
  const { account } = stored.options
  const cases: [string, unknown, string, unknown, unknown][] = [
    ['nothing', {}, 'REPLACE', stored.options, stored.state],
    ['nothing', {}, 'PATCH', stored.options, stored.state],
    ['one option', { options: { name: 'B' } }, 'REPLACE', { name: 'B' }, stored.state],
    [
      'one option',
      { options: { name: 'B' } },
      'PATCH',
      { ...stored.options, name: 'B' },
      stored.state,
    ],
    ['empty options', { options: {} }, 'REPLACE', {}, stored.state],
    ['empty options', { options: {} }, 'PATCH', stored.options, stored.state],
    ['null options', { options: null }, 'REPLACE', {}, stored.state],
    ['null options', { options: null }, 'PATCH', {}, stored.state],
    ['a null option', { options: { amount: null } }, 'REPLACE', {}, stored.state],
    ['a null option', { options: { amount: null } }, 'PATCH', { name: 'A', account }, stored.state],
    [
      'part of the account',
      { options: { account: { email: 'x@example.com' } } },
      'REPLACE',
      { account: { email: 'x@example.com' } },
      stored.state,
    ],
    [
      'part of the account',
      { options: { account: { email: 'x@example.com' } } },
      'PATCH',
      { ...stored.options, account: { email: 'x@example.com', phone: '1' } },
      stored.state,
    ],
    ['a state member', { state: { k: 1 } }, 'REPLACE', stored.options, { k: 1 }],
    ['a state member', { state: { k: 1 } }, 'PATCH', stored.options, { j: 2, k: 1 }],
    ['a state list', { state: [1] }, 'PATCH', stored.options, [1]],
    ['a state text', { state: 's' }, 'REPLACE', stored.options, 's'],
    ['no state', { state: null }, 'PATCH', stored.options, null],
    ['no state', { state: null }, 'REPLACE', stored.options, null],
  ]
  it.each(cases)('%s %j under %s', async (_what, payment_link, mode, options, state) => {
    const link = await newLink(app.merchant, stored.options, { state: stored.state })
    const { status, json } = await change(link.id, payment_link, mode)
    expect(status).toBe(200)
    expect(json.payment_link.options).toEqual(options)
    expect(json.payment_link.state).toEqual(state)
  })

  it('replaces when no mode is given', async () => {
    const link = await newLink(app.merchant, { name: 'A', amount: '1.00' })
    expect((await change(link.id, { options: { name: 'B' } })).json.payment_link.options).toEqual({
      name: 'B',
    })
  })

  it('keeps an expiry that a REPLACE does not name, and clears it with null', async () => {
    const link = await newLink(app.merchant, {}, { expires: FUTURE })
    expect((await change(link.id, { state: 'x' })).json.payment_link.expires).toBe(FUTURE)
    expect((await change(link.id, { expires: null })).json.payment_link.expires).toBeNull()
  })

  it('replaces an account id by an object whole, even under PATCH', async () => {
    const link = await newLink(app.merchant, { account: { email: 'y@example.com' } })
    const response = await change(
      link.id,
      { options: { account: { phone: '2', email: null } } },
      'PATCH',
    )
    expect(response.json.payment_link.options).toEqual({ account: { phone: '2' } })
  })

  it('checks rules on the result of a PATCH', async () => {
    const link = await newLink(app.merchant, { amount: '10.50', currency: 'EUR' })
    const currency = await change(link.id, { options: { currency: 'JPY' } }, 'PATCH')
    expect(currency.json.error.message).toBe(
      'payment_link.options.amount has too many decimal places for JPY',
    )
    const big = 'x'.repeat(6000)
    await change(link.id, { state: { a: big } })
    const state = await change(link.id, { state: { b: big } }, 'PATCH')
    expect([state.status, state.json.error.message]).toEqual([
      400,
      'payment_link.state must be at most 10240 bytes as JSON',
    ])
    expect((await readLink(app.merchant, link.id)).state).toEqual({ a: big })
  })

  it('refuses an unknown mode, in small letters too', async () => {
    const link = await newLink(app.merchant)
    for (const mode of ['patch', 'MERGE', '']) {
      const { status, json } = await change(link.id, {}, mode)
      expect([status, json.error.message]).toEqual([400, 'mode must be PATCH or REPLACE'])
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
    const { status, json } = await change(link.id, { state: 'x' })
    expect([status, json.error]).toEqual([
      400,
      { type: 'INVALID_STATE', message: 'Payment link is archived' },
    ])
  })

  it('is 404 under every method when it does not exist', async () => {
    for (const id of ['pl_x_y', 'nonsense', '%00', 'acc_1_a', "pl_a_b'--"]) {
      for (const call of [
        {},
        { method: 'DELETE' },
        { method: 'PUT', body: { payment_link: {} } },
      ]) {
        const { status, json } = await api(`/payment_links/${id}`, call)
        expect([status, json.error.message]).toEqual([404, 'Payment link not found'])
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
  const path = '/c/api/instances/default/payment_links/pl_x_y'
  const UNAUTHORISED = { code: 'UNAUTHORIZED', message: 'Unauthorized' }

  it('returns 401 before it checks the instance, the route or the body', async () => {
    const key = app.merchant.secretKey
    const headers = [
      {},
      { authorization: 'Basic' },
      { authorization: 'Basic !!!' },
      { authorization: basic('sk_test_wrong:') },
      { authorization: basic(key) },
      { authorization: basic(`${key}:password`) },
      { authorization: `${basic(`${key}:`)}=` },
      { authorization: `Bearer ${key}` },
      { authorization: basic('nobody@example.com:password') },
    ]
    for (const header of headers) {
      for (const address of [
        path,
        '/c/api/instances/nope/payment_links',
        '/c/api/instances/default/nope',
      ]) {
        const { status, json } = await app.call(address, {
          headers: header as Record<string, string>,
        })
        expect([status, json]).toEqual([401, UNAUTHORISED])
      }
    }
  })

  it('returns 401 for valid credentials without the instance in the path', async () => {
    const { status, json } = await app.call('/c/api/payment_links', {
      headers: { authorization: basic(`${app.merchant.secretKey}:`) },
    })
    expect([status, json]).toEqual([401, UNAUTHORISED])
  })

  it('returns the same 404 for an unknown instance and another merchant’s', async () => {
    await app.newMerchant({ key: 'other' })
    for (const key of ['other', 'nope', 'no%20pe', '%zz']) {
      const { status, json } = await app.call(`/c/api/instances/${key}/payment_links`, {
        headers: { authorization: basic(`${app.merchant.secretKey}:`) },
        body: 'not even an object',
      })
      expect([status, json.error]).toEqual([
        404,
        { type: 'NOT_FOUND', message: 'Instance not found' },
      ])
    }
  })

  it('keeps merchants with the same instance key apart', async () => {
    const other = await app.newMerchant()
    const own = await newLink(app.merchant)
    const { status, json } = await other.api(`/payment_links/${own.id}`)
    expect([status, json.error.message]).toEqual([404, 'Payment link not found'])
    expect((await other.api(`/payment_links/${own.id}`, { method: 'DELETE' })).status).toBe(404)
    expect((await readLink(app.merchant, own.id)).archived).toBeNull()
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
    const wrong = { authorization: basic('owner@example.com:wrong') }
    expect((await app.call('/c/api/instances/two/payment_links', { headers: wrong })).status).toBe(
      401,
    )
  })

  it('returns 405 with Allow for an unsupported method', async () => {
    const response = await api('/payment_links/pl_x_y', { method: 'POST', body: {} })
    expect([response.status, response.json.error.type]).toEqual([405, 'METHOD_NOT_ALLOWED'])
    expect(response.headers.get('allow')).toBe('GET, PUT, DELETE')
  })
})
