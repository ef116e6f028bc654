import { expect, it } from 'vitest'
import { clientNetwork, surroundingNetworks } from './client-network.ts'

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
])('clientNetwork(%s) is %s', (address, network) => {
  expect(clientNetwork(address)).toBe(network)
})

it.each([
  ['203.0.113.7', '203.0.113.0/24'],
  ['::ffff:203.0.113.255', '203.0.113.0/24'],
  ['203.0.114.7', '203.0.114.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['127.0.0.1', undefined],
])('clientNetwork(%s, 24) is %s', (address, network) => {
  expect(clientNetwork(address, 24)).toBe(network)
})

it('an IPv6 network counts with the /56 and the /48 around it, whose limits are higher', () => {
  expect(surroundingNetworks('2001:db8:1:2ff::/64')).toEqual([
    { network: '2001:db8:1:2ff::/64', factor: 1 },
    { network: '2001:db8:1:200::/56', factor: 4 },
    { network: '2001:db8:1::/48', factor: 16 },
  ])
})

it.each(['203.0.113.7', '203.0.113.0/24'])('the IPv4 network %s counts alone', (network) => {
  expect(surroundingNetworks(network)).toEqual([{ network, factor: 1 }])
})
