import ipaddr from 'ipaddr.js'

/** An IPv6 customer has a whole network of this many leading bits to take addresses from. */
const NETWORK_BITS = 64

/**
 * Networks around an IPv6 address by their leading bits, and how much of a limit each may use. Homes
 * get a /56 and companies or rented servers a /48, which is 65536 networks for one attacker; but the
 * same networks may also hold many customers.
 */
const AROUND = [
  { bits: NETWORK_BITS, share: 1 },
  { bits: 56, share: 4 },
  { bits: 48, share: 16 },
]

/** Where no customer of a provider ever comes from, unless through a proxy. */
const INSIDE = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/**
 * What is counted for an address: the network of an IPv4 address with so many leading bits (8, 16,
 * 24, or 32 for the address itself), or the /64 of an IPv6 one.
 *
 * Undefined for an address of this machine or of a network like this one's: behind it stands a
 * proxy whose word is not believed, and all that it forwards would be locked out together.
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
  return leadingBits(parsed, isIpv4 ? ipv4Bits : NETWORK_BITS)
}

/** A network that is counted, and its limit as a multiple of one address's. */
export interface CountedNetwork {
  network: string
  share: number
}

/**
 * Returns all that is counted for a network of `networkOf`, the narrowest first: itself, and for an
 * IPv6 one also the /56 and the /48 around it, which may do more.
 */
export function networksAround(network: string): CountedNetwork[] {
  const address = ipaddr.parse(network.split('/')[0] ?? '')
  if (address.kind() === 'ipv4') return [{ network, share: 1 }]
  return AROUND.map(({ bits, share }) => ({ network: leadingBits(address, bits), share }))
}

/** Returns all that is counted for an address, the narrowest first; nothing for one of `networkOf`'s exceptions. */
export function networksOf(address: string | undefined): CountedNetwork[] {
  const network = networkOf(address)
  return network === undefined ? [] : networksAround(network)
}

function leadingBits(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, index) => (index * 8 < bits ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`
}
