import { describe, expect, it, vi } from 'vitest'
import { LINE_WAIT_MS, FairQueueFull, createFairQueue } from './fair-queue.ts'

/** Work that goes on until it is told to end; `begun` names whose, in the order in which it began. */
function workshop(limits: Parameters<typeof createFairQueue>[0]) {
  const turns = createFairQueue(limits)
  const begun: string[] = []
  const ends: (() => void)[] = []
  const take = (who: string) => {
    const done = turns.take(who, async () => {
      begun.push(who)
      await new Promise<void>((resolve) => ends.push(resolve))
      return who
    })
    // Whoever is refused is looked at by the test that expects it.
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
  return { take, begun, endOne, settle }
}

describe('turns', () => {
  it('leave a place for others while one asks for all of them', async () => {
    const { take, begun, settle } = workshop({ places: 4, each: 2, waitingMax: 10 })
    for (let n = 0; n < 6; n += 1) void take('greedy')
    void take('other')
    await settle()
    expect(begun).toEqual(['greedy', 'greedy', 'other'])
  })

  it('come round to everybody who waits, whoever has the longest line', async () => {
    const { take, begun, endOne, settle } = workshop({ places: 1, each: 1, waitingMax: 10 })
    for (let n = 0; n < 5; n += 1) void take('a')
    for (const who of ['b', 'b', 'c']) void take(who)
    await settle()
    for (let n = 0; n < 8; n += 1) await endOne()
    expect(begun).toEqual(['a', 'a', 'b', 'c', 'a', 'b', 'a', 'a'])
  })

  it('are refused to one who has too many waiting, and to nobody else', async () => {
    const { take, begun, settle } = workshop({ places: 2, each: 1, waitingMax: 3 })
    for (let n = 0; n < 4; n += 1) void take('a')
    await settle()
    await expect(take('a')).rejects.toThrow(FairQueueFull)
    void take('b')
    await settle()
    expect(begun).toEqual(['a', 'b'])
  })

  it('are given up after a while, and the place is for the next', async () => {
    vi.useFakeTimers()
    const { take, begun, endOne, settle } = workshop({ places: 1, each: 1, waitingMax: 3 })
    void take('a')
    const late = expect(take('a')).rejects.toThrow(FairQueueFull)
    await vi.advanceTimersByTimeAsync(LINE_WAIT_MS)
    await late
    void take('b')
    await endOne()
    await settle()
    expect(begun).toEqual(['a', 'b'])
    vi.useRealTimers()
  })

  it('go on when work fails', async () => {
    const turns = createFairQueue({ places: 1, each: 1, waitingMax: 3 })
    await expect(turns.take('a', () => Promise.reject(new Error('broken')))).rejects.toThrow(
      'broken',
    )
    expect(await turns.take('a', async () => 'done')).toBe('done')
  })
})
