import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant, isTimeZone, monthsBefore, parseInstant } from './time.ts'

const utc = (...parts: Parameters<typeof Date.UTC>) => Date.UTC(...parts)

describe('parsing an instant', () => {
  it.each([
    ['2030-01-31T09:00:00Z', utc(2030, 0, 31, 9)],
    ['2030-01-31T09:00:00.5Z', utc(2030, 0, 31, 9, 0, 0, 500)],
    ['2030-01-31T09:00:00.123Z', utc(2030, 0, 31, 9, 0, 0, 123)],
    ['2030-01-31T09:00:00.123999999Z', utc(2030, 0, 31, 9, 0, 0, 123)],
    ['2030-01-31T09:00:00+00:00', utc(2030, 0, 31, 9)],
    ['2030-01-31T09:00:00-00:00', utc(2030, 0, 31, 9)],
    ['2030-01-31T09:00:00+05:30', utc(2030, 0, 31, 3, 30)],
    ['2030-01-31T09:00:00-03:30', utc(2030, 0, 31, 12, 30)],
    ['2030-01-01T00:00:00+14:00', utc(2029, 11, 31, 10)],
    ['2029-12-31T23:59:59.999-12:00', utc(2030, 0, 1, 11, 59, 59, 999)],
    ['2028-02-29T00:00:00Z', utc(2028, 1, 29)],
    ['2000-02-29T00:00:00Z', utc(2000, 1, 29)],
    ['0000-01-01T00:00:00Z', -62_167_219_200_000],
    ['0099-01-01T00:00:00Z', Date.parse('0099-01-01T00:00:00Z')],
    ['9999-12-31T23:59:59.999Z', utc(9999, 11, 31, 23, 59, 59, 999)],
  ])('accepts %s', (text, expected) => {
    expect(parseInstant(text)).toBe(expected)
  })

  it.each([
    ['has no offset', '2030-01-31T09:00:00'],
    ['is a date only', '2030-01-31'],
    ['has no seconds', '2030-01-31T09:00Z'],
    ['has a space for the T', '2030-01-31 09:00:00Z'],
    ['has a lower-case t', '2030-01-31t09:00:00Z'],
    ['has a lower-case z', '2030-01-31T09:00:00z'],
    ['has an hour of 24', '2030-01-31T24:00:00Z'],
    ['has a leap second', '2016-12-31T23:59:60Z'],
    ['has a minute of 60', '2030-01-31T09:60:00Z'],
    ['names 30 February', '2026-02-30T00:00:00Z'],
    ['names 29 February of a common year', '2027-02-29T00:00:00Z'],
    ['names 29 February of a century', '2100-02-29T00:00:00Z'],
    ['names 31 April', '2030-04-31T00:00:00Z'],
    ['names month 13', '2030-13-01T00:00:00Z'],
    ['names month 0', '2030-00-01T00:00:00Z'],
    ['names day 0', '2030-01-00T00:00:00Z'],
    ['is written the American way', '12/01/2026'],
    ['has an empty fraction', '2030-01-31T09:00:00.Z'],
    ['has a comma for the dot', '2030-01-31T09:00:00,5Z'],
    ['has an offset without a colon', '2030-01-31T09:00:00+0530'],
    ['has an offset of hours only', '2030-01-31T09:00:00+05'],
    ['has an offset of 24 hours', '2030-01-31T09:00:00+24:00'],
    ['has an offset of 60 minutes', '2030-01-31T09:00:00+01:60'],
    ['has a typographic minus', '2030-01-31T09:00:00−05:00'],
    ['has a Z and an offset', '2030-01-31T09:00:00Z+01:00'],
    ['has spaces around', ' 2030-01-31T09:00:00Z '],
    ['ends in a line break', '2030-01-31T09:00:00Z\n'],
    ['has digits of another script', '٢٠٣٠-01-31T09:00:00Z'],
    ['has a year of five digits', '10000-01-01T00:00:00Z'],
    ['has a signed year', '+002030-01-31T09:00:00Z'],
    ['falls before the year 0 in UTC', '0000-01-01T00:00:00+00:01'],
    ['falls after the year 9999 in UTC', '9999-12-31T23:59:59-00:01'],
    ['is empty', ''],
  ])('rejects text that %s', (_reason, text) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  const moment = fc.date({
    min: new Date('0001-01-01T00:00:00Z'),
    max: new Date('9998-12-31T23:59:59Z'),
    noInvalidDate: true,
  })

  it('agrees with Date about every instant that Date prints', () => {
    fc.assert(
      fc.property(moment, (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime())
        expect(formatInstant(date.getTime())).toBe(date.toISOString())
      }),
    )
  })

  it('returns the same instant for any offset', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -1439, max: 1439 }), (date, minutes) => {
        const local = new Date(date.getTime() + minutes * 60_000).toISOString().slice(0, -1)
        const pad = (value: number) => String(value).padStart(2, '0')
        const size = Math.abs(minutes)
        const offset = `${minutes < 0 ? '-' : '+'}${pad(Math.floor(size / 60))}:${pad(size % 60)}`
        expect(parseInstant(local + offset)).toBe(date.getTime())
      }),
    )
  })

  it('accepts exactly the days of the calendar', () => {
    const number = (max: number) => fc.integer({ min: 0, max })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9999 }), number(13), number(32), (year, month, day) => {
        const pad = (value: number, length: number) => String(value).padStart(length, '0')
        const text = `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T00:00:00Z`
        const date = new Date(0)
        date.setUTCFullYear(year, month - 1, day)
        const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day
        expect(parseInstant(text)).toBe(exists ? date.getTime() : undefined)
      }),
    )
  })
})

