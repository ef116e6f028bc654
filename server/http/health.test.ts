import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { collectDue } from '../payments/collect-due-charges.ts'
import { startJobs } from '../jobs/scheduler.ts'
import { startTestApp } from '../../test/app.ts'
import { CARDS } from '../../test/cards.ts'
import { openPaymentsClient, chargedDuring } from '../../test/payments-client.ts'
import { newLink, openPayerClient } from '../../test/payer-client.ts'
import { healthRoutes } from './health.ts'
import { watchEventLoopLag } from '../observe/event-loop-lag.ts'
import { requiredFreeBytes, watchDiskSpace } from '../observe/disk-space.ts'

let isDiskFull = false
const hasDiskSpace = () => !isDiskFull
const app = await startTestApp({}, { hasDiskSpace })
const { deps } = app.checkstand
const till = openPaymentsClient(app)

/** The disk is full until the test ends. */
function fillDisk(): void {
  isDiskFull = true
  onTestFinished(() => {
    isDiskFull = false
  })
}

describe('while the disk is nearly full', () => {
  it('no payment is started: the processor is not called, and Retry-After is set', async () => {
    const link = await newLink(app.merchant, { amount: '12.50' })
    const payer = await openPayerClient(app, link.id)
    const reserved = await till.authorise()
    const paid = await till.pay()
    fillDisk()
    const statuses: number[] = []
    const charged = await chargedDuring(app, async () => {
      const refused = await payer.payByCard(CARDS.approve)
      expect(refused.json.error.type).toBe('UNAVAILABLE')
      expect(refused.headers.get('retry-after')).toBe('30')
      statuses.push(
        refused.status,
        (await till.capture(reserved.id)).status,
        (await till.refund(paid.id)).status,
        (await till.release(reserved.id)).status,
        (await till.send({ amount: '1.00', payment_method: { token: 'tok_x' } })).status,
        (await app.merchant.api('/payment_links', { body: { payment_link: {} } })).status,
        (await app.call(`/pay/${link.id}/checkouts`, { body: {} })).status,
      )
    })
    expect(statuses).toEqual([503, 503, 503, 503, 503, 503, 503])
    expect(charged).toEqual([])
  })

  it('all reads work, and open payments are settled', async () => {
    const pending = await till.pay(CARDS.pendingSuccess)
    fillDisk()
    app.pass(60_000)
    const stop = startJobs(deps, { hasDiskSpace })
    onTestFinished(stop)
    await vi.waitFor(async () => expect((await till.read(pending.id)).status).toBe('SUCCESS'), {
      timeout: 20_000,
    })
  })

  it('charges are not collected automatically', async () => {
    const { account, method } = await till.storeCard()
    const due = new Date(app.now() + 1000).toISOString()
    await till.pay(undefined, { amount: '3.00', account, payment_method: method, due })
    app.pass(2000)
    fillDisk()
    const charged = await chargedDuring(app, async () => {
      const stop = startJobs(deps, { hasDiskSpace })
      // Every job has had its first round when all are stopped.
      await stop()
    })
    expect(charged).toEqual([])
    expect(await chargedDuring(app, () => collectDue(deps))).toEqual([300])
  })
})

const healthy = {
  ping: async () => {},
  hasDiskSpace: () => true,
  draining: () => false,
  warmingUp: () => false,
  isFull: () => false,
  lagMs: () => 0,
}

describe('GET /readyz', () => {
  it.each([
    ['ok', 200, {}],
    ['unavailable', 503, { ping: () => Promise.reject(new Error('disk I/O error')) }],
    ['unavailable', 503, { hasDiskSpace: () => false }],
    ['unavailable', 503, { draining: () => true }],
    ['unavailable', 503, { isFull: () => true }],
    ['unavailable', 503, { warmingUp: () => true }],
  ])('returns %s with %i when %o', async (status, code, ill) => {
    const response = await healthRoutes({ ...healthy, ...ill }).request('/readyz')
    expect([response.status, await response.json()]).toEqual([code, { status }])
  })
})

describe('GET /readyz while the database hangs', () => {
  it('fails within two seconds for all concurrent probes, with one query', async () => {
    vi.useFakeTimers()
    onTestFinished(() => {
      vi.useRealTimers()
    })
    const ping = vi.fn<() => Promise<void>>(() => new Promise(() => {}))
    const routes = healthRoutes({ ...healthy, ping })
    const ask = async () => (await routes.request('/readyz')).status
    const statuses: number[] = []
    for (let n = 0; n < 3; n += 1) {
      const responses = Promise.all([ask(), ask()])
      await vi.advanceTimersByTimeAsync(2000)
      statuses.push(...(await responses))
    }
    expect(statuses).toEqual([503, 503, 503, 503, 503, 503])
    expect(ping).toHaveBeenCalledTimes(1)
  })
})

describe('GET /livez', () => {
  it.each([
    ['ok', 200, 999],
    ['unavailable', 503, 1000],
  ])(
    'returns %s with %i while the event loop is %i ms late, for any other failure',
    async (status, code, late) => {
      const ping = () => Promise.reject(new Error())
      const ill = { ping, hasDiskSpace: () => false, draining: () => true }
      const routes = healthRoutes({ ...healthy, ...ill, lagMs: () => late })
      const response = await routes.request('/livez')
      expect([response.status, await response.json()]).toEqual([code, { status }])
    },
  )

  it('fails for a blocked process until it continues', async () => {
    const { lagMs, stop } = watchEventLoopLag()
    onTestFinished(stop)
    const until = performance.now() + 1500
    while (performance.now() < until);
    expect(lagMs()).toBeGreaterThan(1000)
    await vi.waitFor(() => expect(lagMs()).toBeLessThan(1000), { timeout: 20_000 })
  })
})

describe('free disk space', () => {
  it.each([
    [1_000_000, 16_000_000],
    [1_000_000_000, 50_000_000],
    [5_120_000_000, 256_000_000],
    [4_000_000_000_000, 256_000_000],
  ])('of %i bytes is %i', (bytes, needed) => {
    expect(requiredFreeBytes(bytes)).toBe(needed)
  })

  const log = { warn: () => {} }

  it('is measured where the file is, against the setting', () => {
    expect(watchDiskSpace({ path: '/tmp/a.db', freeMin: 1, log })()).toBe(true)
    expect(watchDiskSpace({ path: '/tmp/a.db', freeMin: 2 ** 60, log })()).toBe(false)
  })

  it('is not monitored without a file or if disabled', () => {
    expect(watchDiskSpace({ path: null, freeMin: 2 ** 60, log })()).toBe(true)
    expect(watchDiskSpace({ path: '/tmp/a.db', freeMin: 0, log })()).toBe(true)
  })
})
