import { describe, expect, it } from 'vitest'
import {
  createPaymentLinkRequest,
  paymentLinkOptions,
  updatePaymentLinkRequest,
} from './payment-link.ts'

const takesOptions = (options: unknown) => paymentLinkOptions.safeParse(options).success
const takes = (payment_link: unknown) =>
  createPaymentLinkRequest.safeParse({ payment_link }).success

describe('the body of a new link', () => {
  it('requires the member payment_link, which may be empty', () => {
    expect(takes({})).toBe(true)
    expect(takes({ expires: null, options: null, state: null })).toBe(true)
    expect(createPaymentLinkRequest.safeParse({}).success).toBe(false)
    expect(takes(null)).toBe(false)
    expect(takes([])).toBe(false)
  })

  it.each(['id', 'status', 'url', 'archived', 'v', 'amount', 'metadata'])(
    'has no member %s that the caller could set',
    (member) => {
      expect(takes({ [member]: 'x' })).toBe(false)
    },
  )

  it('has no mode', () => {
    expect(createPaymentLinkRequest.safeParse({ payment_link: {}, mode: 'PATCH' }).success).toBe(
      false,
    )
  })
})

describe('the mode of an update', () => {
  it.each([undefined, 'PATCH', 'REPLACE'])('may be %s', (mode) => {
    expect(updatePaymentLinkRequest.safeParse({ mode, payment_link: {} }).success).toBe(true)
  })

  it.each(['patch', 'Replace', 'MERGE', '', null, 1])('may not be %j', (mode) => {
    expect(updatePaymentLinkRequest.safeParse({ mode, payment_link: {} }).success).toBe(false)
  })
})

describe('the state of a link', () => {
  it.each([[{}], [{ a: { b: [1, null] } }], [[]], [[1]], ['text'], [''], [null]])(
    'may be %j',
    (state) => {
      expect(takes({ state })).toBe(true)
    },
  )

  it.each([0, 1, 1.5, true, false])('may not be the bare %j', (state) => {
    expect(takes({ state })).toBe(false)
  })

  it('is passed on unchanged, also with a __proto__ member', () => {
    const sent = JSON.parse('{"payment_link":{"state":{"__proto__":{"admin":true},"a":1}}}') as {
      payment_link: { state: object }
    }
    const { state } = createPaymentLinkRequest.parse(sent).payment_link
    expect(JSON.stringify(state)).toBe('{"__proto__":{"admin":true},"a":1}')
    expect(Object.getPrototypeOf(state)).toBe(Object.prototype)
  })
})

describe('the options of a link', () => {
  it.each(Object.keys(paymentLinkOptions.shape))('may be cleared: %s', (member) => {
    expect(takesOptions({ [member]: null })).toBe(true)
  })

  it.each(['skip_reciept', 'Amount', 'state', 'expires', 'toString'])(
    'have no member %s',
    (member) => {
      expect(takesOptions({ [member]: true })).toBe(false)
    },
  )

  it.each([
    'allow_description',
    'save_card',
    'default_save_card',
    'hide_save_card_toggle',
    'skip_receipt',
    'force_add',
  ])('reject text and numbers for %s', (member) => {
    expect(takesOptions({ [member]: true })).toBe(true)
    expect(takesOptions({ [member]: false })).toBe(true)
    for (const value of ['true', 1, 0, 'Y']) expect(takesOptions({ [member]: value })).toBe(false)
  })

  it.each(['MOTO', 'ecommerce', ''])('reject the source "%s"', (source) => {
    expect(takesOptions({ source: 'ECOMMERCE' })).toBe(true)
    expect(takesOptions({ source })).toBe(false)
  })

  it.each([
    ['name', 255],
    ['page_intro', 5000],
    ['page_success_message', 5000],
    ['page_pending_message', 5000],
    ['channel', 64],
    ['success_url', 2048],
    ['pending_url', 2048],
    ['alt_key', 255],
  ])('limit %s to %i characters', (member, most) => {
    expect(takesOptions({ [member]: 'x'.repeat(most) })).toBe(true)
    expect(takesOptions({ [member]: 'x'.repeat(most + 1) })).toBe(false)
  })
})

describe('the account of a link', () => {
  it.each(['acc_1699000000000_k3j9', 'acc_0_0'])('may be the id %s', (account) => {
    expect(takesOptions({ account })).toBe(true)
  })

  it.each(['acc_x_k3j9', 'acc_1_K', 'pay_1_a', '', 'ada@example.com'])(
    'may not be the text "%s"',
    (account) => {
      expect(takesOptions({ account })).toBe(false)
    },
  )

  it('may be details, each of which may be missing or null', () => {
    expect(takesOptions({ account: {} })).toBe(true)
    expect(takesOptions({ account: { email: null, phone: null, address: null } })).toBe(true)
    expect(takesOptions({ account: { email: 'ada@example.com', crm_key: 'C-7' } })).toBe(true)
  })

  it.each([
    { emial: 'ada@example.com' },
    { email: 'ada' },
    { email: '' },
    { company: 'Acme' },
    { crm_key: 'acc_1_a' },
    { first_name: 7 },
    { address: { country: 'de' } },
    { address: { country: 'US', line6: 'DE-BY' } },
    [],
    7,
    true,
  ])('may not be %j', (account) => {
    expect(takesOptions({ account })).toBe(false)
  })
})
