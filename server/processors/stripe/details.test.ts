import type Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { chargeDetails, chargeFees, methodDetails, methodFingerprint } from './details.ts'

const newCharge = (members: object) => ({ ...members }) as Stripe.Charge
const newMethod = (members: object) => ({ ...members }) as Stripe.PaymentMethod
const withThreeDs = (three_d_secure: object | null, network: string | null = 'visa') =>
  newCharge({
    payment_method_details: { card: { brand: 'visa', network, three_d_secure } },
    balance_transaction: null,
  })

describe('three_ds and the liability', () => {
  it.each([
    ['no authentication', null, 'NONE', undefined],
    [
      'a challenge',
      {
        authentication_flow: 'challenge',
        result: 'authenticated',
        electronic_commerce_indicator: '05',
      },
      'CHALLENGED',
      true,
    ],
    [
      'no challenge',
      {
        authentication_flow: 'frictionless',
        result: 'authenticated',
        electronic_commerce_indicator: '05',
      },
      'FRICTIONLESS',
      true,
    ],
    [
      'an attempt',
      {
        authentication_flow: null,
        result: 'attempt_acknowledged',
        electronic_commerce_indicator: '06',
      },
      'FRICTIONLESS',
      true,
    ],
    [
      'a failed challenge',
      { authentication_flow: 'challenge', result: 'failed', electronic_commerce_indicator: '07' },
      'FAILED',
      false,
    ],
    [
      'an exemption',
      { authentication_flow: null, result: 'exempted', electronic_commerce_indicator: '07' },
      'NONE',
      false,
    ],
    [
      'a card without it',
      { authentication_flow: null, result: 'not_supported', electronic_commerce_indicator: null },
      'NONE',
      false,
    ],
    [
      'an error of the bank',
      {
        authentication_flow: null,
        result: 'processing_error',
        electronic_commerce_indicator: '00',
      },
      'NONE',
      false,
    ],
  ])('after %s', (_what, result, three_ds, liability_shift) => {
    expect(chargeDetails(withThreeDs(result))).toEqual({
      three_ds,
      ...(liability_shift !== undefined && { liability_shift }),
    })
  })

  it.each([
    ['mastercard', '01', true],
    ['mastercard', '02', true],
    ['mastercard', '05', false],
    ['mastercard', '06', false],
    ['visa', '01', false],
    ['visa', '02', false],
    ['amex', '05', true],
    // The brand, where the network is not known.
    [null, '06', true],
  ])('of %s with the indicator %s', (network, electronic_commerce_indicator, shifted) => {
    const result = { authentication_flow: 'challenge', result: 'authenticated' }
    const charge = withThreeDs({ ...result, electronic_commerce_indicator }, network)
    expect(chargeDetails(charge).liability_shift).toBe(shifted)
  })

  it('are unknown without a charge, and for other methods than cards', () => {
    expect(chargeDetails(null)).toEqual({})
    expect(chargeDetails('ch_1')).toEqual({})
    const debit = { payment_method_details: { sepa_debit: {} }, balance_transaction: null }
    expect(chargeDetails(newCharge(debit))).toEqual({})
  })
})

it('asks for a review of what Stripe wants reviewed', () => {
  const of = (type: string) =>
    chargeDetails(newCharge({ outcome: { type }, balance_transaction: null }))
  expect(of('manual_review')).toEqual({ review: true })
  expect(of('authorized')).toEqual({})
})

describe('fees', () => {
  it.each([
    ['eur', 49, 951, { fee: 49, net: 951, currency: 'EUR' }],
    ['jpy', 40, 960, { fee: 40, net: 960, currency: 'JPY' }],
    ['isk', 2050, 97_950, { fee: 21, net: 980, currency: 'ISK' }],
    ['mga', 40, 960, { fee: 4000, net: 96_000, currency: 'MGA' }],
  ])('in %s of %i with %i left', (currency, fee, net, expected) => {
    const charge = newCharge({ balance_transaction: { currency, fee, net } })
    expect(chargeFees(charge)).toEqual(expected)
  })

  it('are unknown until Stripe has booked the charge', () => {
    expect(chargeFees(newCharge({ balance_transaction: null }))).toBeUndefined()
    expect(chargeFees(newCharge({ balance_transaction: 'txn_1' }))).toBeUndefined()
  })
})

describe('a method', () => {
  const none = {
    brand: null,
    last4: null,
    exp_month: null,
    exp_year: null,
    funding: null,
    country: null,
  }

  it.each([
    [
      {
        type: 'card',
        card: {
          brand: 'visa',
          last4: '4242',
          exp_month: 12,
          exp_year: 2031,
          funding: 'debit',
          country: 'DE',
          fingerprint: 'f1',
        },
      },
      {
        type: 'CARD',
        brand: 'visa',
        last4: '4242',
        exp_month: 12,
        exp_year: 2031,
        funding: 'debit',
        country: 'DE',
      },
      'stripe:f1',
    ],
    [
      { type: 'sepa_debit', sepa_debit: { last4: '3000', country: 'AT', fingerprint: 'f2' } },
      { ...none, type: 'DIRECT_DEBIT', last4: '3000', country: 'AT' },
      'stripe:f2',
    ],
    [{ type: 'ideal', ideal: { bank: 'ing' } }, { ...none, type: 'IDEAL' }, undefined],
    [{ type: 'p24' }, { ...none, type: 'PRZELEWY' }, undefined],
    [{ type: 'link' }, { ...none, type: 'LINK' }, undefined],
  ])('is recognized: %o', (given, details, fingerprint) => {
    expect(methodDetails(newMethod(given))).toEqual(details)
    expect(methodFingerprint(newMethod(given))).toBe(fingerprint)
  })

  it('is unknown until Stripe shows it', () => {
    for (const hidden of [null, undefined, 'pm_1']) expect(methodDetails(hidden)).toBeUndefined()
  })
})
