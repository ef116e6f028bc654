import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createLog } from '../observe/log.ts'
import { repeat } from './repeat.ts'

// The files that run after this one need the real ones.
beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())

/** A job every 20 ms that fails for as long as the database is down. */
function start() {
  const database = { isDown: false }
  const lines: string[] = []
  const log = createLog('error', { write: (line: string) => lines.push(line) })
  const run = vi.fn<() => Promise<void>>(async () => {
    if (database.isDown) throw new Error('connect ECONNREFUSED')
  })
  const stop = repeat({ name: 'deliver webhooks', restMs: 20, run }, log)
  onTestFinished(stop)
  const roundsIn = async (ms: number) => {
    run.mockClear()
    await vi.advanceTimersByTimeAsync(ms)
    return run.mock.calls.length
  }
  const told = () => lines.map((line) => (JSON.parse(line) as { times: number }).times)
  return { database, roundsIn, told }
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
