import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isAllowed, parseAllowedAddresses } from './allowed-addresses.ts'

const parse = (...texts: string[]) => JSON.parse(parseAllowedAddresses(texts) ?? 'null') as string[]

it.each([
  ['203.0.113.7', '203.0.113.7/32'],
  ['203.0.113.7/24', '203.0.113.0/24'],
  [' 0.0.0.0/0 ', '0.0.0.0/0'],
  ['2001:DB8::1', '2001:db8::1/128'],
  ['2001:db8:0:1::9/48', '2001:db8::/48'],
])('%s is kept as %s', (given, kept) => {
  expect(parse(given)).toEqual([kept])
})

it.each([
  '',
  'shop',
  '1',
  '0x7f.1',
  '10.1/16',
  '203.0.113.7/33',
  '203.0.113.7/',
  '203.0.113.7/-1',
  '203.0.113.7/8/8',
  '::/129',
  'fe80::1%eth0',
  '::ffff:203.0.113.7',
])('refuses %j, and says which one of the list it is', (text) => {
  expect(() => parse('203.0.113.7', text)).toThrow('secret_key.allowed_addresses.1 must be')
})

it.each([
  ['203.0.113.0/24', '203.0.113.255', true],
  ['203.0.113.0/24', '203.0.114.0', false],
  ['203.0.113.0/24', '::ffff:203.0.113.9', true],
  ['203.0.113.0/24', '2001:db8::1', false],
  ['0.0.0.0/0', '2001:db8::1', false],
  ['2001:db8::/32', '2001:db8:ffff::1', true],
  ['2001:db8::/32', '2001:db9::1', false],
  ['0.0.0.0/0', undefined, false],
  ['0.0.0.0/0', 'nowhere', false],
])('%s with a client at %s: %s', (network, client, expected) => {
  expect(isAllowed(parse(network), client)).toBe(expected)
})

it('an address is always in its own networks, and only there', () => {
  const bits = fc.integer({ min: 1, max: 32 })
  fc.assert(
    fc.property(fc.ipV4(), fc.ipV4(), bits, (one, other, prefix) => {
      const networks = parse(`${one}/${prefix}`)
      expect(isAllowed(networks, one)).toBe(true)
      const number = (text: string) =>
        text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
      const same = (text: string) => Math.floor(number(text) / 2 ** (32 - prefix))
      expect(isAllowed(networks, other)).toBe(same(one) === same(other))
    }),
  )
})
