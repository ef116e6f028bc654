import { isIPv4 } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import ipaddr from 'ipaddr.js'
import type { TrustedProxies } from '../config.ts'

/**
 * The client of a request and whether it uses https.
 *
 * Anyone can send a header, so by default only the connection counts. Each proxy appends the
 * address of its own client to `X-Forwarded-For`. Read from the end, the first address that is not
 * a trusted proxy is the client; everything before it is unverified.
 */

export interface Client {
  /** Undefined for a request without a connection, which comes from this process. */
  address: string | undefined
  /** Whether the client uses https, according to the trusted proxies; undefined if unknown. */
  https: boolean | undefined
  /**
   * True if proxies are trusted but `X-Forwarded-For` does not name the client of the outermost
   * one.
   */
  isHeaderShort: boolean
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Set on every request. */
    client: Client
  }
}

/** What Node's server passes with a request; absent without a connection. */
interface Connection {
  incoming?: { socket?: { remoteAddress?: string } }
}

/** The properties of a request that identify its client. */
export interface ConnectionInfo {
  /** The address of the peer. */
  peer: string | undefined
  /**
   * Returns the value of a header by its lower-case name; several values are separated by commas.
   */
  header: (name: string) => string | undefined
}

/** Sets the client of every request; `trusted` is undefined if no proxy is trusted. */
export function setClient(trusted: TrustedProxies | undefined): MiddlewareHandler {
  return function noteTheClient(c, next) {
    const { incoming } = (c.env ?? {}) as Connection
    const arrival = {
      peer: incoming?.socket?.remoteAddress,
      header: (name: string) => c.req.header(name),
    }
    c.set('client', resolveClient(arrival, trusted))
    return next()
  }
}

/** Returns the address of the client. Requires `setClient`. */
export function clientIp(c: Context): string | undefined {
  return c.get('client')?.address
}

/** Returns whether the client is this machine or this process. */
export function isLocal({ address }: Client): boolean {
  // A fast path for most connections.
  if (address !== undefined && isIPv4(address)) return address.startsWith('127.')
  return address === undefined || ipaddr.process(address).range() === 'loopback'
}

/** Returns the client of a request; `trusted` is undefined if no proxy is trusted. */
export function resolveClient(
  arrival: ConnectionInfo,
  trusted: TrustedProxies | undefined,
): Client {
  const peer = arrival.peer === undefined ? undefined : readAddress(arrival.peer)
  if (peer === undefined || trusted === undefined) {
    return { address: peer, https: undefined, isHeaderShort: false }
  }
  const forwarded = listOf(arrival.header('x-forwarded-for'))
  const chain = [peer]
  while (chain.length <= forwarded.length && isProxy(chain, trusted)) {
    const next = readAddress(forwarded.at(-chain.length) ?? '')
    // Text that is not an address does not come from a trusted proxy.
    if (next === undefined) break
    chain.push(next)
  }
  const isHeaderShort = isProxy(chain, trusted)
  const proxies = isHeaderShort ? chain.length : chain.length - 1
  return { address: chain.at(-1), https: httpsOf(arrival, proxies), isHeaderShort }
}

/** Returns whether a connection from this address comes from a trusted proxy. */
export function isTrustedProxy(address: string, trusted: TrustedProxies | undefined): boolean {
  const peer = readAddress(address)
  return peer !== undefined && trusted !== undefined && isProxy([peer], trusted)
}

/** Returns whether the last address of a chain that starts at this server is a trusted proxy. */
function isProxy(chain: readonly string[], trusted: TrustedProxies): boolean {
  if ('hops' in trusted) return chain.length <= trusted.hops
  const address = ipaddr.process(chain.at(-1) ?? '')
  return trusted.networks.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr)
    return network.kind() === address.kind() && address.match(network, bits)
  })
}

/**
 * Returns the protocol of the request to the outermost proxy. Proxies may append to the header or
 * replace it, so the value is that many entries from the end, or the first one.
 */
function httpsOf({ header }: ConnectionInfo, proxies: number): boolean | undefined {
  const protocols = listOf(header('x-forwarded-proto'))
  if (proxies === 0 || protocols.length === 0) return undefined
  return protocols[Math.max(0, protocols.length - proxies)]?.toLowerCase() === 'https'
}

function listOf(header: string | undefined): string[] {
  return (header ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/**
 * Parses an address, which some proxies write with a port. An IPv4-mapped IPv6 address becomes an
 * IPv4 address.
 */
function readAddress(text: string): string | undefined {
  // A fast path for most connections.
  if (isIPv4(text)) return text
  const bare =
    /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  // The library would also accept legacy forms such as `1` and `0x7f.1`.
  const valid = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
  return valid ? ipaddr.process(bare).toString() : undefined
}
