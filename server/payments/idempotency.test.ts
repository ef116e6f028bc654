import { describe, expect, it } from 'vitest'
import type { ApiResponse } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { refusal, startPaymentsApp } from '../../test/payments-app.ts'
import {
  chargedDuring,
  sandboxRecord,
  DAY_MS,
  type Json,
  createGate,
  openPaymentsClient,
  errorSummary,
} from '../../test/payments-client.ts'
import { cardToken, sandboxCharges } from '../../test/payer-client.ts'
import { reconcileDue } from './reconcile.ts'

/** Requests about money that come twice and act once. */

const { app, deps, client, later, bend, removeProcessor } = await startPaymentsApp()

let keys = 0
const withKey = (key = `key-${(keys += 1)}`) => ({ headers: { 'idempotency-key': key } })
type Keyed = ReturnType<typeof withKey>

/** A prepared request: sent as often as one likes, it means one operation. */
interface Prepared {
  send: (call: Keyed) => Promise<ApiResponse>
  /** The same request, but for something else. */
  sendOther: (call: Keyed) => Promise<ApiResponse>
  /** How many operations there are of what it does. */
  count: () => Promise<number>
}

const OPERATIONS: Record<'pay' | 'capture' | 'refund' | 'void', () => Promise<Prepared>> = {
  async pay() {
    const payment = await aPayment()
    return {
      send: (call) => client.send(payment, call),
      sendOther: (call) => client.send({ ...payment, amount: '10.01' }, call),
      count: () => rows('payments'),
    }
  },
  async capture() {
    const { id } = await client.authorise()
    return {
      send: (call) => client.capture(id, { amount: '30.00' }, call),
      sendOther: (call) => client.capture(id, { amount: '30.01' }, call),
      count: () => rows('payments'),
    }
  },
  async refund() {
    const { id } = await client.pay()
    return {
      send: (call) => client.refund(id, { amount: '3.00', reference: `of ${id}` }, call),
      sendOther: (call) => client.refund(id, { amount: '3.01' }, call),
      count: () => rows('refunds'),
    }
  },
  async void() {
    const { id } = await client.authorise()
    return {
      send: (call) => client.release(id, call),
      sendOther: (call) => client.release(id, { ...call, body: { void: {} } }),
      count: () => rows('voids'),
    }
  },
}
const NAMES = Object.keys(OPERATIONS) as (keyof typeof OPERATIONS)[]

async function aPayment() {
  const token = await cardToken(app, CARDS.approve)
  return { amount: '10.00', currency: 'EUR', payment_method: { token } }
}

async function rows(table: 'payments' | 'refunds' | 'voids'): Promise<number> {
  return (await deps.db.selectFrom(table).select('id').execute()).length
}
const record = (answer: ApiResponse): Json => Object.values(answer.json)[0]
const isReplay = ({ headers }: ApiResponse) => headers.get('idempotent-replayed') === 'true'

