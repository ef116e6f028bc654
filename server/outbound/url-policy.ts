import { isIP } from 'node:net'
import type { Config } from '../config.ts'
import { isLoopback, isLoopbackNetwork, isAllowedAddress } from './address-policy.ts'

/** What a merchant may have us call: first by how the address is written, then by where it leads. */

export interface Reach {
  /** Networks besides the public ones that the operator allows, as CIDRs. */
  allow: readonly string[]
  /** Whether this machine itself may be called: by http too, and on any port. */
  localhost: boolean
}

/**
 * Returns what webhooks of an instance may reach. This machine itself is for test instances, and
 * only where the server is for development or the operator allows loopback by name. A server for
 * development listens on loopback and has its address there too: one that only listens there may
 * stand behind a proxy and serve the whole internet.
 */
export function reachOf(
  mode: 'TEST' | 'LIVE',
  { host, baseUrl, outboundAllow }: Pick<Config, 'host' | 'baseUrl' | 'outboundAllow'>,
): Reach {
  const isForDevelopment = isLocalhost(host) && isLocalhost(hostOf(new URL(baseUrl)))
  const localhost = isForDevelopment || outboundAllow.some(isLoopbackNetwork)
  return { allow: outboundAllow, localhost: mode === 'TEST' && localhost }
}

/** The addresses of a name; none when it has none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** The rule that an address within broke. */
export const PUBLIC_ONLY = 'must lead to a public address'

const URL_MAX = 2048
const PORTS: ReadonlySet<string> = new Set(['', '443', '80', '8443', '8080'])

/**
 * Which rule a URL breaks by the way it is written, as a sentence without its subject, or undefined
 * when it may be called as far as that can be told. Where the name leads is for `addressesOf`, at
 * each call (contract section 16).
 */
export function urlError(text: string, reach: Reach): string | undefined {
  // Blanks, other letters and backslashes are read differently by different readers.
  if (!/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(text) || !URL.canParse(text)) {
    return 'must be an absolute https URL'
  }
  if (text.length > URL_MAX) return `must be at most ${URL_MAX} characters`
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'may not carry a user name or password'
  const host = hostOf(url)
  if (reach.localhost && isLocalhost(host)) return undefined
  const literal = isLocalhostName(host) ? '127.0.0.1' : host
  if (isIP(literal) !== 0 && !isAllowedAddress(literal, reach.allow)) return PUBLIC_ONLY
  if (url.protocol !== 'https:') {
    return reach.localhost ? 'must be https, or http on localhost' : 'must be https'
  }
  if (!PORTS.has(url.port)) return 'must have one of the ports 443, 80, 8443 and 8080'
  return undefined
}

/** The host as a name or an address, without the brackets of IPv6. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** `localhost` and the names below it, which no DNS server decides. */
export function isLocalhostName(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host)
}

function isLocalhost(host: string): boolean {
  return isLocalhostName(host) || isLoopback(host)
}

/** The name leads to an address that may not be called. */
export class AddressRefused extends Error {}
/** The name leads nowhere. */
export class NameUnknown extends Error {}

/**
 * The addresses that a URL leads to now. Every one of them may be called: a name with one public
 * and one private address is refused. Throws AddressRefused or NameUnknown.
 */
export async function addressesOf(
  url: URL,
  reach: Reach,
  resolve: Resolve,
): Promise<readonly string[]> {
  const host = hostOf(url)
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  if (addresses.length === 0) throw new NameUnknown()
  // A name of the outside that leads to this machine is no more welcome than a private address.
  const mayBeLocal = reach.localhost && isLocalhost(host)
  const allowed = addresses.every(
    (address) => (mayBeLocal && isLoopback(address)) || isAllowedAddress(address, reach.allow),
  )
  if (!allowed) throw new AddressRefused()
  return addresses
}
