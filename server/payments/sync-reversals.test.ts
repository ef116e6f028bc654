import { describe, expect, it } from 'vitest'
import type { ProcessorReversal, ChangesResponse } from '../processors/port.ts'
import { newDispute, operationOf } from '../../test/dispute.ts'
import { startTestApp } from '../../test/app.ts'
import {
  stubProcessor,
  type Json,
  openPaymentsClient,
  recordedEvents,
} from '../../test/payments-client.ts'
import { syncReversals } from './sync-reversals.ts'

const app = await startTestApp()
const { deps } = app.checkstand
const HOUR_MS = 3_600_000

/** A merchant with a payment over 10.00 EUR, whose processor reports what the test sets. */
async function openDisputed() {
  const merchant = await app.newMerchant()
  const client = openPaymentsClient(app, merchant)
  const payment = await client.pay()
  const operation = await operationOf(app, payment.id)
  const dispute = (said: Partial<ProcessorReversal> = {}) => newDispute(app, { operation, ...said })
  const requests: (string | null)[] = []
  let response: () => unknown = () => ({ reversals: [], check_after_ms: HOUR_MS })
  stubProcessor(app, () => ({
    async changes({ merchant: of, since }) {
      if (of !== merchant.instance.id) return { reversals: [], check_after_ms: HOUR_MS }
      requests.push(since)
      return response() as ChangesResponse
    },
  }))
  /** Has the processor say this an hour later. */
  const read = async (...reversals: unknown[]) => {
    response = () => ({ reversals, check_after_ms: HOUR_MS })
    return readAfter(HOUR_MS)
  }
  const readAfter = async (ms: number) => {
    app.pass(ms)
    await syncReversals(deps)
  }
  return {
    merchant,
    client,
    payment,
    dispute,
    requests,
    read,
    readAfter,
    announce: (ms: number) => {
      const next_change = new Date(app.now() + ms).toISOString()
      response = () => ({ reversals: [], check_after_ms: HOUR_MS, next_change })
    },
    fail: (error: Error) => {
      response = () => {
        throw error
      }
    },
    list: async (): Promise<Json[]> => (await merchant.api('/reversals')).json.reversals,
    recorded: async () =>
      (await recordedEvents(app, merchant))
        .map(({ type }) => type)
        .filter((type) => type.startsWith('reversal.'))
        .toSorted(),
  }
}

