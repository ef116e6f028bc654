import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../observe/log.ts'
import { repeat } from './repeat.ts'

// The files that run after this one need the real ones.
beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())

/** A job every 20 ms that fails for as long as the database is down. */
function start({ restMs = 20 } = {}) {
  const database = { isDown: false }
  const lines: string[] = []
  const log = createLog('error', { write: (line: string) => lines.push(line) })
  const run = vi.fn<() => Promise<void>>(async () => {
    if (database.isDown) throw new Error('connect ECONNREFUSED')
  })
  const { wake, stop } = repeat({ name: 'deliver webhooks', restMs, run }, log)
  onTestFinished(stop)
  const roundsIn = async (ms: number) => {
    run.mockClear()
    await vi.advanceTimersByTimeAsync(ms)
    return run.mock.calls.length
  }
  const told = () => lines.map((line) => (JSON.parse(line) as { times: number }).times)
  return { database, roundsIn, told, wake }
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
  it('runs at once, and no more than fifty times a second however often it is woken', async () => {
    const { roundsIn, wake } = start({ restMs: 10_000 })
    expect(await roundsIn(1000)).toBe(0)
    wake()
    expect(await roundsIn(20)).toBe(1)
    expect(await roundsIn(5000)).toBe(0)
    let rounds = 0
    for (let ms = 0; ms < 1000; ms += 1) {
      wake()
      rounds += await roundsIn(1)
    }
    expect(rounds).toBeGreaterThan(40)
    expect(rounds).toBeLessThanOrEqual(50)
  })

  it('while it fails rests all the same', async () => {
    const { database, roundsIn, wake } = start({ restMs: 2000 })
    database.isDown = true
    await roundsIn(2000)
    wake()
    expect(await roundsIn(3000)).toBe(0)
  })
})
