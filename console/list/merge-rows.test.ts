import { expect, it } from 'vitest'
import { concernsList, mergeRows } from './merge-rows.ts'

const id = (row: { id: string }) => row.id

it('rows change in their places, and new ones are only counted', () => {
  const shown = [
    { id: 'b', status: 'PENDING' },
    { id: 'a', status: 'SUCCESS' },
  ]
  const latest = [
    { id: 'd', status: 'SUCCESS' },
    { id: 'c', status: 'DECLINE' },
    { id: 'b', status: 'SUCCESS' },
  ]
  expect(mergeRows(shown, latest, id)).toEqual({
    rows: [
      { id: 'b', status: 'SUCCESS' },
      { id: 'a', status: 'SUCCESS' },
    ],
    added: 2,
  })
})

it.each([
  ['payments', 'payment.success', true],
  ['payments', 'refund.success', true],
  ['payments', 'payment_link.created', false],
  ['payment_links', 'payment_link.created', true],
  ['accounts', 'account.updated', true],
  ['accounts', 'charge.created', false],
  ['events', 'strings.updated', true],
])('the list of %s and the event %s: %s', (list, type, concerned) => {
  expect(concernsList(list, type)).toBe(concerned)
})
