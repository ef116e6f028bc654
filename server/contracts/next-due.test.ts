import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant } from '../../shared/rules/time.ts'
import { countableZone, nextDueTime, type Recurrence } from './next-due.ts'

const DAY_MS = 86_400_000

/** The first due times of a contract, the anchor included. */
function dues(rule: Recurrence, count: number): string[] {
  const found: string[] = []
  let after = Date.parse(rule.anchor) - 1
  while (found.length < count) {
    const due = nextDueTime(rule, after)
    if (due === undefined) break
    found.push(due)
    after = Date.parse(due)
  }
  return found
}

const at = (text: string) => formatInstant(Date.parse(text))

describe('a due time keeps the day of the month', () => {
  it.each([
    [
      'the 31st falls on the last day of a shorter month, and comes back',
      { frequency: 'MONTH', interval: 1, anchor: at('2030-01-31T09:00:00Z'), timezone: 'UTC' },
      ['2030-01-31', '2030-02-28', '2030-03-31', '2030-04-30', '2030-05-31'],
    ],
    [
      'in a leap year February has one day more',
      { frequency: 'MONTH', interval: 1, anchor: at('2032-01-31T09:00:00Z'), timezone: 'UTC' },
      ['2032-01-31', '2032-02-29', '2032-03-31'],
    ],
    [
      '29 February comes back every fourth year',
      { frequency: 'YEAR', interval: 1, anchor: at('2028-02-29T09:00:00Z'), timezone: 'UTC' },
      ['2028-02-29', '2029-02-28', '2030-02-28', '2031-02-28', '2032-02-29'],
    ],
    [
      'every third month',
      { frequency: 'MONTH', interval: 3, anchor: at('2030-11-30T09:00:00Z'), timezone: 'UTC' },
      ['2030-11-30', '2031-02-28', '2031-05-30', '2031-08-30'],
    ],
    [
      'every second week',
      { frequency: 'WEEK', interval: 2, anchor: at('2030-12-25T09:00:00Z'), timezone: 'UTC' },
      ['2030-12-25', '2031-01-08', '2031-01-22'],
    ],
  ] as const)('%s', (_name, rule, days) => {
    expect(dues(rule, days.length)).toEqual(days.map((day) => at(`${day}T09:00:00Z`)))
  })
})

describe('a due time keeps the time of day in the contract’s time zone', () => {
  it.each([
    // The clocks go forward on 31 March 2030 and back on 27 October 2030.
    [
      'Europe/London',
      'DAY',
      '2030-03-30T09:00:00+00:00',
      ['2030-03-30T09:00:00+00:00', '2030-03-31T09:00:00+01:00', '2030-04-01T09:00:00+01:00'],
    ],
    [
      'Europe/London',
      'MONTH',
      '2030-09-28T09:00:00+01:00',
      ['2030-09-28T09:00:00+01:00', '2030-10-28T09:00:00+00:00'],
    ],
    // At 02:00 on 10 March 2030 it is 03:00: a time that does not exist is the one after the gap.
    [
      'America/New_York',
      'DAY',
      '2030-03-09T02:30:00-05:00',
      ['2030-03-09T02:30:00-05:00', '2030-03-10T03:30:00-04:00', '2030-03-11T02:30:00-04:00'],
    ],
    // At 02:00 on 3 November 2030 it is 01:00 again: of the two, the first is meant.
    [
      'America/New_York',
      'DAY',
      '2030-11-02T01:30:00-04:00',
      ['2030-11-02T01:30:00-04:00', '2030-11-03T01:30:00-04:00', '2030-11-04T01:30:00-05:00'],
    ],
    // The evening of the 30th in UTC is the 31st in India.
    [
      'Asia/Kolkata',
      'MONTH',
      '2030-01-31T02:00:00+05:30',
      ['2030-01-31T02:00:00+05:30', '2030-02-28T02:00:00+05:30', '2030-03-31T02:00:00+05:30'],
    ],
    // Samoa had no 30 December 2011, so no charge is due on it.
    [
      'Pacific/Apia',
      'DAY',
      '2011-12-28T12:00:00-10:00',
      [
        '2011-12-28T12:00:00-10:00',
        '2011-12-29T12:00:00-10:00',
        '2011-12-31T12:00:00+14:00',
        '2012-01-01T12:00:00+14:00',
      ],
    ],
    // Lord Howe moves its clocks by half an hour, on 6 October 2030.
    [
      'Australia/Lord_Howe',
      'DAY',
      '2030-10-05T02:15:00+10:30',
      ['2030-10-05T02:15:00+10:30', '2030-10-06T02:45:00+11:00', '2030-10-07T02:15:00+11:00'],
    ],
  ] as const)('%s, each %s', (timezone, frequency, anchor, expected) => {
    const rule = { frequency, interval: 1, anchor: at(anchor), timezone }
    expect(dues(rule, expected.length)).toEqual(expected.map(at))
  })
})

