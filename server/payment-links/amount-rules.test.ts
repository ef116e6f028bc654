import { describe, expect, it } from 'vitest'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { validateAmounts } from './amount-rules.ts'

const check = (options: PaymentLinkOptions, currency = 'EUR') => {
  try {
    validateAmounts(options, currency)
    return undefined
  } catch (error) {
    return (error as Error).message.replace('payment_link.options.', '')
  }
}

describe('the amounts of a link', () => {
  it.each<PaymentLinkOptions>([
    {},
    { amount_min: '5.00' },
    { amount_max: '5.00' },
    { amount_min: '5', amount_max: '5.00', default_amount: '5.0' },
    { amount_min: '5.00', amount_max: '50.00', amount_presets: ['5.00', '50.00'] },
    { amount_presets: ['1.00', '2.00', '3.00', '4.00', '5.00', '6.00'], default_amount: '9.00' },
    { unit_amount: '12.00', quantity_max: 1 },
    { unit_amount: '99999999.99', quantity_max: 10_000 },
    { unit_amount: '500', quantity_max: 3, currency: 'JPY' },
    { amount: null, amount_min: '5.00', unit_amount: null },
  ])('may be %j', (options) => {
    expect(check(options)).toBeUndefined()
  })

  it.each<[PaymentLinkOptions, string]>([
    [{ amount_min: '5.01', amount_max: '5.00' }, 'amount_min must not be more than amount_max'],
    [{ amount_min: '5.001' }, 'amount_min has too many decimal places for EUR'],
    [{ amount_max: '5.5', currency: 'JPY' }, 'amount_max has too many decimal places for JPY'],
    [{ amount_presets: ['1.00', '1.005'] }, 'amount_presets.1 has too many decimal places for EUR'],
    [{ amount_presets: ['1.00', '2.00', '1.0'] }, 'amount_presets.2 is given twice'],
    [
      { amount_presets: ['10.00', '4.99'], amount_min: '5.00' },
      'amount_presets.1 must be at least 5.00 EUR',
    ],
    [
      { amount_presets: ['10.00'], amount_max: '9.99' },
      'amount_presets.0 must be at most 9.99 EUR',
    ],
    [{ default_amount: '1.00', amount_min: '2.00' }, 'default_amount must be at least 2.00 EUR'],
    [{ amount: '1.00', amount_min: '1.00' }, 'amount_min cannot be combined with amount'],
    [{ amount: '1.00', amount_max: '1.00' }, 'amount_max cannot be combined with amount'],
    [{ amount: '1.00', amount_presets: ['1.00'] }, 'amount_presets cannot be combined with amount'],
    ...(['amount', 'default_amount', 'amount_min', 'amount_max'] as const).map(
      (member): [PaymentLinkOptions, string] => [
        { [member]: '1.00', unit_amount: '1.00', quantity_max: 2 },
        `unit_amount cannot be combined with ${member}`,
      ],
    ),
    [{ unit_amount: '1.00' }, 'unit_amount requires quantity_max'],
    [{ quantity_max: 2 }, 'quantity_max requires unit_amount'],
    [{ quantity_max: 2, amount: '1.00' }, 'quantity_max requires unit_amount'],
    [
      { unit_amount: '100000000.00', quantity_max: 10_000 },
      'quantity_max times unit_amount is too large for EUR',
    ],
    [
      { unit_amount: '91000000.0000', quantity_max: 10_000, currency: 'CLF' },
      'quantity_max times unit_amount is too large for CLF',
    ],
  ])('may not be %j', (options, message) => {
    expect(check(options)).toBe(message)
  })
})
