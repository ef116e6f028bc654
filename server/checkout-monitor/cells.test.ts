import { expect, it } from 'vitest'
import { cellChanges, cellsOf, type CountedCheckout } from './cells.ts'

const OPENED: CountedCheckout = {
  instance_id: 'ins_1',
  created: '2026-05-01T12:04:59.999Z',
  status: 'OPEN',
  milestones: '{}',
  amount: null,
  currency: 'EUR',
  language: 'en',
  branding: null,
  channel: 'shop',
  method_type: null,
  processor: null,
  deep_link_id: 'dl_1',
  declined: 0,
  personal: 0,
}

it('a session is counted in the five minutes of its opening, by its properties', () => {
  expect(cellsOf(OPENED)).toMatchObject([
    {
      slot: Date.parse('2026-05-01T12:00:00Z') / 300_000,
      language: 'en',
      branding: '',
      channel: 'shop',
      deep_link: 'dl_1',
      detail: '',
      opened: 1,
      completed: 0,
    },
  ])
})

it('a session with a method leaves the row without one, and its payment adds an amount and a time', () => {
  const submitted: CountedCheckout = {
    ...OPENED,
    status: 'SUBMITTED',
    method_type: 'CARD',
    processor: 'sandbox',
    amount: 1250,
    milestones: '{"submitted":"2026-05-01T12:05:10.000Z"}',
  }
  const moved = cellChanges(cellsOf(OPENED), cellsOf(submitted))
  expect(moved.map(({ method, opened, submitted: n }) => [method, opened, n])).toEqual([
    ['CARD', 1, 1],
    ['', -1, 0],
  ])
  const paid: CountedCheckout = {
    ...submitted,
    status: 'COMPLETED',
    milestones: '{"submitted":"2026-05-01T12:05:10.000Z","completed":"2026-05-01T12:05:11.000Z"}',
  }
  expect(cellChanges(cellsOf(submitted), cellsOf(paid))).toMatchObject([
    { detail: '', opened: 0, completed: 1, amount: 1250, occurrences: 0 },
    { detail: 'paid:10', opened: 0, completed: 0, amount: 0, occurrences: 1 },
  ])
  expect(cellChanges(cellsOf(paid), cellsOf(paid))).toEqual([])
})
