import { describe, expect, it } from 'vitest'
import { JOBS } from '../jobs/scheduler.ts'
import { SEARCH_INTERVAL_MS, createAbsenceTracker } from './orphaned-attempts.ts'

const reconcile = JOBS.find(({ name }) => name === 'reconcile')

describe('a process without a lock', () => {
  it('is not dead after one or two checks, nor before two and a half seconds', () => {
    const findDead = createAbsenceTracker()
    expect([0, 10, 1000, 2499].map((at) => findDead(['7'], at))).toEqual([[], [], [], []])
    expect(findDead(['7'], 2500)).toEqual(['7'])
  })

  it('is not dead at the first checks after an outage of the database', () => {
    const findDead = createAbsenceTracker()
    findDead(['7'], 0)
    expect([60_000, 61_000, 62_000, 63_000].map((at) => findDead(['7'], at))).toEqual([
      [],
      [],
      [],
      ['7'],
    ])
  })

  it('that held its lock in between starts over', () => {
    const findDead = createAbsenceTracker()
    const looks: [string[], number][] = [
      [['7', '8'], 0],
      [['8'], 1500],
      [['7', '8'], 2000],
      [['7', '8'], 4000],
    ]
    expect(looks.map(([absent, at]) => findDead(absent, at))).toEqual([[], [], [], ['8']])
  })

  it('is found dead and its calls are queried within five seconds', () => {
    const findDead = createAbsenceTracker()
    // It died right after a look, and its calls are brought forward right after the reconciler's.
    let found = SEARCH_INTERVAL_MS
    while (findDead(['7'], found).length === 0) found += SEARCH_INTERVAL_MS
    expect(found + (reconcile?.intervalMs ?? Infinity)).toBeLessThan(5000)
  })
})
