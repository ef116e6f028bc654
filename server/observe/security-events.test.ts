import { expect, it } from 'vitest'
import { createSecurityEvents } from './security-events.ts'
import type { LogFields } from './log.ts'

function recorded() {
  const lines: LogFields[] = []
  const line = (fields: LogFields | string) => {
    lines.push(fields as LogFields)
  }
  let clock = 0
  const log = { trace: line, debug: line, info: line, warn: line, error: line, fatal: line }
  const events = createSecurityEvents({ log, now: () => clock })
  return { events, lines, pass: (ms: number) => (clock += ms) }
}

it('counts every event and logs the first thirty of a type in a minute', () => {
  const { events, lines, pass } = recorded()
  for (let n = 0; n < 100; n += 1) {
    events.record('credentials_locked_out', { network: '203.0.113.0/24' })
  }
  expect(lines).toHaveLength(30)
  expect(lines[0]).toEqual({ event: 'credentials_locked_out', network: '203.0.113.0/24' })
  pass(60_000)
  events.record('credentials_locked_out')
  expect(lines.at(-1)).toEqual({ event: 'credentials_locked_out', unlogged: 70 })
  expect(events.counts().get('credentials_locked_out')).toBe(101)
})
