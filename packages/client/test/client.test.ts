import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { startTestApp } from '../../../test/app.ts'
import { CARDS } from '../../../test/cards.ts'
import { listen } from '../../../test/listen.ts'
import { newPlatform, newTokens, newUser } from '../../../test/oauth.ts'
import { cardToken } from '../../../test/payer-client.ts'
import {
  type Account,
  Checkstand,
  CheckstandError,
  Conflict,
  ConnectionError,
  Duplicate,
  Forbidden,
  IdempotencyMismatch,
  InvalidRequest,
  InvalidState,
  NotFound,
  type Payment,
  RateLimited,
  ServerError,
  TimeoutError,
  Unauthorized,
} from '../src/index.ts'

const app = await startTestApp()
const { fetch: answer } = app.checkstand
const server = createAdaptorServer({ fetch: (request, env) => answer(request, env) }) as Server
const baseUrl = `http://127.0.0.1:${await listen(server)}`
const key = app.merchant.secretKey
const checkstand = new Checkstand({ baseUrl, key })

/** A `fetch` that does something else at some requests; `seen` has the headers of all. */
function disturbed(...faults: ((send: () => Promise<Response>) => Promise<Response>)[]) {
  const seen: Headers[] = []
  const own: typeof fetch = (input, init) => {
    seen.push(new Headers(init?.headers))
    const send = () => fetch(input, init)
    return faults.shift()?.(send) ?? send()
  }
  return { seen, client: new Checkstand({ baseUrl, key, fetch: own }) }
}

const lost = async () => {
  throw new TypeError('fetch failed')
}
const lostAnswer = async (send: () => Promise<Response>) => {
  await send()
  throw new TypeError('fetch failed')
}
const status = (code: number, headers = {}, type = 'SOMETHING') => {
  const body = JSON.stringify({ error: { type, message: 'Something' } })
  return async () => new Response(body, { status: code, headers })
}
const keyOf = (headers: Headers) => headers.get('idempotency-key')

// Tests do not wait between tries.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0))
afterEach(() => void vi.restoreAllMocks())

describe('records', () => {
  it('are made, read, changed and archived', async () => {
    const link = await checkstand.paymentLinks.create({
      options: { amount: '24.00', currency: 'EUR', name: 'Coffee' },
    })
    expectTypeOf(link.url).toBeString()
    expect(link.url).toContain(link.id)
    expect((await checkstand.paymentLinks.get(link.id)).options.amount).toBe('24.00')
    const changed = await checkstand.paymentLinks.update(
      link.id,
      { options: { amount: '12.00' } },
      { ifMatch: link.v, mode: 'PATCH' },
    )
    expect(changed.options).toMatchObject({ amount: '12.00', name: 'Coffee' })
    expect(await checkstand.paymentLinks.archive(link.id)).toBeUndefined()
    expect((await checkstand.paymentLinks.get(link.id)).archived).not.toBeNull()
  })

  it('are answered whole on demand', async () => {
    const call = checkstand.accounts.create({ crm_key: 'raw' })
    const { status: code, headers, body } = await call.raw()
    expect([code, headers.get('content-type')]).toEqual([200, 'application/json'])
    expect(body).toEqual({ account: await call })
  })

  it('have ids in place of others, or the records that are expanded', async () => {
    const account = await checkstand.accounts.create({ crm_key: 'expanded', email: 'a@b.example' })
    const payment_method = { token: await cardToken(app, CARDS.approve) }
    const made = await checkstand.payments.create({
      amount: '5.00',
      currency: 'EUR',
      account: account.id,
      payment_method,
    })
    const plain = await checkstand.payments.get(made.id)
    expectTypeOf(plain).toEqualTypeOf<Payment>()
    expectTypeOf(plain.account).toEqualTypeOf<string | null>()
    expect(plain.account).toBe(account.id)
    const whole = await checkstand.payments.get(made.id, { expand: ['account', 'transaction'] })
    expectTypeOf(whole.account).not.toEqualTypeOf<string | null>()
    expect(whole.account?.email).toBe('a@b.example')
    expect(whole.transaction?.payment).toBe(made.id)
    const { data } = await checkstand.payments.list({ expand: ['account'], limit: 1 })
    expect(data[0]?.account?.email).toBe('a@b.example')
    const refund = await checkstand.payments.refund(made.id, { amount: '2.00' })
    expect(refund).toMatchObject({ status: 'SUCCESS', amount: '2.00', payment: made.id })
  })

  it('are reached with the token of a platform', async () => {
    const { email } = await newUser(app)
    const scope = 'payment_links:write'
    const { access_token: token } = await newTokens(app, email, await newPlatform(app), { scope })
    const platform = new Checkstand({ baseUrl, token })
    const { id } = await platform.paymentLinks.create({ options: { name: 'By a platform' } })
    expect(id).toMatch(/^pl_/)
    await expect(platform.payments.list()).rejects.toBeInstanceOf(Forbidden)
  })
})

