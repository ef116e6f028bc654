import { networkInterfaces } from 'node:os'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isLoopback, isLoopbackNetwork, isAllowedAddress } from './address-policy.ts'

/** [address, may be called] */
const ADDRESSES: [address: string, allowed: boolean][] = [
  ['8.8.8.8', true],
  ['93.184.216.34', true],
  ['172.15.255.255', true],
  ['172.32.0.0', true],
  ['2606:4700:4700::1111', true],
  ['::ffff:8.8.8.8', true],
  ['64:ff9b::8.8.8.8', true],
  ['2002:808:808::1', true],
  // This machine.
  ['127.0.0.1', false],
  ['127.255.255.254', false],
  ['0.0.0.0', false],
  ['::1', false],
  ['::', false],
  // Networks that are not public.
  ['10.0.0.1', false],
  ['172.16.0.1', false],
  ['172.31.255.255', false],
  ['192.168.1.1', false],
  ['100.64.0.1', false],
  ['fc00::1', false],
  ['fdff:ffff::1', false],
  ['fec0::1', false],
  // Link-local, with the metadata service of clouds.
  ['169.254.169.254', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  // Kept for other uses.
  ['192.0.0.1', false],
  ['192.0.2.1', false],
  ['198.18.0.1', false],
  ['203.0.113.1', false],
  ['224.0.0.1', false],
  ['240.0.0.1', false],
  ['255.255.255.255', false],
  ['2001:db8::1', false],
  ['2001::1', false],
  ['100::1', false],
  ['ff02::1', false],
  ['4000::1', false],
  // IPv4 in the clothes of IPv6.
  ['::ffff:127.0.0.1', false],
  ['::ffff:7f00:1', false],
  ['::ffff:169.254.169.254', false],
  ['::ffff:0:127.0.0.1', false],
  ['::127.0.0.1', false],
  ['::7f00:1', false],
  ['64:ff9b::7f00:1', false],
  ['64:ff9b::10.0.0.1', false],
  ['64:ff9b:1::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2002:a00:1::1', false],
  // No addresses at all.
  ['', false],
  ['localhost', false],
  ['1.2.3.4.5', false],
]

describe('an address', () => {
  it.each(ADDRESSES)('%s is allowed: %s', (address, allowed) => {
    expect(isAllowedAddress(address)).toBe(allowed)
  })

  it('that embeds an IPv4 one is allowed exactly when that one is', () => {
    const byte = fc.integer({ min: 0, max: 255 })
    fc.assert(
      fc.property(byte, byte, byte, byte, (a, b, c, d) => {
        const dotted = [a, b, c, d].join('.')
        const high = (a * 256 + b).toString(16)
        const low = (c * 256 + d).toString(16)
        for (const other of [
          `::ffff:${dotted}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
        ]) {
          expect(isAllowedAddress(other), other).toBe(isAllowedAddress(dotted))
        }
      }),
    )
  })
})

describe('networks that the operator allows', () => {
  it.each([
    ['10.1.2.3', ['10.0.0.0/8'], true],
    ['::ffff:10.1.2.3', ['10.0.0.0/8'], true],
    ['11.0.0.1', ['10.0.0.0/8'], true],
    ['192.168.0.1', ['10.0.0.0/8'], false],
    ['fd12::1', ['10.0.0.0/8', 'fd12::/16'], true],
    ['fd13::1', ['10.0.0.0/8', 'fd12::/16'], false],
    ['127.0.0.1', ['127.0.0.1/32'], true],
    ['127.0.0.2', ['127.0.0.1/32'], false],
  ])('%s with %j: %s', (address, allow, allowed) => {
    expect(isAllowedAddress(address, allow)).toBe(allowed)
  })
})

describe('the networks of this machine', () => {
  it.each([
    ['8.8.4.4', ['8.8.4.4/32'], false],
    ['8.8.4.9', ['8.8.4.4/24'], false],
    ['8.8.5.1', ['8.8.4.4/24'], true],
    ['::ffff:8.8.4.4', ['8.8.4.4/32'], false],
    ['2606:4700::7', ['10.0.0.2/8', '2606:4700::1/64'], false],
    ['2606:4701::7', ['2606:4700::1/64'], true],
  ])('%s is allowed on a machine with %j: %s', (address, own, allowed) => {
    expect(isAllowedAddress(address, [], own)).toBe(allowed)
    expect(isAllowedAddress(address, ['8.8.4.0/24', '2606:4700::/64'], own)).toBe(true)
  })

  it('are read from its interfaces and are not allowed', () => {
    const addresses = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
    expect(addresses.length).toBeGreaterThan(0)
    for (const { address } of addresses) expect(isAllowedAddress(address), address).toBe(false)
  })
})

describe('a loopback address', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'])('is %s', (address) => {
    expect(isLoopback(address)).toBe(true)
  })

  it.each(['0.0.0.0', '10.0.0.1', '128.0.0.1', 'localhost', '8.8.8.8'])('is not %s', (address) => {
    expect(isLoopback(address)).toBe(false)
  })
})

it.each([
  ['127.0.0.1/32', true],
  ['127.0.0.0/8', true],
  ['::1/128', true],
  ['127.0.0.0/7', false],
  ['0.0.0.0/0', false],
  ['::/0', false],
  ['10.0.0.0/8', false],
])('%s is a loopback network: %s', (cidr, is) => {
  expect(isLoopbackNetwork(cidr)).toBe(is)
})
