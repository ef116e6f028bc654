import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../observe/log.ts'
import { runAtInterval } from './interval.ts'

// The files that run after this one need the real ones.
beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())

/** A job every 20 ms that takes no time, and fails for as long as the database is down. */
function start({ restMs = 20, tookMs = 0 } = {}) {
  const database = { isDown: false }
  const lines: string[] = []
  const log = createLog('error', { write: (line: string) => lines.push(line) })
  const begun: number[] = []
  const run = vi.fn<() => Promise<void>>(async () => {
    begun.push(performance.now())
    if (tookMs > 0) await new Promise((resolve) => setTimeout(resolve, tookMs))
    if (database.isDown) throw new Error('connect ECONNREFUSED')
  })
  const { wake, stop } = runAtInterval({ name: 'deliver webhooks', restMs, run }, log)
  onTestFinished(async () => {
    const stopped = stop()
    await vi.advanceTimersByTimeAsync(tookMs)
    await stopped
  })
  const roundsIn = async (ms: number) => {
    run.mockClear()
    await vi.advanceTimersByTimeAsync(ms)
    return run.mock.calls.length
  }
  const told = () => lines.map((line) => (JSON.parse(line) as { times: number }).times)
  /** Milliseconds from the beginning of each round in a while to that of the next. */
  const gapsWhileWoken = async (ms: number) => {
    begun.length = 0
    for (let n = 0; n < ms; n += 1) {
      wake()
      await vi.advanceTimersByTimeAsync(1)
    }
    return begun.slice(1).map((at, n) => Math.round(at - (begun[n] as number)))
  }
  return { database, roundsIn, gapsWhileWoken, told, wake }
}

describe('a job that fails again and again', () => {
  it('rests longer and longer, five seconds at most, and then as before', async () => {
    const { database, roundsIn } = start()
    expect(await roundsIn(1000)).toBe(50)
    database.isDown = true
    expect(await roundsIn(10_000)).toBeLessThan(12)
    expect(await roundsIn(60_000)).toBe(12)
    database.isDown = false
    await roundsIn(5000)
    expect(await roundsIn(1000)).toBe(50)
  })

  it('is logged at once, and then once a minute with how often it failed', async () => {
    const { database, roundsIn, told } = start()
    database.isDown = true
    await roundsIn(1000)
    expect(told()).toEqual([1])
    await roundsIn(600_000)
    expect(told().length).toBeGreaterThan(8)
    expect(told().length).toBeLessThan(12)
    expect(told().at(-1)).toBeGreaterThan(100)
  })

  it('is logged at once again when it had succeeded in between', async () => {
    const { database, roundsIn, told } = start()
    for (let row = 0; row < 3; row += 1) {
      database.isDown = true
      await roundsIn(200)
      database.isDown = false
      await roundsIn(1000)
    }
    expect(told()).toEqual([1, 1, 1])
  })
})

describe('a job that is woken', () => {
  it('runs at once, and never twice within 20 ms however often it is woken', async () => {
    const { roundsIn, gapsWhileWoken, wake } = start({ restMs: 10_000 })
    expect(await roundsIn(1000)).toBe(0)
    wake()
    expect(await roundsIn(1)).toBe(1)
    expect(await roundsIn(5000)).toBe(0)
    const gaps = await gapsWhileWoken(1000)
    expect(gaps.length).toBeGreaterThan(40)
    expect(Math.min(...gaps)).toBe(20)
  })

  it('rests four times as long as it has worked, so that others have most of the time', async () => {
    const { gapsWhileWoken } = start({ restMs: 200, tookMs: 30 })
    const gaps = await gapsWhileWoken(3000)
    expect(gaps.length).toBeGreaterThan(15)
    expect(Math.min(...gaps)).toBe(30 + 120)
  })

  it('never rests longer than one that is not', async () => {
    const { gapsWhileWoken, roundsIn, wake } = start({ restMs: 200, tookMs: 100 })
    // Woken just before the next round is due, that one is not put off.
    await roundsIn(290)
    wake()
    expect(await roundsIn(11)).toBe(1)
    expect(new Set(await gapsWhileWoken(3000))).toEqual(new Set([300]))
  })

  it('while it fails rests all the same', async () => {
    const { database, roundsIn, wake } = start({ restMs: 2000 })
    database.isDown = true
    await roundsIn(2000)
    wake()
    expect(await roundsIn(3000)).toBe(0)
  })

  it('while the first round that fails is under way rests all the same', async () => {
    const { database, roundsIn, wake } = start({ restMs: 1000, tookMs: 100 })
    await roundsIn(100)
    database.isDown = true
    expect(await roundsIn(1050)).toBe(1)
    wake()
    expect(await roundsIn(1900)).toBe(0)
    expect(await roundsIn(200)).toBe(1)
  })
})