describe('a list', () => {
  it('is its first page, another page, or all records, each once', async () => {
    const crm_key = 'listed'
    const made: Account[] = []
    for (let at = 0; at < 7; at += 1) {
      app.pass(1000)
      made.push(await checkstand.accounts.create({ crm_key }))
    }
    const list = checkstand.accounts.list({ where: { crm_key }, limit: 3 })
    const first = await list
    expect(first).toMatchObject({ total: 7, limit: 3, offset: 0 })
    expect(first.data.map(({ id }) => id)).toEqual(
      made
        .slice(-3)
        .toReversed()
        .map(({ id }) => id),
    )
    expect((await list.page(3)).data).toHaveLength(1)
    const all: string[] = []
    for await (const account of list) {
      all.push(account.id)
      // What comes in meanwhile moves no page.
      app.pass(1000)
      if (all.length === 2) await checkstand.accounts.create({ crm_key })
    }
    expect(all).toEqual(made.map(({ id }) => id).toReversed())
    expect(await list.limit(2).all()).toHaveLength(2)
    const byKey = checkstand.accounts.list({ where: { crm_key }, order: 'id', limit: 5 })
    expect((await byKey.all()).map(({ id }) => id)).toHaveLength(8)
  })

  it('goes on beyond the end of pages by the time of creation, also of records of one moment', async () => {
    const records = Array.from({ length: 12_007 }, (_, at) => ({
      id: `r${String(at).padStart(6, '0')}`,
      created: new Date(Math.floor(at / 250) * 1000).toISOString(),
    })).toReversed()
    const requests: string[] = []
    const own: typeof fetch = async (input) => {
      const { searchParams } = new URL(input instanceof Request ? input.url : input)
      requests.push(searchParams.get('criteria') ?? '')
      const until = /created<=(.+)/.exec(searchParams.get('criteria') ?? '')?.[1] ?? '9'
      const [offset, limit] = ['offset', 'limit'].map((name) => Number(searchParams.get(name)))
      expect((offset ?? 0) + (limit ?? 0)).toBeLessThanOrEqual(5000)
      const matching = records.filter(({ created }) => created <= until)
      const payments = matching.slice(offset, (offset ?? 0) + (limit ?? 0))
      return Response.json({ payments, meta: { limit, offset, total: matching.length } })
    }
    const client = new Checkstand({ baseUrl, key, fetch: own })
    const all = await client.payments.list({ where: { status: 'SUCCESS' } }).all()
    expect(all.map(({ id }) => id)).toEqual(records.map(({ id }) => id))
    expect(requests.every((criteria) => criteria.startsWith('status=SUCCESS'))).toBe(true)
    const ordered = client.payments.list({ order: 'amount', limit: 1000 })
    await expect(ordered.all()).rejects.toThrow('in the order of amount ends after 5000 records')
  })
})

describe('an error', () => {
  it.each([
    [() => checkstand.paymentLinks.create({ options: { amount: '24,00' } }), InvalidRequest],
    [() => checkstand.payments.get('pay_1_1'), NotFound],
    [() => new Checkstand({ baseUrl, key: 'sk_test_wrong' }).payments.list(), Unauthorized],
    [() => new Checkstand({ baseUrl, key, instance: 'none' }).instance.get(), NotFound],
  ])('has the class of its cause: %s', async (call, Class) => {
    const error = await Promise.resolve(call()).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Class)
    expect(error).toMatchObject({ name: Class.name, requestId: expect.any(String) })
  })

  it('names the member', async () => {
    const error = await checkstand.paymentLinks
      .create({ options: { amount: '24,00' } })
      .catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({
      type: 'INVALID_REQUEST',
      status: 400,
      member: 'payment_link.options.amount',
      message: expect.stringContaining('must be a decimal amount'),
    })
  })

  it.each([
    ['INVALID_STATE', 400, InvalidState],
    ['DUPLICATE', 400, Duplicate],
    ['IDEMPOTENCY', 422, IdempotencyMismatch],
    ['INTERNAL', 500, ServerError],
    ['TOO_MANY_REQUESTS', 429, RateLimited],
  ])('of the type %s is one of its class', async (type, code, Class) => {
    const { client } = disturbed(...Array.from({ length: 3 }, () => status(code, {}, type)))
    await expect(client.paymentLinks.create()).rejects.toBeInstanceOf(Class)
  })

  it('is a conflict when somebody else has changed the record', async () => {
    const { id, v } = await checkstand.paymentLinks.create()
    const change = { options: { name: 'Other' } }
    await checkstand.paymentLinks.update(id, change)
    const { client, seen } = disturbed()
    const stale = client.paymentLinks.update(id, { options: { name: 'Mine' } }, { ifMatch: v })
    await expect(stale).rejects.toBeInstanceOf(Conflict)
    expect(seen).toHaveLength(1)
  })

  it('is no JSON where a proxy answers', async () => {
    const { client } = disturbed(async () => new Response('<h1>Bad', { status: 400 }))
    await expect(client.payments.list()).rejects.toMatchObject({ type: 'HTTP_400', status: 400 })
  })

  it('is said at once without a key, and for an address that is none', () => {
    expect(() => new Checkstand({ baseUrl })).toThrow('needs `key`')
    expect(() => new Checkstand({ baseUrl: 'pay.example', key })).toThrow(TypeError)
  })
})

