import { expect, it } from 'vitest'
import { needsStepUp, requireWithinSupportMax } from './refund-limits.ts'

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

it.each([
  ['SUPPORT', '50.00', 5000, 'EUR', true],
  ['SUPPORT', '50.00', 5001, 'EUR', false],
  ['SUPPORT', '50.00', 1, 'USD', false],
  ['SUPPORT', null, 9_999_999, 'USD', true],
  ['OWNER', '50.00', 5001, 'EUR', true],
  [undefined, '50.00', 5001, 'EUR', true],
] as const)(
  'the role %s with the maximum %s may refund %d %s: %s',
  (role, max, amount, currency, may) => {
    const instance = { default_currency: 'EUR', support_refund_max: max }
    const check = () => requireWithinSupportMax(role, instance, amount, currency)
    if (may) check()
    else expect(check).toThrow('may refund up to 50.00 EUR at once (support_refund_max)')
  },
)
