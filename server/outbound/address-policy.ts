import { networkInterfaces } from 'node:os'
import ipaddr from 'ipaddr.js'

/**
 * The addresses that the server may call for a merchant. Prevents server-side request forgery: a
 * merchant's host name may resolve to an internal address.
 */

type Address = ipaddr.IPv4 | ipaddr.IPv6

const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96')
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16')
// The only allocated global unicast range. Old forms outside it still reach IPv4: `::7f00:1`.
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Returns whether an address is public and in none of the networks `own`, or in one of the networks
 * `allow` (CIDRs). An IPv6 address that embeds an IPv4 one counts as that. Returns false for text
 * that is not an address.
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
 * Returns the networks of this machine's interfaces, as CIDRs. Its own public address and its
 * neighbors are reachable from here without passing their firewall.
 */
export function ownNetworks(): string[] {
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  return interfaces.flatMap(({ cidr }) => cidr ?? [])
}

export function isLoopback(text: string): boolean {
  return readAddress(text)?.range() === 'loopback'
}

/** Returns whether a CIDR has loopback addresses only. */
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
  return ipaddr.isValid(text) ? embeddedIpv4(ipaddr.parse(text)) : undefined
}

/** Returns the IPv4 address within a mapped, NAT64 or 6to4 address; any other unchanged. */
function embeddedIpv4(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address
  if (address.isIPv4MappedAddress()) return address.toIPv4Address()
  const bytes = address.toByteArray()
  if (address.match(NAT64)) return new ipaddr.IPv4(bytes.slice(12, 16))
  if (address.match(SIX_TO_FOUR)) return new ipaddr.IPv4(bytes.slice(2, 6))
  return address
}
