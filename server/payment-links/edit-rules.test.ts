import { describe, expect, it } from 'vitest'
import { type PaymentLinkChange, STATE_BYTES_MAX } from '../../shared/schemas/payment-link.ts'
import type { LinkContent } from './content.ts'
import { editLink, type LinkRules, validateLink } from './edit.ts'

const RULES: LinkRules = {
  defaultCurrency: 'EUR',
  testMode: false,
  channels: [],
  now: Date.parse('2030-05-01T12:00:00.000Z'),
}
const check =
  (content: Partial<LinkContent>, sent: PaymentLinkChange = {}, rules = {}) =>
  () =>
    validateLink({ expires: null, options: {}, state: null, ...content }, sent, {
      ...RULES,
      ...rules,
    })
const checkStateOf = (state: string) => check({ state }, { state })
const checkOptions = (given: LinkContent['options'], rules = {}) =>
  check({ options: given }, { options: given }, rules)

describe('the rules of an edited link', () => {
  it.each(['2030-05-01T12:00:00.000Z', '2030-05-01T14:00:00+02:00', '2000-01-01T00:00:00Z'])(
    'refuse the expiry %s, which is not in the future',
    (expires) => {
      expect(check({}, { expires })).toThrow('payment_link.expires must be in the future')
    },
  )

  it('allow an expiry one millisecond ahead, and null', () => {
    expect(check({}, { expires: '2030-05-01T12:00:00.001Z' })).not.toThrow()
    expect(check({}, { expires: null })).not.toThrow()
  })

  it('refuse a past expiry even if it is stored, and allow other edits', () => {
    const expires = '2030-01-01T00:00:00.000Z'
    expect(check({ expires }, { expires })).toThrow('must be in the future')
    expect(check({ expires }, { state: { a: 1 } })).not.toThrow()
  })

  it('allow an edit of the state with options stored under older rules', () => {
    const options = { page_intro: 'Pay with 4242 4242 4242 4242' }
    expect(check({ options }, { state: { a: 1 } })).not.toThrow()
    expect(check({ options }, { options: {} })).toThrow('page_intro must not contain a card number')
  })

  it.each(['amount', 'default_amount'] as const)(
    'limit %s to the decimals of its currency',
    (member) => {
      const name = `payment_link.options.${member}`
      expect(checkOptions({ [member]: '10.50' })).not.toThrow()
      expect(checkOptions({ [member]: '500.00', currency: 'JPY' })).not.toThrow()
      expect(checkOptions({ [member]: '1.234', currency: 'BHD' })).not.toThrow()
      expect(checkOptions({ [member]: '10.505', currency: 'GBP' })).toThrow(
        `${name} has too many decimal places for GBP`,
      )
      expect(checkOptions({ [member]: '500.50', currency: 'JPY' })).toThrow(
        `${name} has too many decimal places for JPY`,
      )
      expect(checkOptions({ [member]: '999999999999.0000', currency: 'CLF' })).toThrow(
        `${name} is too large for CLF`,
      )
    },
  )

  it('check an amount without a currency by that of the instance', () => {
    expect(checkOptions({ amount: '1.234' }, { defaultCurrency: 'KWD' })).not.toThrow()
    expect(checkOptions({ amount: '1.5' }, { defaultCurrency: 'JPY' })).toThrow('for JPY')
  })

  it.each(['success_url', 'pending_url'] as const)('require https in %s', (member) => {
    const name = `payment_link.options.${member}`
    expect(checkOptions({ [member]: 'https://shop.example/?a=1#b' })).not.toThrow()
    expect(checkOptions({ [member]: 'http://shop.example/' }, { testMode: true })).not.toThrow()
    for (const url of [
      'http://shop.example/',
      'javascript:alert(1)',
      'https://a@b.example',
      '/x',
    ]) {
      expect(checkOptions({ [member]: url }), url).toThrow(name)
    }
  })

  it.each(['success_url', 'pending_url'] as const)('refuse a placeholder in %s', (member) => {
    for (const url of [
      'https://shop.example/thanks?session_id={CHECKOUT_SESSION_ID}',
      'https://shop.example/{id}',
      'https://shop.example/?id=%7BCHECKOUT_SESSION_ID%7D',
      'https://shop.example/?id=%7bid%7d#x',
      'https://shop.example/}',
    ]) {
      expect(checkOptions({ [member]: url }), url).toThrow(
        `payment_link.options.${member} must not contain a placeholder in braces: nothing is ` +
          'filled in, and payment_link, status, deep_link, contract, charge, transaction, payment_method, ' +
          'account are appended as query parameters',
      )
    }
    expect(checkOptions({ [member]: 'https://shop.example/?json=%7B%22a%22%3A1%7D' })).not.toThrow()
  })

  it('allow any channel unless the instance lists channels', () => {
    expect(checkOptions({ channel: 'shop' })).not.toThrow()
    expect(checkOptions({ channel: 'shop' }, { channels: ['shop', 'phone'] })).not.toThrow()
    expect(checkOptions({ channel: 'post' }, { channels: ['shop', 'phone'] })).toThrow(
      'payment_link.options.channel must be shop or phone',
    )
    expect(checkOptions({}, { channels: ['shop'] })).not.toThrow()
  })

  it('count the bytes of the state as JSON in UTF-8', () => {
    const quotes = 2
    const fits = 'x'.repeat(STATE_BYTES_MAX - quotes)
    expect(checkStateOf(fits)).not.toThrow()
    expect(checkStateOf(`${fits}x`)).toThrow('payment_link.state must be at most 10240 bytes')
    const wide = 'é'.repeat((STATE_BYTES_MAX - quotes) / 2)
    expect(checkStateOf(wide)).not.toThrow()
    expect(checkStateOf(`${wide}é`)).toThrow('payment_link.state')
  })

  it('apply to members that only the merge combines', () => {
    const before: LinkContent = { expires: null, options: { amount: '10.50' }, state: null }
    const sent = { options: { currency: 'JPY' } }
    const after = editLink(before, sent, 'PATCH')
    expect(() => validateLink(after, sent, RULES)).toThrow('too many decimal places for JPY')
    const address = { options: { account: { address: { country: 'DE' } } } }
    const there = editLink(
      { ...before, options: { account: { address: { line6: 'US-CA' } } } },
      address,
      'PATCH',
    )
    expect(() => validateLink(there, address, RULES)).toThrow(
      'payment_link.options.account.address.line6 must lie in the country of the address',
    )
  })
})
