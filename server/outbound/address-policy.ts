import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/**
 * Which addresses our server may call for a merchant. They choose the name; without this they
 * could make us call our own network for them (safety row 17).
 */

type Address = ipaddr.IPv4 | ipaddr.IPv6

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16')
// The only part of IPv6 that is handed out so far. Old forms outside it still reach IPv4: `::7f00:1`.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns whether an address is on the public internet and in none of the networks `own`, or is in
 * one of the networks `allow` (both CIDRs). An IPv6 address that stands for an IPv4 one counts as
 * that. Returns false for a text that is no address.
 */
export function isAllowedAddress(
  text: string,
  allow: readonly string[] = [],
  own: readonly string[] = ownNetworks(),
): boolean {
  const address = readAddress(text)
  if (address === undefined) return false
  const isWithin = (networks: readonly string[]) => networks.some((cidr) => isIn(address, cidr))
  return isWithin(allow) || (isPublic(address) && !isWithin(own))
}

/**
 * Returns the networks that this machine is in now, as CIDRs. Its own public address and those of
 * its neighbours are reached from here without passing the firewall that guards them from outside.
 */
export function ownNetworks(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return interfaces.flatMap(({ cidr }) => cidr ?? [])
}

/** Whether an address is of the very machine that calls it. */
export function isLoopback(text: string): boolean {
  return readAddress(text)?.range() === 'loopback'
}

/** Returns whether a network (CIDR) has addresses of this very machine and no others. */
export function isLoopbackNetwork(cidr: string): boolean {
  const [address, bits] = ipaddr.parseCIDR(cidr)
  return address.range() === 'loopback' && bits >= (address instanceof ipaddr.IPv4 ? 8 : 128)
}

function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6)
}

function isIn(address: Address, cidr: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(cidr)
  return network.kind() === address.kind() && address.match(network, bits)
}

function readAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? meant(ipaddr.parse(text)) : undefined
}

/** The IPv4 address behind a mapped one, a NAT64 one or a 6to4 one; any other as it is. */
function meant(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  const bytes = address.toByteArray()
  if (address.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12, 16))
  if (address.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6))
  return address
}
