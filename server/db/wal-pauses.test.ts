import { describe, expect, it } from 'vitest'
import { pauseForWal } from './wal-pauses.ts'

/** A log of a given size, and reads that last until the test ends them. */
function reading({ retryMs = 0, emptied = 0 } = {}) {
  const log = { bytes: 0, attempts: 0 }
  const done: string[] = []
  const run = pauseForWal(
    {
      size: () => log.bytes,
      truncate: async () => {
        log.attempts += 1
        log.bytes = emptied
        done.push('emptied')
      },
    },
    { bytesMax: 10, checkMs: 0, retryMs },
  )
  const begin = (name: string) => {
    const end = Promise.withResolvers<void>()
    const ended = run(async () => {
      done.push(name)
      await end.promise
    })
    return {
      end: () => {
        end.resolve()
        return ended
      },
    }
  }
  const settle = async () => {
    for (let n = 0; n < 20; n += 1) await Promise.resolve()
  }
  return { log, done, run, begin, settle }
}

describe('reads of a file whose log is too large', () => {
  it('wait for started reads and the truncation of the log', async () => {
    const { log, done, begin, settle } = reading()
    const a = begin('a')
    const b = begin('b')
    log.bytes = 11
    const c = begin('c')
    const d = begin('d')
    await a.end()
    await settle()
    expect(done).toEqual(['a', 'b'])
    await b.end()
    await settle()
    expect(done).toEqual(['a', 'b', 'emptied', 'c', 'd'])
    await Promise.all([c.end(), d.end()])
  })

  it('also wait for a read that fails', async () => {
    const { log, done, run, begin, settle } = reading()
    const failing = run(() => Promise.reject(new Error('broken')))
    log.bytes = 11
    const next = begin('next')
    await expect(failing).rejects.toThrow('broken')
    await settle()
    expect(done).toEqual(['emptied', 'next'])
    await next.end()
  })

  it('continue if the truncation fails, and pause again only later', async () => {
    const { log, done, begin, settle } = reading({ retryMs: 1_000_000, emptied: 11 })
    log.bytes = 11
    for (const name of ['a', 'b', 'c']) {
      const one = begin(name)
      await settle()
      await one.end()
    }
    expect(done).toEqual(['emptied', 'a', 'b', 'c'])
    expect(log.attempts).toBe(1)
  })

  it('start at once while it is small', async () => {
    const { log, done, begin } = reading()
    log.bytes = 10
    const ends = ['a', 'b'].map((name) => begin(name))
    expect(done).toEqual(['a', 'b'])
    await Promise.all(ends.map(({ end }) => end()))
    expect(log.attempts).toBe(0)
  })
})