describe('a reversal', () => {
  it('is recorded once by repeated and concurrent reads', async () => {
    const { read, readAfter, dispute, list, recorded, client, payment } = await openDisputed()
    const reported = dispute()
    await read(reported, reported)
    app.pass(HOUR_MS)
    await Promise.all([1, 2, 3, 4].map(() => syncReversals(deps)))
    await readAfter(HOUR_MS)
    expect(await list()).toMatchObject([{ status: 'OPEN', amount: '1.00', v: 1 }])
    expect(await recorded()).toEqual(['reversal.opened'])
    expect(await client.read(payment.id)).toMatchObject({
      disputed_amount: '1.00',
      refundable_amount: '9.00',
    })
  })

  it('is recorded once after a server ends before it stores its position', async () => {
    const { read, readAfter, dispute, list, recorded, requests } = await openDisputed()
    await read(dispute())
    await deps.db.deleteFrom('reversal_reads').execute()
    await readAfter(0)
    expect(requests).toEqual([null, null])
    expect(await list()).toMatchObject([{ v: 1 }])
    expect(await recorded()).toEqual(['reversal.opened'])
  })

  it('is recorded by one of several processes that read it first', async () => {
    const { read, dispute, list, recorded } = await openDisputed()
    const reported = dispute()
    const first = read(reported)
    await Promise.all([first, syncReversals(deps), syncReversals(deps)])
    expect(await list()).toHaveLength(1)
    expect(await recorded()).toEqual(['reversal.opened'])
  })

  it('adds to others: each dispute withdraws its amount, and a won one returns it', async () => {
    const { read, dispute, client, payment, recorded } = await openDisputed()
    const [one, two] = [dispute({ reference: 'one' }), dispute({ reference: 'two', amount: 250 })]
    const amounts = async () => {
      const { disputed_amount, refundable_amount } = await client.read(payment.id)
      return [disputed_amount, refundable_amount]
    }
    await read(one, two)
    expect(await amounts()).toEqual(['3.50', '6.50'])
    await read({ ...one, status: 'WON', due: null })
    expect(await amounts()).toEqual(['2.50', '7.50'])
    await read({ ...two, status: 'LOST', due: null }, { ...one, status: 'OPEN' })
    expect(await amounts()).toEqual(['3.50', '6.50'])
    expect(await recorded()).toEqual([
      'reversal.closed',
      'reversal.closed',
      'reversal.opened',
      'reversal.opened',
      'reversal.updated',
    ])
  })

  it('can be closed at the first report', async () => {
    const { read, dispute, list, recorded } = await openDisputed()
    await read(dispute({ status: 'LOST', due: null }))
    expect(await list()).toMatchObject([{ status: 'LOST', v: 1 }])
    expect(await recorded()).toEqual(['reversal.closed'])
  })

  it('can exceed the refundable amount, which is then zero', async () => {
    const { read, dispute, client, payment } = await openDisputed()
    await client.refund(payment.id, { amount: '4.00' })
    await read(dispute({ amount: 1000 }))
    expect(await client.read(payment.id)).toMatchObject({
      refunded_amount: '4.00',
      disputed_amount: '10.00',
      refundable_amount: '0.00',
    })
  })

  it.each<[string, Partial<Record<keyof ProcessorReversal, unknown>>]>([
    ['names an operation that is not known', { operation: 'at_1_a' }],
    ['is in another currency than the payment', { currency: 'USD' }],
    ['has an amount that is none', { amount: 0 }],
    ['has an amount with a fraction', { amount: 1.5 }],
    ['has a status that is none', { status: 'MAYBE' }],
    ['has no reference', { reference: '' }],
    ['changed at a time that is none', { changed: 'yesterday' }],
  ])('is skipped where it %s, and the rest is recorded', async (_what, wrong) => {
    const { read, dispute, list } = await openDisputed()
    await read({ ...dispute({ reference: 'wrong' }), ...wrong }, dispute({ reference: 'right' }))
    expect(await list()).toMatchObject([{ gateway_reference: 'right' }])
  })

  it('is skipped where it names the payment of another merchant', async () => {
    const { read, dispute, list } = await openDisputed()
    const other = await app.newMerchant()
    const foreign = await openPaymentsClient(app, other).pay()
    await read(dispute({ operation: await operationOf(app, foreign.id) }))
    expect(await list()).toEqual([])
    expect((await other.api('/reversals')).json.reversals).toEqual([])
    expect(await openPaymentsClient(app, other).read(foreign.id)).toMatchObject({
      disputed_amount: '0.00',
    })
  })

  it('never changes its payment', async () => {
    const { read, dispute, list, client, payment } = await openDisputed()
    await read(dispute({ reference: 'one' }))
    const another = await client.pay()
    await read(dispute({ reference: 'one', operation: await operationOf(app, another.id) }))
    expect(await list()).toMatchObject([{ payment: payment.id }])
    expect(await client.read(another.id)).toMatchObject({ disputed_amount: '0.00' })
  })

  it('has a reason without card numbers, and none that is not text', async () => {
    const { read, dispute, list } = await openDisputed()
    await read({ ...dispute(), reason: 'Card 4242 4242 4242 4242 was stolen\0' })
    expect((await list())[0]?.['reason']).not.toContain('4242 4242 4242')
    await read({ ...dispute(), reason: 7, due: 'soon' })
    expect(await list()).toMatchObject([{ reason: null, due: null }])
  })
})

describe('reading reversals', () => {
  it('continues an hour before the latest change, never in the future', async () => {
    const { read, readAfter, dispute, requests } = await openDisputed()
    const changed = new Date(app.now()).toISOString()
    await read(dispute({ changed }))
    await read(dispute({ reference: 'two', changed: '9999-01-01T00:00:00Z' }))
    const readAt = app.now()
    await readAfter(HOUR_MS)
    expect(requests).toEqual([
      null,
      new Date(Date.parse(changed) - HOUR_MS).toISOString(),
      new Date(readAt - HOUR_MS).toISOString(),
    ])
  })

  it('waits for the interval and the next change of the processor', async () => {
    const { read, readAfter, requests, announce } = await openDisputed()
    await read()
    await readAfter(HOUR_MS - 1)
    expect(requests).toHaveLength(1)
    announce(600_000)
    await readAfter(1)
    expect(requests).toHaveLength(2)
    await readAfter(599_998)
    expect(requests).toHaveLength(2)
    await readAfter(1)
    expect(requests).toHaveLength(3)
  })

  it('is retried a minute after a failure, from the same position', async () => {
    const { read, readAfter, dispute, requests, fail, list } = await openDisputed()
    await read(dispute())
    fail(new Error('connection reset'))
    await readAfter(HOUR_MS)
    await readAfter(59_999)
    expect(requests).toHaveLength(2)
    await readAfter(1)
    expect(requests).toHaveLength(3)
    expect(requests[2]).toBe(requests[1])
    expect(await list()).toHaveLength(1)
  })

  it.each([undefined, null, 'nothing', {}, { reversals: 'none' }])(
    'of an answer that makes no sense (%j) changes nothing',
    async (nonsense) => {
      const { read, readAfter, dispute, list, requests } = await openDisputed()
      stubProcessor(app, (real) => ({
        changes: async (about) => {
          await real.changes?.(about)
          return nonsense as unknown as ChangesResponse
        },
      }))
      await read(dispute())
      expect(await list()).toEqual([])
      await readAfter(60_000)
      expect(requests).toEqual([null, null])
    },
  )
})
