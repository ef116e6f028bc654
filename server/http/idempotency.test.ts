import { randomBytes, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { inTransaction } from '../db/transaction.ts'
import { type Merchant, startTestApp } from '../../test/app.ts'
import { createGate } from '../../test/payments-client.ts'
import { idempotentRepeatable, idempotentOperation } from './idempotency.ts'
import { pruneIdempotencyKeys } from './idempotency-store.ts'
import { handleErrors } from './error-handler.ts'
import { newRouter } from './router.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const DAY_MS = 86_400_000

const TITLE = 'methods.title'

const newKey = () => `key-${randomUUID()}`
const keyed = (key: string) => ({ 'idempotency-key': key })
const makeAccount = (key: string, crm_key = 'a', { api }: Merchant = app.merchant) =>
  api('/accounts', { body: { account: { crm_key } }, headers: keyed(key) })
const makeLink = (key: string, payment_link: object = {}, { api }: Merchant = app.merchant) =>
  api('/payment_links', { body: { payment_link }, headers: keyed(key) })
const saveStrings = (key: string, text: string, { api }: Merchant = app.merchant) =>
  api('/strings', { body: { strings: [{ id: TITLE, text }] }, headers: keyed(key) })

const keysOf = (merchant: Merchant) =>
  deps.db
    .selectFrom('idempotency_keys')
    .selectAll()
    .where('instance_id', '=', merchant.instance.id)
    .execute()
const countOf = async (table: 'accounts' | 'payment_links' | 'events', merchant: Merchant) =>
  (
    await deps.db
      .selectFrom(table)
      .select('id')
      .where('instance_id', '=', merchant.instance.id)
      .execute()
  ).length

describe('the same request with the same key', () => {
  it('acts once and gets the first response, also after later changes', async () => {
    const key = newKey()
    const first = await makeLink(key, { state: 'first' })
    const { id } = first.json.payment_link
    await app.merchant.api(`/payment_links/${id}`, { method: 'DELETE' })
    const again = await makeLink(key, { state: 'first' })
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(first.headers.has('idempotent-replayed')).toBe(false)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
  })

  it('creates one record for a hundred concurrent requests', async () => {
    const merchant = await app.newMerchant()
    const key = newKey()
    const responses = await Promise.all(
      Array.from({ length: 100 }, () => makeAccount(key, 'together', merchant)),
    )
    expect(new Set(responses.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(responses[0]?.status).toBe(200)
    const fresh = responses.filter(({ headers }) => !headers.has('idempotent-replayed'))
    expect(fresh).toHaveLength(1)
    expect(await countOf('accounts', merchant)).toBe(1)
    expect(await countOf('events', merchant)).toBe(1)
  })

  it('is recognized for 24 hours', async () => {
    const key = newKey()
    const id = async () => (await makeAccount(key)).json.account.id
    const first = await id()
    app.pass(DAY_MS - 1)
    expect(await id()).toBe(first)
    app.pass(1)
    const second = await id()
    expect(second).not.toBe(first)
    app.pass(DAY_MS - 1)
    expect(await id()).toBe(second)
  })

  it('is the same with and without quotes', async () => {
    const key = newKey()
    const { text } = await makeAccount(key)
    expect((await makeAccount(`"${key}"`)).text).toBe(text)
  })
})

describe('a key', () => {
  it('is separate for each merchant and path', async () => {
    const key = newKey()
    const other = await app.newMerchant()
    const ids = [
      (await makeAccount(key)).json.account.id,
      (await makeAccount(key, 'a', other)).json.account.id,
      (await makeLink(key)).json.payment_link.id,
      (await makeLink(key, {}, other)).json.payment_link.id,
    ]
    expect(new Set(ids).size).toBe(4)
    expect((await makeAccount(key)).json.account.id).toBe(ids[0])
    expect((await makeLink(key, {}, other)).json.payment_link.id).toBe(ids[3])
  })

  it('may be reused after a rejected request', async () => {
    const merchant = await app.newMerchant()
    const key = newKey()
    expect((await makeLink(key, { options: { amount: '0' } }, merchant)).status).toBe(400)
    expect((await makeLink(key, { options: { account: 'acc_1_a' } }, merchant)).status).toBe(404)
    const refused = await saveStrings(key, '{nonsense}', merchant)
    expect([refused.status, refused.json.code]).toEqual([400, 'SVC-7007'])
    expect(await keysOf(merchant)).toEqual([])
    expect((await makeLink(key, {}, merchant)).status).toBe(200)
    expect((await saveStrings(key, 'sense', merchant)).status).toBe(200)
  })

  it('may be reused after a failed request, which stored nothing', async () => {
    const merchant = await app.newMerchant()
    const key = newKey()
    const failpoint = vi.spyOn(deps, 'failpoint').mockImplementation((name) => {
      if (name === 'once-acted') throw new Error('planted')
    })
    expect((await makeAccount(key, 'a', merchant)).status).toBe(500)
    failpoint.mockRestore()
    expect(await keysOf(merchant)).toEqual([])
    expect(await countOf('accounts', merchant)).toBe(0)
    expect(await countOf('events', merchant)).toBe(0)
    const response = await makeAccount(key, 'a', merchant)
    expect([response.status, response.headers.has('idempotent-replayed')]).toEqual([200, false])
  })

  it('is optional; without one each request acts', async () => {
    const merchant = await app.newMerchant()
    const send = () => merchant.api('/accounts', { body: { account: { crm_key: 'a' } } })
    expect((await send()).json.account.id).not.toBe((await send()).json.account.id)
    expect(await keysOf(merchant)).toEqual([])
  })

  it('may be any 1 to 255 printable ASCII characters, and nothing else', async () => {
    const visible = fc.string({
      unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 255,
    })
    const latin = fc.string({
      // What a header can carry at all: a NUL or a line's end never reaches us.
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
      maxLength: 300,
    })
    await fc.assert(
      fc.asyncProperty(fc.oneof(visible, latin), async (key) => {
        const bare = key.replace(/^ +| +$/g, '').replace(/^"(.*)"$/, '$1')
        const { status } = await makeAccount(key)
        expect(status).toBe(/^[ -~]{1,255}$/.test(bare) ? 200 : 400)
      }),
      { numRuns: 60 },
    )
  })

  it.each(['x'.repeat(256), 'ä', '""', ''])('is rejected: %j', async (key) => {
    const response = await makeAccount(key)
    expect([response.status, response.json.error?.message]).toEqual([
      400,
      'Idempotency-Key must be 1 to 255 printable ASCII characters',
    ])
  })

  it.each([
    ['a NUL', '%00'],
    // Random, because a database may compress repetitive text.
    ['no end', randomBytes(4000).toString('hex')],
  ])('works with a path with %s', async (_what, key) => {
    for (const path of [`/payments/${key}/refund`, `/instance_webhooks/${key}/rotate`]) {
      const response = await app.merchant.api(path, { body: {}, headers: keyed(newKey()) })
      expect([response.status, response.json.error.type]).toEqual([404, 'NOT_FOUND'])
    }
  })
})

describe('strings', () => {
  it('are saved once under a key, with the response of that time', async () => {
    const merchant = await app.newMerchant()
    const key = newKey()
    const first = await saveStrings(key, 'first', merchant)
    await saveStrings(newKey(), 'second', merchant)
    const again = await saveStrings(key, 'first', merchant)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const read = await merchant.api(`/strings/${TITLE}`)
    expect(read.json.string.text).toBe('second')
  })

  it('get 409 while the first request is running and 422 for another one, as flat errors', async () => {
    const merchant = await app.newMerchant()
    const key = newKey()
    const gate = createGate()
    const queue = `strings/${merchant.instance.id}/`
    const held = deps.locks.withLock(queue, { waitMs: 1000 }, () => gate.passed)
    const first = saveStrings(key, 'first', merchant)
    await vi.waitFor(async () => expect(await keysOf(merchant)).toHaveLength(1))

    const running = await saveStrings(key, 'first', merchant)
    expect([running.status, running.json]).toEqual([
      409,
      { code: 'CONFLICT', message: 'A request with this Idempotency-Key is still running' },
    ])
    expect(running.headers.get('retry-after')).toBe('1')
    const other = await saveStrings(key, 'other', merchant)
    expect([other.status, other.json]).toEqual([
      422,
      { code: 'IDEMPOTENCY', message: 'This Idempotency-Key was used for another request' },
    ])

    gate.open()
    await held
    expect((await first).status).toBe(200)
    const again = await saveStrings(key, 'first', merchant)
    expect([again.status, again.text]).toEqual([200, (await first).text])
  })

  it('are saved by a repeat if the first request was killed', async () => {
    const merchant = await app.newMerchant()
    const key = newKey()
    await saveStrings(key, 'text', merchant)
    // As if the process was killed between the save and the response.
    await deps.db
      .updateTable('idempotency_keys')
      .set({ status: null, body: null })
      .where('instance_id', '=', merchant.instance.id)
      .execute()
    expect((await saveStrings(key, 'text', merchant)).status).toBe(409)
    app.pass(30_000)
    const again = await saveStrings(key, 'text', merchant)
    expect([again.status, again.headers.has('idempotent-replayed')]).toEqual([200, false])
    const replayed = await saveStrings(key, 'text', merchant)
    expect([replayed.text, replayed.headers.get('idempotent-replayed')]).toEqual([
      again.text,
      'true',
    ])
  })
})

describe('expired keys', () => {
  it('are deleted, and no others', async () => {
    const merchant = await app.newMerchant()
    await makeAccount('old', 'a', merchant)
    app.pass(DAY_MS - 1)
    await makeAccount('new', 'a', merchant)
    await pruneIdempotencyKeys(deps)
    expect(await keysOf(merchant)).toHaveLength(2)
    app.pass(1)
    await pruneIdempotencyKeys(deps)
    expect((await keysOf(merchant)).map(({ key }) => key)).toEqual(['new'])
  })

  it('are deleted in any number', async () => {
    const merchant = await app.newMerchant()
    const past = new Date(app.now() - 1).toISOString()
    const row = { instance_id: merchant.instance.id, path: '/x', request_hash: 'x' }
    const times = { busy_until: past, expires: past, created: past }
    const rows = Array.from({ length: 2500 }, (_, i) => ({ ...row, ...times, key: `k${i}` }))
    for (let i = 0; i < rows.length; i += 500) {
      await deps.db
        .insertInto('idempotency_keys')
        .values(
          rows
            .slice(i, i + 500)
            .map((one) => ({ ...one, record_id: null, status: null, body: null })),
        )
        .execute()
    }
    expect(await pruneIdempotencyKeys(deps)).toBeGreaterThanOrEqual(2500)
    expect(await keysOf(merchant)).toEqual([])
  })
})

it('a path with a card number is stored as a digest while the request runs', async () => {
  const router = newRouter()
  router.app.use(async (c, next) => {
    c.set('instance', app.merchant.instance)
    await next()
  })
  let paths: string[] = []
  router.app.post('/c/api/things/:id', (c) =>
    idempotentRepeatable(deps, c, async () => {
      paths = (await keysOf(app.merchant)).map(({ path }) => path)
      return {}
    }),
  )
  const path = '/c/api/things/4242%2D4242%2D4242%2D4242'
  await router.app.request(path, { method: 'POST', headers: keyed(newKey()) })
  expect(paths.filter((each) => /^hmac:[0-9a-f]{64}$/.test(each))).not.toHaveLength(0)
  // A digest may hold any digits.
  expect(paths.filter((each) => each.replace(/^hmac:[0-9a-f]{64}$/, '').includes('4242'))).toEqual(
    [],
  )
})

describe('a request that calls a processor', () => {
  interface Operation {
    act: (claimed: () => Promise<void>) => Promise<{ body: object; isFinal: boolean }>
    reread?: (recordId: string) => Promise<object>
  }

  /** A route with a call that the test defines, over the real database. */
  function operation({ act, reread = async (id) => ({ reread: id }) }: Operation) {
    const router = newRouter()
    router.app.onError(handleErrors(deps))
    router.app.use(async (c, next) => {
      c.set('instance', app.merchant.instance)
      await next()
    })
    const route = {
      method: 'post',
      path: '/c/api/things',
      tag: 'things',
      summary: 'Do it',
      description: 'Does it.',
      body: z.object({ n: z.int() }),
      responses: {},
    } as const
    router.on(route, (c) =>
      idempotentOperation(deps, c, {
        act: (claim) => act(() => inTransaction(deps.db, (tx) => claim(tx, 'rec_1'))),
        reread,
        callMs: 1000,
      }),
    )
    return async (key: string, n = 1) => {
      const response = await router.app.request('/c/api/things', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...keyed(key) },
        body: JSON.stringify({ n }),
      })
      // oxlint-disable-next-line typescript/no-explicit-any -- responses are untyped in tests
      const json = (await response.json()) as any
      return { status: response.status, json, headers: response.headers }
    }
  }

  const answered = { body: { done: true }, isFinal: true }

  it('acts once within seven days, and repeats get the first response', async () => {
    const act = vi.fn<Operation['act']>(async (claimed) => {
      await claimed()
      return answered
    })
    const send = operation({ act })
    const key = newKey()
    await send(key)
    app.pass(7 * DAY_MS - 1)
    const again = await send(key)
    expect([again.json, again.headers.get('idempotent-replayed')]).toEqual([{ done: true }, 'true'])
    expect(act).toHaveBeenCalledTimes(1)
    expect((await send(key, 2)).status).toBe(422)
    app.pass(1)
    await send(key)
    expect(act).toHaveBeenCalledTimes(2)
  })

  it('does not run twice concurrently, at any overlap', async () => {
    const gate = createGate()
    let calls = 0
    const send = operation({
      act: async (claimed) => {
        await claimed()
        calls += 1
        await gate.passed
        return answered
      },
    })
    const key = newKey()
    const many = Array.from({ length: 20 }, () => send(key))
    // All but the running one get 409.
    await vi.waitFor(() => expect(calls).toBe(1))
    const late = await send(key)
    expect([late.status, late.json.error.type, late.headers.get('retry-after')]).toEqual([
      409,
      'CONFLICT',
      '1',
    ])
    gate.open()
    const statuses = new Set((await Promise.all(many)).map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 409]))
    expect(calls).toBe(1)
    expect((await send(key)).json).toEqual({ done: true })
  })

  it('that was killed never runs again: a repeat reads its record after the call’s timeout', async () => {
    let calls = 0
    const send = operation({
      act: async (claimed) => {
        await claimed()
        calls += 1
        throw new Error('planted')
      },
    })
    const key = newKey()
    expect((await send(key)).status).toBe(500)
    expect((await send(key)).status).toBe(409)
    app.pass(1000)
    const again = await send(key)
    expect([again.status, again.json]).toEqual([200, { reread: 'rec_1' }])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(calls).toBe(1)
  })

  it('whose outcome was unknown gets the current record', async () => {
    let state = 'UNRESOLVED'
    const send = operation({
      act: async (claimed) => {
        await claimed()
        return { body: { state }, isFinal: false }
      },
      reread: async () => ({ state }),
    })
    const key = newKey()
    expect((await send(key)).json).toEqual({ state: 'UNRESOLVED' })
    state = 'SUCCESS'
    expect((await send(key)).json).toEqual({ state: 'SUCCESS' })
  })

  it('that was rejected before its record was stored may be sent again', async () => {
    let refuse = true
    const send = operation({
      act: async (claimed) => {
        if (refuse) throw new Error('planted')
        await claimed()
        return answered
      },
    })
    const key = newKey()
    expect((await send(key)).status).toBe(500)
    refuse = false
    const again = await send(key)
    expect([again.json, again.headers.has('idempotent-replayed')]).toEqual([{ done: true }, false])
  })
})