describe('on a day on which the clocks change', () => {
  it.each([
    // 02:30 does not exist in New York on 10 March 2030 and is due at 03:30.
    ['2030-03-09T02:30:00-05:00', '2030-03-10T03:10:00-04:00', '2030-03-10T03:30:00-04:00'],
    ['2030-03-09T02:30:00-05:00', '2030-03-10T03:30:00-04:00', '2030-03-11T02:30:00-04:00'],
    // 01:30 comes twice on 3 November 2030 and is due at the first.
    ['2030-11-02T01:30:00-04:00', '2030-11-03T01:29:00-04:00', '2030-11-03T01:30:00-04:00'],
    ['2030-11-02T01:30:00-04:00', '2030-11-03T01:15:00-05:00', '2030-11-04T01:30:00-05:00'],
    // A contract that begins with the second 01:30 has its first charge then.
    ['2030-11-03T01:30:00-05:00', '2030-11-03T01:30:00-04:00', '2030-11-03T01:30:00-05:00'],
    ['2030-11-03T01:30:00-05:00', '2030-11-03T01:30:00-05:00', '2030-11-04T01:30:00-05:00'],
  ])('of the contract from %s, after %s comes %s', (anchor, after, next) => {
    const rule = { frequency: 'DAY', interval: 1, anchor: at(anchor) } as const
    expect(nextDueTime({ ...rule, timezone: 'America/New_York' }, Date.parse(after))).toBe(at(next))
  })
})

describe('the time zone of due times', () => {
  it.each([
    ['Europe/London', 'Europe/London'],
    ['US/Eastern', 'US/Eastern'],
    ['UTC', 'UTC'],
    ['CST', 'America/Chicago'],
    ['JST', 'Asia/Tokyo'],
  ])('%s is %s', (name, zone) => {
    expect(countableZone(name)).toBe(zone)
  })
})

describe('the end of the calendar', () => {
  it('has no due time after it', () => {
    const anchor = at('9998-06-01T00:00:00Z')
    const rule = { frequency: 'YEAR', interval: 1, anchor, timezone: 'UTC' } as const
    expect(dues(rule, 5)).toEqual([anchor, at('9999-06-01T00:00:00Z')])
  })
})

const recurrence: fc.Arbitrary<Recurrence> = fc.record({
  frequency: fc.constantFrom('DAY', 'WEEK', 'MONTH', 'YEAR'),
  interval: fc.integer({ min: 1, max: 40 }),
  anchor: fc
    .integer({ min: Date.parse('2000-01-01T00:00:00Z'), max: Date.parse('2040-01-01T00:00:00Z') })
    .map(formatInstant),
  timezone: fc.constantFrom(
    'UTC',
    'Europe/London',
    'America/New_York',
    'Asia/Kolkata',
    'Pacific/Apia',
    'Australia/Lord_Howe',
  ),
})

/** Date and time of day on the walls of a place, by another calendar than the one in use. */
function wall(ms: number, timezone: string): { day: string; time: string } {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hourCycle: 'h23',
  }).formatToParts(ms)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  return {
    day: `${part('year')}-${part('month')}-${part('day')}`,
    time: ['hour', 'minute', 'second', 'fractionalSecond'].map(part).join(':'),
  }
}

/** Whether the clocks of a place change within a day of this moment. */
function clocksChange(ms: number, timezone: string): boolean {
  const offset = (at: number) =>
    new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' })
      .formatToParts(at)
      .find((part) => part.type === 'timeZoneName')?.value
  return offset(ms - DAY_MS) !== offset(ms + DAY_MS)
}

describe('any contract', () => {
  it('has increasing due times', () => {
    fc.assert(
      fc.property(recurrence, (rule) => {
        const found = dues(rule, 12)
        expect(found).toHaveLength(12)
        expect(found).toEqual([...new Set(found)].toSorted())
      }),
    )
  })

  it('has the same due time from any starting point', () => {
    fc.assert(
      fc.property(
        recurrence,
        fc.nat({ max: 30 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (rule, skip, share) => {
          const found = dues(rule, skip + 2).map(Date.parse)
          const [before, next] = found.slice(-2) as [number, number]
          // Nothing was forgotten on the way, and nothing adds up.
          const anywhere = Math.min(next - 1, before + Math.floor((next - before) * share))
          expect(nextDueTime(rule, anywhere)).toBe(formatInstant(next))
        },
      ),
    )
  })

  it('keeps the local time, except on days of a clock change', () => {
    fc.assert(
      fc.property(recurrence, (rule) => {
        const first = wall(Date.parse(rule.anchor), rule.timezone)
        for (const due of dues(rule, 12).map(Date.parse)) {
          if (clocksChange(due, rule.timezone)) continue
          expect(wall(due, rule.timezone).time).toBe(first.time)
        }
      }),
    )
  })

  it('uses the last day of a month only where the anchor’s day does not exist', () => {
    fc.assert(
      fc.property(recurrence, (given) => {
        const rule = { ...given, frequency: 'MONTH' as const }
        const wanted = Number(wall(Date.parse(rule.anchor), rule.timezone).day.slice(8))
        for (const due of dues(rule, 12).map(Date.parse)) {
          if (clocksChange(due, rule.timezone)) continue
          const [year, month, day] = wall(due, rule.timezone).day.split('-').map(Number)
          const days = new Date(Date.UTC(year as number, month as number, 0)).getUTCDate()
          expect(day).toBe(Math.min(wanted, days))
        }
      }),
    )
  })
})
