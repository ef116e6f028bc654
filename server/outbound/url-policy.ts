import { isIP } from 'node:net'
import { isLoopback, isLoopbackNetwork, isAllowedAddress } from './address-policy.ts'

/** Which URLs of merchants the server calls: by their text, then by their addresses. */

export interface OutboundPolicy {
  /** CIDRs that the operator allows besides public addresses. */
  allow: readonly string[]
  /** Whether loopback is allowed, also by http and on any port. */
  localhost: boolean
}

/**
 * Returns the policy for the webhooks of an instance. Loopback is for TEST instances, and only on a
 * development server or where the operator allows it. A development server listens on loopback and
 * has a loopback base URL: with a public one it serves the internet through a proxy.
 */
export function outboundPolicy(
  mode: 'TEST' | 'LIVE',
  { host, baseUrl, outboundAllow }: { host: string; baseUrl: string; outboundAllow: string[] },
): OutboundPolicy {
  const isDevelopment = isLocalhost(host) && isLocalhost(hostname(new URL(baseUrl)))
  const localhost = isDevelopment || outboundAllow.some(isLoopbackNetwork)
  return { allow: outboundAllow, localhost: mode === 'TEST' && localhost }
}

/** Returns the addresses of a name, possibly none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>

/** The rule that an internal address breaks. */
export const PUBLIC_ONLY = 'must lead to a public address'

const URL_MAX = 2048
const PORTS: ReadonlySet<string> = new Set(['', '443', '80', '8443', '8080'])

/**
 * Returns the rule that the text of a URL breaks, without its subject, or undefined. Each call also
 * checks the addresses of the name with `resolveAllowedAddresses`.
 */
export function urlError(text: string, policy: OutboundPolicy): string | undefined {
  // URL parsers disagree about blanks, non-ASCII and backslashes.
  if (!/^https?:\/\/[\x21-\x5b\x5d-\x7e]+$/i.test(text) || !URL.canParse(text)) {
    return 'must be an absolute https URL'
  }
  if (text.length > URL_MAX) return `must be at most ${URL_MAX} characters`
  const url = new URL(text)
  if (url.username !== '' || url.password !== '') return 'may not carry a user name or password'
  const host = hostname(url)
  if (policy.localhost && isLocalhost(host)) return undefined
  const literal = isLocalhostName(host) ? '127.0.0.1' : host
  if (isIP(literal) !== 0 && !isAllowedAddress(literal, policy.allow)) return PUBLIC_ONLY
  if (url.protocol !== 'https:') {
    return policy.localhost ? 'must be https, or http on localhost' : 'must be https'
  }
  if (!PORTS.has(url.port)) return 'must have one of the ports 443, 80, 8443 and 8080'
  return undefined
}

/** Without the brackets of IPv6. */
export function hostname(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1')
}

/** `localhost` and its subdomains, which are not resolved by DNS. */
export function isLocalhostName(host: string): boolean {
  return /^(.+\.)?localhost\.?$/i.test(host)
}

function isLocalhost(host: string): boolean {
  return isLocalhostName(host) || isLoopback(host)
}

export class AddressRejectedError extends Error {}
/** The name has no address. */
export class NameUnknown extends Error {}

/**
 * Returns the current addresses of a URL, all of which are allowed: a name with a public and a
 * private address is refused. Throws AddressRefused or NameUnknown.
 */
export async function resolveAllowedAddresses(
  url: URL,
  policy: OutboundPolicy,
  resolve: Resolve,
): Promise<readonly string[]> {
  const host = hostname(url)
  const addresses = isIP(host) === 0 ? await resolve(host) : [host]
  if (addresses.length === 0) throw new NameUnknown()
  // Any other name that resolves to loopback is refused like a private address.
  const allowsLoopback = policy.localhost && isLocalhost(host)
  const allowed = addresses.every(
    (address) => (allowsLoopback && isLoopback(address)) || isAllowedAddress(address, policy.allow),
  )
  if (!allowed) throw new AddressRejectedError()
  return addresses
}
