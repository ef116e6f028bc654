import { expect, it } from 'vitest'
import { COUNTS, type Counts } from './cells.ts'
import { buildReport, rateText } from './report.ts'
import type { CountSum } from './sum-counts.ts'

const NONE = Object.fromEntries(COUNTS.map((name) => [name, 0])) as Counts
const sum = (key: string, counts: Partial<CountSum>): CountSum => ({
  ...NONE,
  key,
  offset: 0,
  currency: 'EUR',
  detail: '',
  ...counts,
})

it('a report lists the thousand values with most sessions, and counts the others', () => {
  const sums = Array.from({ length: 1003 }, (_, n) => sum(`dl_${n}`, { opened: n + 1 }))
  const { rows, rows_omitted, totals } = buildReport(sums)
  expect([rows.length, rows_omitted]).toEqual([1000, 3])
  expect([rows[0]?.opened, rows.at(-1)?.opened]).toEqual([1003, 4])
  expect(totals.opened).toBe((1003 * 1004) / 2)
})

it('amounts are sums by currency, with its decimal places', () => {
  const { totals } = buildReport([
    sum('CARD', { opened: 1, completed: 1, amount: 1250 }),
    sum('CARD', { opened: 2, completed: 2, amount: 5_000, currency: 'JPY' }),
    sum('CARD', { opened: 1, completed: 1, amount: 1_234, currency: 'BHD' }),
    sum('WALLET', { opened: 1, completed: 1, amount: 50 }),
  ])
  expect(totals).toMatchObject({
    opened: 5,
    amount: { BHD: '1.234', EUR: '13.00', JPY: '5000' },
  })
})

it.each([
  [1, 3, '0.3333'],
  [2, 3, '0.6667'],
  [1, 1, '1.0000'],
  [0, 7, '0.0000'],
  [1, 20_000, '0.0001'],
  [1, 30_000, '0.0000'],
  [0, 0, null],
])('%d of %d is the rate %s', (part, of, text) => {
  expect(rateText(part, of)).toBe(text)
})
