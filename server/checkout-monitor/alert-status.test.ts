import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CheckoutAlert } from '../../shared/schemas/checkout-alert.ts'
import { alertStatus } from './alert-status.ts'

const alert = (change: Partial<CheckoutAlert>): CheckoutAlert => ({
  name: 'An alert',
  measure: 'APPROVAL',
  below: null,
  above: null,
  window_minutes: 60,
  minimum: 0,
  status: 'OK',
  changed: null,
  ...change,
})

describe('an alert', () => {
  it.each<[Partial<CheckoutAlert>, value: number, sessions: number | null, expected: string]>([
    [{ below: '0.7000' }, 0.7, 10, 'OK'],
    [{ below: '0.7000' }, 0.6999, 10, 'ALERT'],
    [{ below: '0.7000', status: 'ALERT' }, 0.7299, 10, 'ALERT'],
    [{ below: '0.7000', status: 'ALERT' }, 0.73, 10, 'OK'],
    [{ below: '1.0000', status: 'ALERT' }, 1, 10, 'OK'],
    [{ below: '0.7000', minimum: 20 }, 0.1, 19, 'OK'],
    [{ below: '0.7000', minimum: 20 }, 0.1, 20, 'ALERT'],
    [{ below: '0.7000', minimum: 20, status: 'ALERT' }, 1, 19, 'ALERT'],
    [{ below: '0.7000' }, 0, 0, 'OK'],
    [{ above: '0.9000', measure: 'CONVERSION' }, 0.9, 5, 'OK'],
    [{ above: '0.9000', measure: 'CONVERSION' }, 0.91, 5, 'ALERT'],
    [{ above: '0.9000', measure: 'CONVERSION', status: 'ALERT' }, 0.82, 5, 'ALERT'],
    [{ above: '0.9000', measure: 'CONVERSION', status: 'ALERT' }, 0.81, 5, 'OK'],
    [{ below: 20, measure: 'SUBMITTED' }, 19, 30, 'ALERT'],
    [{ below: 20, measure: 'SUBMITTED', status: 'ALERT' }, 21, 30, 'ALERT'],
    [{ below: 20, measure: 'SUBMITTED', status: 'ALERT' }, 22, 30, 'OK'],
    [{ below: 1, measure: 'SUBMITTED' }, 0, 0, 'ALERT'],
    [{ below: 1, measure: 'SUBMITTED', minimum: 5 }, 0, 4, 'OK'],
    [{ above: 0, measure: 'UNRESOLVED' }, 1, null, 'ALERT'],
    [{ above: 0, measure: 'UNRESOLVED', status: 'ALERT' }, 0, null, 'OK'],
    [{ above: 10, measure: 'UNRESOLVED', status: 'ALERT' }, 10, null, 'ALERT'],
    [{ above: 10, measure: 'UNRESOLVED', status: 'ALERT' }, 9, null, 'OK'],
  ])('%j at %d of %d is %s', (change, value, sessions, expected) => {
    expect(alertStatus(alert(change), { value, sessions })).toBe(expected)
  })

  it('goes off again at the best value, and stays as it is while the measure stays', () => {
    const rate = fc.integer({ min: 0, max: 10_000 }).map((n) => n / 10_000)
    fc.assert(
      fc.property(rate, rate, fc.constantFrom('below', 'above'), (threshold, value, side) => {
        const start = alert({ [side]: threshold.toFixed(4), status: 'ALERT' })
        const best = side === 'below' ? 1 : 0
        expect(alertStatus(start, { value: best, sessions: 1 })).toBe('OK')
        const status = alertStatus(start, { value, sessions: 1 })
        expect(alertStatus({ ...start, status }, { value, sessions: 1 })).toBe(status)
      }),
    )
  })
})
