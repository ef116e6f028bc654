import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { DatabaseTimeout, createQueryTimeout } from './query-timeout.ts'

// The files that run after this one need the real ones.
beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())
afterEach(() => vi.clearAllTimers())

const never = () => new Promise<never>(() => {})
const MS = 35_000

describe('a connection to a database', () => {
  it('times out, and is not used again', async () => {
    const patience = createQueryTimeout(MS)
    expect(await patience.run('select 1', async () => 'one')).toBe('one')
    expect(patience.hasTimedOut()).toBe(false)
    const waiting = expect(patience.run('update', never)).rejects.toThrow(DatabaseTimeout)
    await vi.advanceTimersByTimeAsync(MS)
    await waiting
    expect(patience.hasTimedOut()).toBe(true)
    const ask = vi.fn<() => Promise<string>>(async () => 'late')
    await expect(patience.run('rollback', ask)).rejects.toThrow(DatabaseTimeout)
    expect(ask).not.toHaveBeenCalled()
  })

  it('has no timeout in a transaction that disables it, and only there', async () => {
    const patience = createQueryTimeout(MS)
    const done = async () => {}
    await patience.run('begin', done)
    await patience.run('set local statement_timeout = 0', done)
    let respond = () => {}
    const long = patience.run('create index', () => new Promise<void>((r) => (respond = r)))
    await vi.advanceTimersByTimeAsync(10 * MS)
    respond()
    await long
    await patience.run('commit', done)
    const waiting = expect(patience.run('select 1', never)).rejects.toThrow(DatabaseTimeout)
    await vi.advanceTimersByTimeAsync(MS)
    await waiting
  })

  it('that fails keeps its error and may be used again', async () => {
    const patience = createQueryTimeout(MS)
    const failing = patience.run('select', () => Promise.reject(new Error('division by zero')))
    await expect(failing).rejects.toThrow('division by zero')
    expect(patience.hasTimedOut()).toBe(false)
    expect(vi.getTimerCount()).toBe(0)
  })
})
