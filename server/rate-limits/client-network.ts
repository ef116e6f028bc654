import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'

/** An IPv6 customer takes addresses from a whole network of this many leading bits. */
const NETWORK_BITS = 64

/**
 * Networks around an IPv6 address. Homes get a /56, companies and rented servers a /48, which is
 * 65536 networks for one attacker. The same networks may hold many customers, so their limits are
 * higher.
 */
const SURROUNDING = [
  { bits: NETWORK_BITS, factor: 1 },
  { bits: 56, factor: 4 },
  { bits: 48, factor: 16 },
]

/** Ranges that no customer of a provider comes from, except through a proxy. */
const INTERNAL = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

/**
 * Returns the network that an address is counted as: the leading bits of an IPv4 address (32 is the
 * address itself), or the /64 of an IPv6 one.
 *
 * Returns undefined for an internal address. It belongs to a proxy whose headers are not trusted,
 * and a limit on it would lock out every client behind that proxy.
 */
export function clientNetwork(
  address: string | undefined,
  ipv4Bits: 8 | 16 | 24 | 32 = 32,
): string | undefined {
  if (address === undefined) return undefined
  if (ipv4Bits !== 32) return readNetwork(address, ipv4Bits)
  return known.memo(address).network
}

/** Every request asks for its network, and parsing an address takes as long as a small handler. */
const known = new LRUCache<string, { network: string | undefined }>({
  max: 1000,
  memoMethod: (address) => ({ network: readNetwork(address, 32) }),
})

function readNetwork(address: string, ipv4Bits: 8 | 16 | 24 | 32): string | undefined {
  if (!ipaddr.isValid(address)) return undefined
  const parsed = ipaddr.process(address)
  if (INTERNAL.has(parsed.range())) return undefined
  const isIpv4 = parsed.kind() === 'ipv4'
  if (isIpv4 && ipv4Bits === 32) return parsed.toString()
  return leadingBits(parsed, isIpv4 ? ipv4Bits : NETWORK_BITS)
}

export interface CountedNetwork {
  network: string
  /** Its limit as a multiple of the limit of one address. */
  factor: number
}

/**
 * Returns the networks that count for a `clientNetwork`, the narrowest first: itself and, for IPv6,
 * the /56 and the /48 around it.
 */
export function surroundingNetworks(network: string): CountedNetwork[] {
  const address = ipaddr.parse(network.split('/')[0] ?? '')
  if (address.kind() === 'ipv4') return [{ network, factor: 1 }]
  return SURROUNDING.map(({ bits, factor }) => ({ network: leadingBits(address, bits), factor }))
}

/** Returns the networks that count for an address; none for an internal one. */
export function clientNetworks(address: string | undefined): CountedNetwork[] {
  const network = clientNetwork(address)
  return network === undefined ? [] : surroundingNetworks(network)
}

function leadingBits(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): string {
  const bytes = address.toByteArray().map((byte, index) => (index * 8 < bits ? byte : 0))
  return `${ipaddr.fromByteArray(bytes).toString()}/${bits}`
}
