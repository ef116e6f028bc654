import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SLOT_MS } from './cells.ts'
import { offsetsOf, parseSpan, periodsOf, sizeOf, zoneOf } from './periods.ts'

const now = Date.parse('2026-07-15T12:07:00Z')
const spanOf = (zone: string, from?: string, to?: string) => parseSpan({ from, to }, { now, zone })
const iso = (slot: number) => new Date(slot * SLOT_MS).toISOString().replace(':00.000Z', 'Z')

describe('a span', () => {
  it.each<[zone: string, from: string | undefined, to: string | undefined, expected: string[]]>([
    ['UTC', '2026-01-01', '2026-01-31', ['2026-01-01T00:00Z', '2026-02-01T00:00Z']],
    ['Europe/Berlin', '2026-03-29', '2026-03-29', ['2026-03-28T23:00Z', '2026-03-29T22:00Z']],
    ['Europe/Berlin', '2026-10-25', '2026-10-25', ['2026-10-24T22:00Z', '2026-10-25T23:00Z']],
    ['Asia/Kolkata', '2026-05-01', '2026-05-01', ['2026-04-30T18:30Z', '2026-05-01T18:30Z']],
    ['Asia/Kathmandu', '2026-05-01', '2026-05-01', ['2026-04-30T18:15Z', '2026-05-01T18:15Z']],
    // Where midnight is skipped, the day begins at one.
    ['America/Santiago', '2026-09-06', '2026-09-06', ['2026-09-06T04:00Z', '2026-09-07T03:00Z']],
    ['UTC', undefined, undefined, ['2026-06-16T00:00Z', '2026-07-16T00:00Z']],
    ['Pacific/Auckland', undefined, undefined, ['2026-06-16T12:00Z', '2026-07-16T12:00Z']],
    [
      'UTC',
      '2026-01-01T09:07:00Z',
      '2026-01-01T09:31:00Z',
      ['2026-01-01T09:00Z', '2026-01-01T09:45Z'],
    ],
    ['UTC', undefined, '2026-01-31', ['2026-01-02T00:00Z', '2026-02-01T00:00Z']],
  ])('in %s from %s to %s', (zone, from, to, expected) => {
    const span = spanOf(zone, from, to)
    expect([iso(span.from), iso(span.to)]).toEqual(expected)
  })

  it('begins and ends at whole slots, also where the offset of a zone once was none', () => {
    const span = spanOf('Africa/Monrovia', '1970-01-01', '1970-01-31')
    expect([iso(span.from), iso(span.to)]).toEqual(['1970-01-01T00:40Z', '1970-02-01T00:45Z'])
  })

  it('may have 400 days, also across a change of the clocks', () => {
    expect(() => spanOf('Europe/Berlin', '2026-01-01', '2027-02-04')).not.toThrow()
    expect(() => spanOf('Europe/Berlin', '2026-01-01', '2027-02-05')).toThrow('at most 400 days')
    expect(() => spanOf('Europe/Berlin', '2026-02-01', '2027-03-07')).not.toThrow()
  })
})

describe('periods', () => {
  const keys = (zone: string, day: string, by: 'day' | 'hour') => {
    const span = spanOf(zone, day, day)
    return periodsOf(span, offsetsOf(span, zone), by).map(({ key }) => key)
  }

  it('show the hour that is skipped and the one that is repeated', () => {
    const spring = keys('Europe/Berlin', '2026-03-29', 'hour')
    expect(spring).toHaveLength(23)
    expect(spring.slice(1, 3)).toEqual(['2026-03-29T01:00:00+01:00', '2026-03-29T03:00:00+02:00'])
    const autumn = keys('Europe/Berlin', '2026-10-25', 'hour')
    expect(autumn).toHaveLength(25)
    expect(autumn.slice(2, 4)).toEqual(['2026-10-25T02:00:00+02:00', '2026-10-25T02:00:00+01:00'])
    expect(keys('Europe/Berlin', '2026-10-25', 'day')).toEqual(['2026-10-25'])
  })

  it('begin at the change of clocks that move by half an hour', () => {
    const hours = keys('Australia/Lord_Howe', '2026-04-05', 'hour')
    expect(hours.slice(1, 3)).toEqual(['2026-04-05T01:00:00+11:00', '2026-04-05T01:30:00+10:30'])
  })

  it('put each slot into the local day and hour that Intl gives it', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'America/St_Johns',
      'Africa/Casablanca',
      'Pacific/Chatham',
      'America/Santiago',
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 700 }),
        fc.integer({ min: 1, max: 30 }),
        fc.nat(),
        (zone, start, days, at) => {
          const day = (n: number) =>
            new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString().slice(0, 10)
          const span = spanOf(zone, day(start), day(start + days - 1))
          const offsets = offsetsOf(span, zone)
          const slot = span.from + (at % (span.to - span.from))
          const index = offsets.findLastIndex(({ from }) => from <= slot)
          const local = new Intl.DateTimeFormat('sv', {
            timeZone: zone,
            dateStyle: 'short',
            timeStyle: 'short',
          }).format(slot * SLOT_MS)
          for (const by of ['day', 'hour'] as const) {
            const number = Math.floor((slot + (offsets[index]?.offset ?? 0)) / sizeOf(by))
            const period = periodsOf(span, offsets, by).find(
              (each) => each.number === number && (by === 'day' || each.offset === index),
            )
            const length = by === 'day' ? 10 : 13
            expect(period?.key.replace('T', ' ').slice(0, length)).toBe(local.slice(0, length))
          }
          expect(periodsOf(span, offsets, 'day')).toHaveLength(days)
        },
      ),
      { numRuns: 60 },
    )
  })
})

it('the zone of an instance is UTC without a name that is known', () => {
  expect(zoneOf({ timezone: null })).toBe('UTC')
  expect(zoneOf({ timezone: 'Nowhere/Land' })).toBe('UTC')
  expect(zoneOf({ timezone: 'Asia/Tokyo' })).toBe('Asia/Tokyo')
})
