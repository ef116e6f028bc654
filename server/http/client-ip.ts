import { isIPv4 } from 'node:net'
import type { Context, MiddlewareHandler } from 'hono'
import ipaddr from 'ipaddr.js'
import type { TrustedProxies } from '../config.ts'

/**
 * Who is at the other end, and whether they came by https (safety rows 23 and 24).
 *
 * A header can be typed by anybody, so by default only the connection counts. Each proxy adds the
 * address that it was called from to the end of `X-Forwarded-For`: read from that end, the first
 * address that is no proxy of ours is the client, and whatever stands before it is hearsay.
 */

export interface Client {
  /** As text; undefined for a request without a connection, which comes from this very process. */
  address: string | undefined
  /** By https, as far as the proxies that are believed know; undefined where none has said. */
  https: boolean | undefined
  /** Proxies are believed, and `X-Forwarded-For` names nobody who came to the outermost of them. */
  isHeaderShort: boolean
}

declare module 'hono' {
  interface ContextVariableMap {
    /** Set on every request. */
    client: Client
  }
}

/** What Node's server passes along with a request; absent where there is no connection. */
interface Connection {
  incoming?: { socket?: { remoteAddress?: string } }
}

/** What is known of a request before anything is made of it. */
export interface Arrival {
  /** The address at the other end of the connection. */
  peer: string | undefined
  /** The value of a header, by its name in small letters; several in one, separated by commas. */
  header: (name: string) => string | undefined
}

/** Notes the client of every request; `trusted` is undefined where no proxy is believed. */
export function setClient(trusted: TrustedProxies | undefined): MiddlewareHandler {
  return async function noteTheClient(c, next) {
    const { incoming } = (c.env ?? {}) as Connection
    const arrival = {
      peer: incoming?.socket?.remoteAddress,
      header: (name: string) => c.req.header(name),
    }
    c.set('client', resolveClient(arrival, trusted))
    await next()
  }
}

/** The address of the client, once `noteClient` has run. */
export function clientIp(c: Context): string | undefined {
  return c.get('client')?.address
}

/** Whether the client is this very machine, or this very process. */
export function isLocal({ address }: Client): boolean {
  return address === undefined || ipaddr.process(address).range() === 'loopback'
}

/** Returns who sent a request; `trusted` is undefined where no proxy is believed. */
export function resolveClient(arrival: Arrival, trusted: TrustedProxies | undefined): Client {
  const peer = readAddress(arrival.peer ?? '')
  if (peer === undefined || trusted === undefined) {
    return { address: peer, https: undefined, isHeaderShort: false }
  }
  const forwarded = listOf(arrival.header('x-forwarded-for'))
  const chain = [peer]
  while (chain.length <= forwarded.length && isProxy(chain, trusted)) {
    const said = readAddress(forwarded.at(-chain.length) ?? '')
    // What is no address was written by nobody whom we believe.
    if (said === undefined) break
    chain.push(said)
  }
  const isHeaderShort = isProxy(chain, trusted)
  const proxies = isHeaderShort ? chain.length : chain.length - 1
  return { address: chain.at(-1), https: httpsOf(arrival, proxies), isHeaderShort }
}

/** Returns whether a connection from this address is a proxy's that is believed. */
export function isTrustedProxy(address: string, trusted: TrustedProxies | undefined): boolean {
  const peer = readAddress(address)
  return peer !== undefined && trusted !== undefined && isProxy([peer], trusted)
}

/** Whether the last address of a chain that begins at this server is one of our proxies. */
function isProxy(chain: readonly string[], trusted: TrustedProxies): boolean {
  if ('hops' in trusted) return chain.length <= trusted.hops
  const address = ipaddr.process(chain.at(-1) ?? '')
  return trusted.networks.some((cidr) => {
    const [network, bits] = ipaddr.parseCIDR(cidr)
    return network.kind() === address.kind() && address.match(network, bits)
  })
}

/**
 * What the outermost of our proxies was called by. Each may have added what it saw, or have
 * replaced the header, so it is that many from the end, or the first that there is.
 */
function httpsOf({ header }: Arrival, proxies: number): boolean | undefined {
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

/** An address, which some proxies write with a port; an IPv4 one in the form of IPv6 as itself. */
function readAddress(text: string): string | undefined {
  // What nearly every connection has needs no second look.
  if (isIPv4(text)) return text
  const bare =
    /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')
  // The library would also take 1 and 0x7f.1 for addresses, as old programs do.
  const valid = ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare)
  return valid ? ipaddr.process(bare).toString() : undefined
}
