import { describe, expect, it, vi } from 'vitest'
import { QUEUE_TIMEOUT_MS, FairQueueFull, createFairQueue } from './fair-queue.ts'

/** Starts tasks that run until `endOne`; `begun` has their keys in the order in which they started. */
function startQueue(limits: Parameters<typeof createFairQueue>[0]) {
  const queue = createFairQueue(limits)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (key: string) => {
    const done = queue.run(key, async () => {
      begun.push(key)
      await new Promise<void>((resolve) => ends.push(resolve))
      return key
    })
    // A rejection is asserted by the test that expects it.
    done.catch(() => {})
    return done
  }
  const settle = async () => {
    for (let n = 0; n < 20; n += 1) await Promise.resolve()
  }
  const endOne = async () => {
    ends.shift()?.()
    await settle()
  }
  return { run, begun, endOne, settle }
}

describe('a fair queue', () => {
  it('serves the waiting keys in turn', async () => {
    const { run, begun, endOne, settle } = startQueue({ slots: 1, slotsPerKey: 1, waitingMax: 10 })
    for (let n = 0; n < 5; n += 1) void run('a')
    for (const key of ['b', 'b', 'c']) void run(key)
    await settle()
    for (let n = 0; n < 8; n += 1) await endOne()
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a', 'a'])
  })

  it('passes the slot of a task that timed out to the next one', async () => {
    vi.useFakeTimers()
    const { run, begun, endOne, settle } = startQueue({ slots: 1, slotsPerKey: 1, waitingMax: 3 })
    void run('a')
    const late = expect(run('a')).rejects.toThrow(FairQueueFull)
    await vi.advanceTimersByTimeAsync(QUEUE_TIMEOUT_MS)
    await late
    void run('b')
    await endOne()
    await settle()
    expect(begun).toEqual(['a', 'b'])
    vi.useRealTimers()
  })

  it('continues after a task fails', async () => {
    const queue = createFairQueue({ slots: 1, slotsPerKey: 1, waitingMax: 3 })
    await expect(queue.run('a', () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    )
    expect(await queue.run('a', async () => 'done')).toBe('done')
  })
})
