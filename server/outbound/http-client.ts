import http, { type IncomingMessage, type RequestOptions } from 'node:http'
import https from 'node:https'
import { isIP, type LookupFunction, type TcpSocketConnectOpts } from 'node:net'
import { resolveName } from './dns.ts'
import {
  resolveAllowedAddresses,
  AddressRejectedError,
  NameUnknown,
  type Resolve,
  urlError,
} from './url-policy.ts'

/** Why a request has no response. */
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
  /** Whether loopback addresses are allowed. */
  localhost: boolean
}

/** Posts to a merchant's URL. Never throws: the response has the fault. */
export type HttpClient = (request: OutboundRequest) => Promise<OutboundResponse>

const DEADLINE_MS = 10_000
const RESPONSE_BYTES_MAX = 64 * 1024
const HEADER_BYTES_MAX = 16 * 1024
/** The wait before the next address is tried. Node's default of 250 ms is too short for distant ones. */
const NEXT_ADDRESS_MS = 1000

/**
 * Creates the only client for URLs of merchants. A request resolves the name once, checks every
 * address and connects to those addresses only. It follows no redirect, uses no proxy and ends after
 * `deadlineMs`. Only the status of the response is kept, since its body could be a page of the
 * operator's network.
 */
export function createHttpClient({
  allow,
  resolve = resolveName,
  deadlineMs = DEADLINE_MS,
}: {
  /** CIDRs that are allowed besides public addresses. */
  allow: readonly string[]
  resolve?: Resolve
  deadlineMs?: number
}): HttpClient {
  return async function post(request) {
    const policy = { allow, localhost: request.localhost }
    if (urlError(request.url, policy) !== undefined) return { fault: 'ADDRESS_REFUSED' }
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), deadlineMs)
    try {
      const url = new URL(request.url)
      const addresses = await orAbort(
        deadline.signal,
        resolveAllowedAddresses(url, policy, resolve),
      )
      return { status: await send(url, addresses, request, deadline.signal) }
    } catch (error) {
      return { fault: deadline.signal.aborted ? 'TIMEOUT' : faultOf(error) }
    } finally {
      clearTimeout(timer)
    }
  }
}

function orAbort<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
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
    const request = url.protocol === 'https:' ? https.request : http.request
    const options: RequestOptions & TcpOptions = {
      method: 'POST',
      headers: { ...headers, 'content-length': body.byteLength },
      // A new connection: a pooled one could lead to an unchecked address, and the global agent may
      // use a proxy.
      agent: false,
      lookup: pinnedLookup(addresses),
      autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_MS,
      maxHeaderSize: HEADER_BYTES_MAX,
      signal,
    }
    const outgoing = request(url, options)
    let status: number | undefined
    // After the status, a broken connection does not matter.
    const end = (error: Error) => (status === undefined ? reject(error) : resolve(status))
    outgoing.on('error', end)
    outgoing.on('close', () => end(new Error('the connection closed without a response')))
    outgoing.on('response', (response) => {
      status = response.statusCode
      discardBody(response)
    })
    outgoing.end(body)
  })
}

/** An option of the socket that the types of a request lack. */
type TcpOptions = Pick<TcpSocketConnectOpts, 'autoSelectFamilyAttemptTimeout'>

/** Reads the body up to a limit and discards it. */
function discardBody(response: IncomingMessage): void {
  let bytes = 0
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > RESPONSE_BYTES_MAX) response.destroy()
  })
  response.on('error', () => {})
}

/** A lookup that returns the checked addresses only. */
function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const pinned = addresses.map((address) => ({ address, family: isIP(address) }))
  return (_hostname, options, callback) => {
    const [first] = pinned
    if (options.all === true) callback(null, pinned)
    else callback(null, first?.address ?? '', first?.family)
  }
}

function faultOf(error: unknown): OutboundFault {
  if (error instanceof AddressRejectedError) return 'ADDRESS_REFUSED'
  if (error instanceof NameUnknown) return 'DNS_FAILED'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return TLS_CODES.test(code) ? 'TLS_FAILED' : 'CONNECTION_FAILED'
}

/** Codes of Node and OpenSSL for failed handshakes and certificates. */
const TLS_CODES = /^(ERR_TLS_|ERR_SSL_|EPROTO$|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_)/
