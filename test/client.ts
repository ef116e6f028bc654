import { expectDocumented } from './openapi/expect-documented.ts'
import { PROGRAM_KEY } from './program.ts'

/**
 * The client of every test: of an app in this process, or of a server behind a URL. It checks each
 * response, and each request that succeeds, against the OpenAPI document, so an undocumented status,
 * header or member fails whichever test meets it.
 */

/** The origin of an app in this process. */
export const BASE = 'http://shop.test'

export interface Call {
  /** By default POST with a body, GET without. */
  method?: string
  /** Sent as JSON. */
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  headers?: Record<string, string>
  /** The client's address, for an app in this process. By default the call is local. */
  from?: string
}

export interface ApiResponse {
  status: number
  headers: Headers
  text: string
  // oxlint-disable-next-line typescript/no-explicit-any -- the document has checked it
  json: any
}

export interface Client {
  /** Calls any path, without credentials. */
  call: (path: string, call?: Call) => Promise<ApiResponse>
}

export interface MerchantClient {
  /** Calls the merchant's API, such as `/payment_links`, with the secret key. */
  api: (path: string, call?: Call) => Promise<ApiResponse>
}

/** Returns a client of the server at `base` and of its merchant. `headers` go with every call. */
export function createHttpClient(
  base: string,
  headers: Record<string, string> = {},
): Client & MerchantClient {
  const send = createCaller({ fetch: (request) => fetch(request) }, base)
  const call: Client['call'] = (path, options = {}) =>
    // A kept connection may be one that the server is about to close.
    send(path, { ...options, headers: { connection: 'close', ...headers, ...options.headers } })
  return { call, api: merchantApi(call, { instance: { key: 'default' }, secretKey: PROGRAM_KEY }) }
}

/** Returns a function that calls the merchant's API with the secret key. */
export function merchantApi(
  call: Client['call'],
  { instance, secretKey }: { instance: { key: string }; secretKey: string },
): MerchantClient['api'] {
  return (path, { headers, ...rest } = {}) =>
    call(`/c/api/instances/${instance.key}${path}`, {
      ...rest,
      headers: { authorization: basic(`${secretKey}:`), ...headers },
    })
}

export function basic(credentials: string): string {
  return `Basic ${Buffer.from(credentials).toString('base64')}`
}

/** What answers requests; `connection` is where an app in this process reads the client's address. */
export interface Answering {
  fetch: (request: Request, connection?: object) => Response | Promise<Response>
}

/** Returns a function that sends calls through `fetch` to `base`. */
export function createCaller({ fetch }: Answering, base: string = BASE): Client['call'] {
  return async (path, { method, body, raw, headers = {}, from } = {}) => {
    const json: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' }
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body))
    const request = new Request(`${base}${path}`, {
      method: method ?? (payload === undefined ? 'GET' : 'POST'),
      redirect: 'manual',
      headers: { ...json, ...headers },
      ...(payload === undefined ? {} : { body: payload, duplex: 'half' }),
    })
    const { method: verb, url, headers: requestHeaders } = request
    const response = await fetch(
      request,
      from === undefined ? undefined : { incoming: { socket: { remoteAddress: from } } },
    )
    const read = await readResponse(response)
    expectDocumented({
      ...read,
      method: verb,
      path: url.slice(base.length),
      requestHeaders,
      requestBody: textOf(payload),
    })
    return read
  }
}

/** Returns undefined for a stream, which is consumed by then. */
function textOf(payload: Call['raw']): string | undefined {
  if (payload instanceof Uint8Array) return new TextDecoder().decode(payload)
  return payload instanceof ReadableStream ? undefined : (payload ?? '')
}

async function readResponse(response: Response): Promise<ApiResponse> {
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as unknown) : undefined,
  }
}