describe('formatting an instant', () => {
  it('always prints three decimals, so that texts sort as times', () => {
    const ms = fc.integer({ min: 0, max: utc(9999, 11, 31) })
    fc.assert(
      fc.property(ms, ms, (a, b) => {
        expect(formatInstant(a)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        expect(formatInstant(a) < formatInstant(b)).toBe(a < b)
      }),
    )
  })
})

describe('subtracting months', () => {
  it.each([
    ['2030-05-01T12:34:56.789Z', 6, '2029-11-01T12:34:56.789Z'],
    ['2030-08-31T00:00:00.000Z', 6, '2030-02-28T00:00:00.000Z'],
    ['2032-08-31T23:59:59.999Z', 6, '2032-02-29T23:59:59.999Z'],
    ['2032-08-30T10:00:00.000Z', 6, '2032-02-29T10:00:00.000Z'],
    ['2032-08-29T10:00:00.000Z', 6, '2032-02-29T10:00:00.000Z'],
    ['2032-08-28T10:00:00.000Z', 6, '2032-02-28T10:00:00.000Z'],
    ['2100-08-31T10:00:00.000Z', 6, '2100-02-28T10:00:00.000Z'],
    ['2030-03-31T10:00:00.000Z', 6, '2029-09-30T10:00:00.000Z'],
    ['2030-01-31T10:00:00.000Z', 6, '2029-07-31T10:00:00.000Z'],
    ['2030-12-31T10:00:00.000Z', 6, '2030-06-30T10:00:00.000Z'],
    ['2030-01-01T00:00:00.000Z', 1, '2029-12-01T00:00:00.000Z'],
    ['2032-02-29T00:00:00.000Z', 12, '2031-02-28T00:00:00.000Z'],
    ['2030-05-31T00:00:00.000Z', 0, '2030-05-31T00:00:00.000Z'],
  ])('from %s by %d is %s', (from, months, expected) => {
    expect(formatInstant(monthsBefore(Date.parse(from), months))).toBe(expected)
  })

  it('keeps the time of day and the day of the month, or uses the last day of the month', () => {
    const from = fc.date({
      min: new Date('1900-01-01T00:00:00Z'),
      max: new Date('2200-01-01T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(from, fc.integer({ min: 0, max: 30 }), (date, months) => {
        const before = new Date(monthsBefore(date.getTime(), months))
        const count = (of: Date) => of.getUTCFullYear() * 12 + of.getUTCMonth()
        expect(count(date) - count(before)).toBe(months)
        expect(before.toISOString().slice(10)).toBe(date.toISOString().slice(10))
        if (before.getUTCDate() === date.getUTCDate()) return
        expect(before.getUTCDate()).toBeLessThan(date.getUTCDate())
        expect(new Date(before.getTime() + 86_400_000).getUTCDate()).toBe(1)
      }),
    )
  })
})

describe('a time zone name', () => {
  it.each([
    'UTC',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Europe/Kyiv',
    'US/Eastern',
    'Europe/Paris',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+1',
  ])('accepts %s', (zone) => {
    expect(isTimeZone(zone)).toBe(true)
  })

  it.each([
    '+01:00',
    '-0530',
    '+01',
    '01:00',
    '',
    ' ',
    'Mars/Base',
    'Europe/Paris ',
    'Europe',
    '\0UTC',
  ])('refuses "%s"', (zone) => {
    expect(isTimeZone(zone)).toBe(false)
  })
})
