import { expect, it } from 'vitest'
import { networkOf } from './address.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
  ['127.0.0.1', undefined],
  ['::ffff:127.0.0.1', undefined],
  ['::1', undefined],
  ['10.1.2.3', undefined],
  ['172.17.0.1', undefined],
  ['192.168.1.1', undefined],
  ['100.64.0.1', undefined],
  ['fd00::1', undefined],
  ['fe80::1', undefined],
  ['unknown', undefined],
  [undefined, undefined],
])('what is counted for %s is %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.255', '203.0.113.0/24'],
  ['203.0.114.7', '203.0.114.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['127.0.0.1', undefined],
])('what is counted for the network of %s is %s', (address, network) => {
  expect(networkOf(address, 24)).toBe(network)
})
