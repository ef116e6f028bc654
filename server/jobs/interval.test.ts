import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../observe/log.ts'
import { runAtInterval } from './interval.ts'

// The files that run after this one need the real ones.
beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())

/** A job every 20 ms that fails while the database is down. */
function start({ intervalMs = 20, tookMs = 0 } = {}) {
  const database = { isDown: false }
  const lines: string[] = []
  const log = createLog('error', { write: (line: string) => lines.push(line) })
  const begun: number[] = []
  const run = vi.fn<() => Promise<void>>(async () => {
    begun.push(performance.now())
    if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs))
    if (database.isDown) throw new Error('connect ECONNREFUSED')
  })
  const { runSoon, stop } = runAtInterval({ name: 'deliver webhooks', intervalMs, run }, log)
  onTestFinished(async () => {
    const stopped = stop()
    await vi.advanceTimersByTimeAsync(tookMs)
    await stopped
  })
  const runsIn = async (ms: number) => {
    run.mockClear()
    await vi.advanceTimersByTimeAsync(ms)
    return run.mock.calls.length
  }
  const logged = () => lines.map((line) => (JSON.parse(line) as { times: number }).times)
  /** Milliseconds from the beginning of each round in a while to that of the next. */
  const gapsWhileRunSoon = async (ms: number) => {
    begun.length = 0
    for (let n = 0; n < ms; n += 1) {
      runSoon()
      await vi.advanceTimersByTimeAsync(1)
    }
    return begun.slice(1).map((at, n) => Math.round(at - (begun[n] as number)))
  }
  return { database, runsIn, gapsWhileRunSoon, logged, runSoon }
}

describe('a task that keeps failing', () => {
  it('backs off up to five seconds, and resets after a success', async () => {
    const { database, runsIn } = start()
    expect(await runsIn(1000)).toBe(50)
    database.isDown = true
    expect(await runsIn(10_000)).toBeLessThan(12)
    expect(await runsIn(60_000)).toBe(12)
    database.isDown = false
    await runsIn(5000)
    expect(await runsIn(1000)).toBe(50)
  })

  it('is logged at once, then once a minute with the number of failures', async () => {
    const { database, runsIn, logged } = start()
    database.isDown = true
    await runsIn(1000)
    expect(logged()).toEqual([1])
    await runsIn(600_000)
    expect(logged().length).toBeGreaterThan(8)
    expect(logged().length).toBeLessThan(12)
    expect(logged().at(-1)).toBeGreaterThan(100)
  })

  it('is logged at once again after a success', async () => {
    const { database, runsIn, logged } = start()
    for (let row = 0; row < 3; row += 1) {
      database.isDown = true
      await runsIn(200)
      database.isDown = false
      await runsIn(1000)
    }
    expect(logged()).toEqual([1, 1, 1])
  })
})

describe('runSoon', () => {
  it('starts a run at once, and at most one within 20 ms', async () => {
    const { runsIn, gapsWhileRunSoon, runSoon } = start({ intervalMs: 10_000 })
    expect(await runsIn(1000)).toBe(0)
    runSoon()
    expect(await runsIn(1)).toBe(1)
    expect(await runsIn(5000)).toBe(0)
    const gaps = await gapsWhileRunSoon(1000)
    expect(gaps.length).toBeGreaterThan(40)
    expect(Math.min(...gaps)).toBe(20)
  })

  it('pauses for four times the last run', async () => {
    const { gapsWhileRunSoon } = start({ intervalMs: 200, tookMs: 30 })
    const gaps = await gapsWhileRunSoon(3000)
    expect(gaps.length).toBeGreaterThan(15)
    expect(Math.min(...gaps)).toBe(30 + 120)
  })

  it('never pauses longer than the interval', async () => {
    const { gapsWhileRunSoon, runsIn, runSoon } = start({ intervalMs: 200, tookMs: 100 })
    // Woken just before the next round is due, that one is not put off.
    await runsIn(290)
    runSoon()
    expect(await runsIn(11)).toBe(1)
    expect(new Set(await gapsWhileRunSoon(3000))).toEqual(new Set([300]))
  })

  it('does not shorten the pause after a failure', async () => {
    const { database, runsIn, runSoon } = start({ intervalMs: 2000 })
    database.isDown = true
    await runsIn(2000)
    runSoon()
    expect(await runsIn(3000)).toBe(0)
  })

  it('does not shorten the pause after a run that is about to fail', async () => {
    const { database, runsIn, runSoon } = start({ intervalMs: 1000, tookMs: 100 })
    await runsIn(100)
    database.isDown = true
    expect(await runsIn(1050)).toBe(1)
    runSoon()
    expect(await runsIn(1900)).toBe(0)
    expect(await runsIn(200)).toBe(1)
  })
})
