import ipaddr from 'ipaddr.js'

/** An IPv6 customer has a whole network of this many leading bits to take addresses from. */
const NETWORK_BITS = 64

/** Where no customer of a provider ever comes from, unless through a proxy. */
const INSIDE = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/**
 * What is counted for an address: the network of an IPv4 address with so many leading bits (8, 16,
 * 24, or 32 for the address itself), or the /64 of an IPv6 one.
 *
 * Undefined for an address of this machine or of a network like this one's: behind it stands a
 * proxy whose word is not believed, and whoever it forwards would be locked out together (safety
 * row 23).
 */
export function networkOf(
  address: string | undefined,
  ipv4Bits: 8 | 16 | 24 | 32 = 32,
): string | undefined {
  if (address === undefined || !ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (INSIDE.has(parsed.range())) return undefined
  const isIpv4 = parsed.kind() === 'ipv4'
  if (isIpv4 && ipv4Bits === 32) return parsed.toString()
  const bits = isIpv4 ? ipv4Bits : NETWORK_BITS
  const bytes = parsed.toByteArray().map((byte, index) => (index * 8 < bits ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`
}