describe('a request that fails', () => {
  it.each([
    ['is lost', lost],
    ['loses its answer', lostAnswer],
    ['gets 503', status(503, { 'retry-after': '0' })],
    ['gets 502', status(502)],
    ['gets 429', status(429, { 'retry-after': '0' })],
    ['meets its own first try', status(409)],
  ])('is sent again with the same key when it %s', async (_, fault) => {
    const { client, seen } = disturbed(fault, fault)
    const before = (await checkstand.paymentLinks.list()).total
    await client.paymentLinks.create()
    expect(seen).toHaveLength(3)
    expect(new Set(seen.map(keyOf)).size).toBe(1)
    expect((await checkstand.paymentLinks.list()).total).toBe(before + 1)
  })

  it('is not sent again when that cannot help, or is not wanted', async () => {
    for (const fault of [status(400), status(404), status(422), status(500)]) {
      const { client, seen } = disturbed(fault)
      await expect(client.paymentLinks.create()).rejects.toBeInstanceOf(CheckstandError)
      expect(seen).toHaveLength(1)
    }
    const { client, seen } = disturbed(lost)
    await expect(client.paymentLinks.create({}, { retries: 0 })).rejects.toThrow(ConnectionError)
    expect(seen).toHaveLength(1)
    const patient = disturbed(status(429, { 'retry-after': '3600' }))
    await expect(patient.client.payments.list()).rejects.toMatchObject({ retryAfter: 3600 })
  })

  it('has a key of its own each time, or the one that is given', async () => {
    const { client, seen } = disturbed()
    await client.paymentLinks.create()
    await client.paymentLinks.create()
    expect(new Set(seen.map(keyOf)).size).toBe(2)
    const given = { idempotencyKey: 'order-1' }
    const first = await client.paymentLinks.create({ options: { name: 'Once' } }, given)
    const again = await client.paymentLinks.create({ options: { name: 'Once' } }, given)
    expect(again.id).toBe(first.id)
    const other = client.paymentLinks.create({ options: { name: 'Twice' } }, given)
    await expect(other).rejects.toBeInstanceOf(IdempotencyMismatch)
  })

  it('ends after its time, and when its caller gives up', async () => {
    const hanging = () => (_: unknown, init?: RequestInit) =>
      new Promise<Response>((_resolve, reject) => {
        const end = () => reject(new Error('aborted'))
        if (init?.signal?.aborted) end()
        init?.signal?.addEventListener('abort', end)
      })
    const client = new Checkstand({ baseUrl, key, fetch: hanging(), retries: 1, timeoutMs: 5 })
    await expect(client.payments.list()).rejects.toBeInstanceOf(TimeoutError)
    const leaving = new AbortController()
    const call = client.payments.get('x', { signal: leaving.signal, timeoutMs: 10_000 })
    leaving.abort(new Error('The person has left'))
    await expect(call).rejects.toThrow('The person has left')
    const gone = client.payments.get('x', { signal: AbortSignal.abort(new Error('Gone')) })
    await expect(gone).rejects.toThrow('Gone')
  })

  it('takes money once, whatever gets lost on the way', async () => {
    const fault = fc.constantFrom('lost', 'lostAnswer', 'busy', 'none')
    const faults = { lost, lostAnswer, busy: status(503, { 'retry-after': '0' }), none: undefined }
    let order = 0
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { maxLength: 4 }), async (names) => {
        order += 1
        const alt_key = `lossy-${order}`
        const { client } = disturbed(
          ...names.map((name) => faults[name] ?? ((send: () => Promise<Response>) => send())),
        )
        const payment = {
          amount: '3.00',
          currency: 'EUR',
          alt_key,
          payment_method: { token: await cardToken(app, CARDS.approve) },
        }
        const idempotencyKey = `once-${order}`
        const pay = () => client.payments.create(payment, { idempotencyKey, retries: 1 })
        // A program that gets an error asks again with the same key.
        let paid = await pay().catch(() => undefined)
        for (let tries = 0; paid === undefined && tries < 4; tries += 1) {
          paid = await pay().catch(() => undefined)
        }
        expect(paid?.status).toBe('SUCCESS')
        const found = await checkstand.payments.list({ where: { alt_key } }).all()
        expect(found.map(({ id }) => id)).toEqual([paid?.id])
      }),
      { numRuns: 25 },
    )
  })
})
