import { expect, it } from 'vitest'
import { idleState } from './idle-time.ts'

const MINUTE = 60_000

it.each([
  [0, 'active', undefined],
  [28 * MINUTE - 1, 'active', undefined],
  [28 * MINUTE, 'warned', 2],
  [29 * MINUTE, 'warned', 1],
  [30 * MINUTE - 1, 'warned', 1],
  [30 * MINUTE, 'over', undefined],
  [31 * MINUTE, 'over', undefined],
] as const)(
  'a session that may be idle for half an hour is, after %d ms, %s',
  (now, kind, minutes) => {
    const state = idleState({ now, active: 0, idleMs: 30 * MINUTE })
    expect(state).toEqual({ kind, ...(minutes !== undefined && { minutes }) })
  },
)
