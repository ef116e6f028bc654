import ipaddr from 'ipaddr.js'
import { fromJson, toJson } from '../db/json.ts'
import { invalid } from '../errors.ts'
import type { SecretKeyRow } from './store.ts'

/**
 * Returns the stored form of addresses and networks in CIDR notation; null for none. Throws a 400 ApiError
 * that names the first one that is neither.
 */
export function parseAllowedAddresses(given: readonly string[] | null): string | null {
  return toJson(
    given && [
      ...new Set(
        given.map((text, at) => {
          const network = parseNetwork(text)
          if (network !== undefined) return network
          const rule =
            'must be an address or a network such as 203.0.113.7, 203.0.113.0/24 or 2001:db8::/32'
          throw invalid(`secret_key.allowed_addresses.${at}`, rule)
        }),
      ),
    ],
  )
}

/** Returns the networks of a key; null for every address. */
export function allowedAddressesOf(key: Pick<SecretKeyRow, 'allowed_addresses'>): string[] | null {
  return fromJson<string[]>(key.allowed_addresses)
}

/** Returns whether a client's address is in one of the networks. A client without an address never is. */
export function isAllowed(networks: readonly string[], client: string | undefined): boolean {
  if (client === undefined || !ipaddr.isValid(client)) return false
  const address = ipaddr.process(client)
  return networks.some((text) => {
    const [network, bits] = ipaddr.parseCIDR(text)
    return network.kind() === address.kind() && address.match(network, bits)
  })
}

/** Returns `203.0.113.0/24`, undefined for another text. Clients with IPv4 never have an IPv4-mapped address. */
function parseNetwork(text: string): string | undefined {
  const [address = '', bits, ...more] = text.trim().split('/')
  if (more.length > 0) return undefined
  // The library would also accept legacy forms such as `1` and `0x7f.1`.
  const isV4 = ipaddr.IPv4.isValidFourPartDecimal(address)
  if (!isV4 && (!ipaddr.IPv6.isValid(address) || address.includes('%'))) return undefined
  if (!isV4 && ipaddr.IPv6.parse(address).isIPv4MappedAddress()) return undefined
  const all = isV4 ? 32 : 128
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > all)) return undefined
  const cidr = `${address}/${bits ?? all}`
  const network = isV4
    ? ipaddr.IPv4.networkAddressFromCIDR(cidr)
    : ipaddr.IPv6.networkAddressFromCIDR(cidr)
  return `${network.toString()}/${Number(bits ?? all)}`
}
