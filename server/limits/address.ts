import ipaddr from 'ipaddr.js'

/** An IPv6 customer has a whole network of this many leading bits to take addresses from. */
const NETWORK_BITS = 64

/**
 * What is counted for an address: an IPv4 address itself, or the /64 of an IPv6 one. Undefined for
 * an address of this machine: behind it stands a proxy, and whoever it forwards would be locked
 * out together (safety row 23).
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined || !ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (parsed.range() === 'loopback') return undefined
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const bytes = parsed.toByteArray().map((byte, index) => (index * 8 < NETWORK_BITS ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${NETWORK_BITS}`
}
