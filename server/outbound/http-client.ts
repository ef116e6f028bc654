import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net'
import { resolveName } from './dns.ts'
import { addressesOf, AddressRefused, NameUnknown, type Resolve, urlError } from './url-policy.ts'

/** Why a call brought no answer. */
export type OutboundFault =
  | 'ADDRESS_REFUSED'
  | 'CONNECTION_FAILED'
  | 'DNS_FAILED'
  | 'TIMEOUT'
  | 'TLS_FAILED'

export type OutboundResponse =
  | { status: number; fault?: undefined }
  | { status?: undefined; fault: OutboundFault }

export interface OutboundRequest {
  url: string
  headers: Record<string, string>
  body: Uint8Array
  /** Whether this machine itself may be called. */
  localhost: boolean
}

/** Posts to an address that a merchant gave. Never throws: what goes wrong is in the answer. */
export type HttpClient = (request: OutboundRequest) => Promise<OutboundResponse>

const DEADLINE_MS = 10_000
const ANSWER_BYTES_MAX = 64 * 1024
const HEADER_BYTES_MAX = 16 * 1024
/** One address of several may be dead; a distant one is slower than Node's own quarter second. */
const NEXT_ADDRESS_MS = 1000

/**
 * The one way in which the server calls an address that a merchant gave (contract section 16,
 * safety row 17). Each call resolves the name once, checks every address that it got and connects
 * to one of these and no other; it follows no redirect, uses no proxy, and ends after `deadlineMs`
 * whatever it is doing. Of the answer only the status is kept: its body could be a page of the
 * operator's own network, so nobody is shown it.
 */
export function createHttpClient({
  allow,
  resolve = resolveName,
  deadlineMs = DEADLINE_MS,
}: {
  /** CIDRs that may be called besides the public internet. */
  allow: readonly string[]
  resolve?: Resolve
  deadlineMs?: number
}): HttpClient {
  return async function post(request) {
    const reach = { allow, localhost: request.localhost }
    if (urlError(request.url, reach) !== undefined) return { fault: 'ADDRESS_REFUSED' }
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), deadlineMs)
    try {
      const url = new URL(request.url)
      const addresses = await until(deadline.signal, addressesOf(url, reach, resolve))
      return { status: await send(url, addresses, request, deadline.signal) }
    } catch (error) {
      return { fault: deadline.signal.aborted ? 'TIMEOUT' : faultOf(error) }
    } finally {
      clearTimeout(timer)
    }
  }
}

function until<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true })
    work.then(resolve, reject)
  })
}

function send(
  url: URL,
  addresses: readonly string[],
  { headers, body }: OutboundRequest,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const begin = url.protocol === 'https:' ? https.request : http.request
    const options: RequestOptions & TcpOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': body.byteLength },
      // A connection of its own: a kept one could lead to an address that was not checked now, and
      // the shared agent may go through a proxy.
      agent: false,
      lookup: pinnedTo(addresses),
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      signal,
    }
    const outgoing = begin(url, options)
    let status: number | undefined
    // Once there is a status, a connection that breaks takes nothing of it away.
    const end = (error: Error) => (status === undefined ? reject(error) : resolve(status))
    outgoing.on('error', end)
    outgoing.on('close', () => end(new Error('the connection was closed without an answer')))
    outgoing.on('response', (response) => {
      status = response.statusCode
      readAway(response)
    })
    outgoing.end(body)
  })
}

/** Handed on to the socket, which the types of a request do not say. */
type TcpOptions = Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'>

/** Lets the receiver finish its answer, up to a point, without keeping any of it. */
function readAway(response: IncomingMessage): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > ANSWER_BYTES_MAX) response.destroy()
  })
  response.on('error', () => {})
}

/** A look-up that knows nothing but addresses that were checked. */
function pinnedTo(addresses: readonly string[]): LookupFunction {
  const found = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    const [first] = found
    if (options.all === true) callback(null, found)
    else callback(null, first?.address ?? '', first?.family)
  }
}

function faultOf(error: unknown): OutboundFault {
  if (error instanceof AddressRefused) return 'ADDRESS_REFUSED'
  if (error instanceof NameUnknown) return 'DNS_FAILED'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return TLS_CODES.test(code) ? 'TLS_FAILED' : 'CONNECTION_FAILED'
}

/** What Node and OpenSSL call a handshake or a certificate that is not good. */
const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_)/
