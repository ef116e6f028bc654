import { describe, expect, it } from 'vitest'
import { atEnd } from '../../test/at-end.ts'
import { openEmptyDatabase } from '../../test/database.ts'
import { LockTimeout, createNamedLocks } from './named-locks.ts'
import { openDatabase } from './open.ts'

const opened = await openEmptyDatabase<object>()
const locks = createNamedLocks(opened.db, opened.kind)

/** Work that runs until `end` is called, and says that it has begun. */
function held() {
  const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const work = () => {
    begun.resolve()
    return ended.promise
  }
  return { begun: begun.promise, end: () => ended.resolve(), work }
}

describe('a lock', () => {
  it('is granted in the order of requests', async () => {
    const order: number[] = []
    let inside = 0
    await Promise.all(
      [1, 2, 3, 4, 5].map((i) =>
        locks.withLock('queue', { waitMs: 5000 }, async () => {
          inside += 1
          expect(inside).toBe(1)
          await new Promise((resolve) => setImmediate(resolve))
          order.push(i)
          inside -= 1
        }),
      ),
    )
    expect(order).toEqual([1, 2, 3, 4, 5])
  })

  it('on several keys excludes the holders of each of them, in any order of the keys', async () => {
    let inside = 0
    const work = async () => {
      inside += 1
      expect(inside).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      inside -= 1
    }
    const keys = ['a', ['a', 'b', 'c', 'd', 'e'], ['e', 'd', 'a'], ['a', 'a'], ['c', 'b', 'a']]
    await Promise.all(keys.map((key) => locks.withLock(key, { waitMs: 5000 }, work)))
    const other = held()
    const running = locks.withLock('e', { waitMs: 1000 }, other.work)
    const both = locks.withLock(['d', 'e'], { waitMs: 30 }, work)
    await expect(both).rejects.toThrow(LockTimeout)
    // Those that were free are free again.
    expect(await locks.withLock('d', { waitMs: 1000 }, async () => 'free')).toBe('free')
    other.end()
    await running
  })

  it('times out without running its work, and does not affect later waiters', async () => {
    const first = held()
    const running = locks.withLock('busy', { waitMs: 1000 }, first.work)
    let ran = false
    const late = locks.withLock('busy', { waitMs: 30 }, async () => {
      ran = true
    })
    await expect(late).rejects.toThrow(LockTimeout)
    const patient = locks.withLock('busy', { waitMs: 5000 }, async () => 'patient')
    first.end()
    expect([await running, await patient, ran]).toEqual([undefined, 'patient', false])
  })

  it('still excludes others when a waiter in between times out', async () => {
    const first = held()
    const running = locks.withLock('held', { waitMs: 1000 }, first.work)
    const late = locks.withLock('held', { waitMs: 30 }, async () => 'never')
    await expect(late).rejects.toThrow(LockTimeout)
    let isInside = false
    const next = locks.withLock('held', { waitMs: 5000 }, async () => {
      isInside = true
    })
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(isInside).toBe(false)
    first.end()
    await Promise.all([running, next])
    expect(isInside).toBe(true)
  })

  it('does not wait for a lock of another name', async () => {
    const first = held()
    const running = locks.withLock('one', { waitMs: 1000 }, first.work)
    expect(await locks.withLock('two', { waitMs: 1000 }, async () => 'free')).toBe('free')
    first.end()
    await running
  })

  it('is released when the work fails', async () => {
    const failing = locks.withLock('fails', { waitMs: 1000 }, async () => {
      throw new Error('planted')
    })
    await expect(failing).rejects.toThrow('planted')
    expect(await locks.withLock('fails', { waitMs: 1000 }, async () => 'next')).toBe('next')
  })

  // SQLite serves one server process.
  it.runIf(opened.kind === 'postgres')(
    'excludes another server process, times out, and passes to the next waiter',
    async () => {
      const other = await openDatabase<object>(opened.url)
      atEnd(other.close)
      const theirs = createNamedLocks(other.db, other.kind)
      const first = held()
      const running = locks.withLock('shared', { waitMs: 1000 }, first.work)
      await first.begun
      const late = theirs.withLock('shared', { waitMs: 100 }, async () => 'never')
      await expect(late).rejects.toThrow(LockTimeout)
      const patient = theirs.withLock('shared', { waitMs: 5000 }, async () => 'theirs')
      first.end()
      await running
      expect(await patient).toBe('theirs')
    },
  )
})