describe.each(NAMES)('a repeated %s', (name) => {
  it('acts once and returns the same bytes', async () => {
    const { send, count } = await OPERATIONS[name]()
    const before = await count()
    const key = withKey()
    const first = await send(key)
    expect([first.status, isReplay(first)]).toEqual([200, false])
    app.pass(7 * DAY_MS - 1)
    const again = await send(key)
    expect([again.status, isReplay(again)]).toEqual([200, true])
    expect(again.text).toBe(first.text)
    expect(await count()).toBe(before + 1)
  })

  it('after a decline returns the decline and retries nothing', async () => {
    const { send, count } = await OPERATIONS[name]()
    let requests = 0
    bend(name, async () => {
      requests += 1
      return { status: 'ERROR', message: 'Down' }
    })
    const key = withKey()
    const first = await send(key)
    expect(first.status).toBe(200)
    expect(record(first).gateway_status).toBe('DECLINED_ERROR')
    const before = await count()
    const again = await send(key)
    expect(again.text).toBe(first.text)
    expect([requests, await count()]).toEqual([1, before])
  })

  it('after no response returns the current state', async () => {
    const { send, count } = await OPERATIONS[name]()
    bend(name, 'ANSWER LOST')
    const before = await count()
    const key = withKey()
    expect(record(await send(key)).status).toBe('UNRESOLVED')
    const early = await send(key)
    expect([early.status, isReplay(early), record(early).status]).toEqual([200, true, 'UNRESOLVED'])
    await later(5_000)
    const late = await send(key)
    expect([late.status, isReplay(late), record(late).status]).toEqual([200, true, 'SUCCESS'])
    expect(record(late).id).toBe(record(early).id)
    expect(await count()).toBe(before + 1)
  })

  it('returns 409 while the first is running, then its result', async () => {
    const { send, count } = await OPERATIONS[name]()
    const before = await count()
    const [reached, gate] = [createGate(), createGate()]
    bend(name, async (ask) => {
      reached.open()
      await gate.passed
      return ask()
    })
    const key = withKey()
    const first = send(key)
    await reached.passed
    const early = await send(key)
    expect(errorSummary(early)).toEqual([
      409,
      'CONFLICT',
      'A request with this Idempotency-Key is still running',
    ])
    expect(early.headers.get('retry-after')).toBe('1')
    gate.open()
    const response = await first
    expect(record(response).status).toBe('SUCCESS')
    expect((await send(key)).text).toBe(response.text)
    expect(await count()).toBe(before + 1)
  })

  it('acts once for twenty concurrent requests, none of which is refused by its rules', async () => {
    const { send, count } = await OPERATIONS[name]()
    const before = await count()
    const key = withKey()
    const responses = await Promise.all(Array.from({ length: 20 }, () => send(key)))
    const ids = responses.filter(({ status }) => status === 200).map((answer) => record(answer).id)
    expect(new Set(ids).size).toBe(1)
    const others = responses.filter(({ status }) => status !== 200)
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 409))
    expect(await count()).toBe(before + 1)
  })

  it('with another body is refused', async () => {
    const { send, sendOther, count } = await OPERATIONS[name]()
    const key = withKey()
    await send(key)
    const before = await count()
    expect(errorSummary(await sendOther(key))).toEqual([
      422,
      'IDEMPOTENCY',
      'This Idempotency-Key was used for another request',
    ])
    expect(await count()).toBe(before)
  })

  it('that was refused can be sent again with its key', async () => {
    const { send, count } = await OPERATIONS[name]()
    const key = withKey()
    const before = await count()
    const restore = removeProcessor()
    expect((await send(key)).status).toBe(400)
    restore()
    expect((await send(key)).status).toBe(200)
    expect(await count()).toBe(before + 1)
  })
})

describe('a key', () => {
  it('is another key at another instance', async () => {
    const other = openPaymentsClient(app, await app.newMerchant())
    const key = withKey()
    const own = await client.send(await aPayment(), key)
    const foreign = await other.send(await aPayment(), key)
    expect([own.status, foreign.status]).toEqual([200, 200])
    expect(record(foreign).id).not.toBe(record(own).id)
  })

  it('is the same with and without the quotes of a structured header', async () => {
    const payment = await aPayment()
    const first = await client.send(payment, withKey('quoted'))
    expect((await client.send(payment, withKey('"quoted"'))).text).toBe(first.text)
  })

  it.each(['', '""', 'ä', 'x'.repeat(256)])('is refused as %j', async (key) => {
    const charged = await chargedDuring(app, async () => {
      expect(errorSummary(await client.send(await aPayment(), withKey(key)))).toEqual(
        refusal('INVALID_REQUEST', 'Idempotency-Key must be 1 to 255 printable ASCII characters'),
      )
    })
    expect(charged).toEqual([])
  })

  it('expires after seven days', async () => {
    const auth = await client.authorise()
    const key = withKey()
    const first = await client.capture(auth.id, { amount: '1.00' }, key)
    app.pass(7 * DAY_MS)
    // By now the authorization has run out: the request is judged anew.
    expect(errorSummary(await client.capture(auth.id, { amount: '1.00' }, key))[1]).toBe(
      'INVALID_STATE',
    )
    expect((await sandboxRecord(app, auth.gateway_reference)).captured).toBe(100)
    expect(record(first).status).toBe('SUCCESS')
  })

  it('returns the current state when the first request was interrupted', async () => {
    const payment = await aPayment()
    const key = withKey()
    const broken = new Error('the database is gone')
    const { onSettled } = deps
    deps.onSettled = () => Promise.reject(broken)
    const first = await client.send(payment, key)
    deps.onSettled = onSettled
    expect(first.status).toBe(500)
    expect((await client.send(payment, key)).status).toBe(409)
    const before = (await sandboxCharges(app)).length
    app.pass(deps.config.processorTimeoutMs + 5_000)
    expect(record(await client.send(payment, key)).status).toBe('PENDING')
    await reconcileDue(deps)
    const cached = await client.send(payment, key)
    expect([cached.status, record(cached).status]).toEqual([200, 'SUCCESS'])
    expect(await sandboxCharges(app)).toHaveLength(before)
  })
})
