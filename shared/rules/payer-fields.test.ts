import { describe, expect, it } from 'vitest'
import { payerFields } from './payer-fields.ts'

const UNSET = [null, undefined]

describe.each(['amount', 'alt_key'] as const)('the %s', (member) => {
  const editable = `${member}_editable` as const

  it('is fixed if the link sets it', () => {
    expect(payerFields({ [member]: '10.00' })).toMatchObject({
      [member]: '10.00',
      [editable]: false,
    })
  })

  it('is fixed if the link sets it and a default', () => {
    expect(payerFields({ [member]: '10.00', [`default_${member}`]: '5.00' })).toMatchObject({
      [member]: '10.00',
      [editable]: false,
    })
  })

  it.each(UNSET)('starts with the default and is editable (%s)', (none) => {
    expect(payerFields({ [member]: none, [`default_${member}`]: '5.00' })).toMatchObject({
      [member]: '5.00',
      [editable]: true,
    })
  })
})

it.each(UNSET)('the amount starts empty without either (%s)', (none) => {
  expect(payerFields({ amount: none, default_amount: none })).toMatchObject({
    amount: null,
    amount_editable: true,
  })
})

describe('the reference', () => {
  it.each(UNSET)('is not requested without either (%s)', (none) => {
    expect(payerFields({ alt_key: none, default_alt_key: none })).toMatchObject({
      alt_key: null,
      alt_key_editable: false,
    })
  })

  it('is requested without a suggestion if the default is empty', () => {
    expect(payerFields({ default_alt_key: '' })).toMatchObject({
      alt_key: null,
      alt_key_editable: true,
    })
  })
})

describe('the comment', () => {
  it.each([
    // fixed, default, allowed → shown, editable, box of the payer's own
    ['Rent', undefined, undefined, 'Rent', false, false],
    ['Rent', undefined, false, 'Rent', false, false],
    ['Rent', undefined, true, 'Rent', false, true],
    ['Rent', 'May', true, 'Rent', false, true],
    [undefined, 'May', undefined, 'May', false, false],
    [undefined, 'May', null, 'May', false, false],
    [undefined, 'May', false, 'May', false, false],
    [undefined, 'May', true, 'May', true, false],
    [null, null, true, null, true, false],
    [undefined, undefined, undefined, null, false, false],
  ])('of description %s, default %s, allowed %s', (fixed, initial, allowed, shown, edit, own) => {
    const fields = payerFields({
      description: fixed,
      default_description: initial,
      allow_description: allowed,
    })
    expect(fields).toMatchObject({
      description: shown,
      description_editable: edit,
      comment_allowed: own,
    })
  })
})
