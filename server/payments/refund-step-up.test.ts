import { expect, it } from 'vitest'
import { needsStepUp } from './refund-step-up.ts'

it.each([
  ['LIVE', '200.00', 20_001, 'EUR', true],
  ['LIVE', '200.00', 20_000, 'EUR', false],
  ['LIVE', '200', 1, 'USD', true],
  ['LIVE', null, 9_999_999, 'EUR', false],
  ['TEST', '200.00', 9_999_999, 'EUR', false],
] as const)(
  'in %s with the limit %s, a refund of %d %s: %s',
  (mode, limit, amount, currency, needs) => {
    const instance = { mode, default_currency: 'EUR', step_up_refund: limit }
    expect(needsStepUp(instance, amount, currency)).toBe(needs)
  },
)
