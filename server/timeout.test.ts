import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { closeWithin } from './timeout.ts'

// The files that run after this one need the real ones.
beforeAll(() => void vi.useFakeTimers())
afterAll(() => void vi.useRealTimers())
afterEach(() => vi.clearAllTimers())

it('a shutdown that takes too long fails and is logged', async () => {
  const fatal = vi.fn<() => void>()
  const ended = expect(
    closeWithin(new Promise(() => {}), { ms: 45_000, log: { fatal } }),
  ).rejects.toThrow('could not end within 45 seconds')
  await vi.advanceTimersByTimeAsync(44_999)
  expect(fatal).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(1)
  await ended
  expect(fatal).toHaveBeenCalledTimes(1)
})

it('a shutdown in time leaves no timer that keeps the process alive', async () => {
  const fatal = vi.fn<() => void>()
  await closeWithin(Promise.resolve(), { ms: 45_000, log: { fatal } })
  expect(vi.getTimerCount()).toBe(0)
  expect(fatal).not.toHaveBeenCalled()
})
