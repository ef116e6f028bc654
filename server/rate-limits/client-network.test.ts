import { expect, it } from 'vitest'
import { networkOf, networksAround } from './client-network.ts'

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

it('an IPv6 network is counted with the /56 and the /48 around it, which may do more', () => {
  expect(networksAround('2001:db8:1:2ff::/64')).toEqual([
    { network: '2001:db8:1:2ff::/64', share: 1 },
    { network: '2001:db8:1:200::/56', share: 4 },
    { network: '2001:db8:1::/48', share: 16 },
  ])
})

it.each(['203.0.113.7', '203.0.113.0/24'])('the IPv4 network %s is counted alone', (network) => {
  expect(networksAround(network)).toEqual([{ network, share: 1 }])
})
