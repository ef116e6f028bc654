import { CheckstandError, ConnectionError, errorOf, TimeoutError } from './errors.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
export type Query = Readonly<Record<string, string | number | boolean | undefined>>

/** Where and as whom the client calls. */
export interface Connection {
  /** Where the API of the instance begins, such as `https://pay.example/c/api/instances/default`. */
  root: string
  authorization: string
  fetch: typeof fetch
  /** How often a request is sent again. */
  retries: number
  /** Milliseconds that one try may take; undefined for the time of the operation. */
  timeoutMs: number | undefined
}

/** What every call takes. */
export interface CallOptions {
  /** Sent as `Idempotency-Key`. Without one, every POST has a new one, which all its tries share. */
  idempotencyKey?: string
  /** Milliseconds that one try may take. By default 30 000, or 40 000 when the processor is called. */
  timeoutMs?: number
  /** How often the request is sent again; by default as often as the client is set up to. */
  retries?: number
  /** Ends the call. What was sent may have taken effect. */
  signal?: AbortSignal
}

export interface Request extends CallOptions {
  method: Method
  /** Below the instance, such as `/payment_links`. */
  path: string
  query?: Query | undefined
  body?: unknown
  /** The version of the record that a change is based on. */
  ifMatch?: number | undefined
}

/** An answer whose parts are wanted. */
export interface Raw<Body> {
  status: number
  headers: Headers
  body: Body
}

const TIMEOUT_MS = 30_000
/** The first wait and the longest one, in milliseconds. */
const [BACKOFF_MS, BACKOFF_MAX_MS] = [500, 8000]
/** A server that wants a longer pause than this many seconds gets none: the caller decides. */
const RETRY_AFTER_MAX = 60

/**
 * Sends a request, and sends it again after errors that may pass. Returns the first success. Throws a
 * CheckstandError, or the reason of `signal`.
 */
export async function send<Body>(connection: Connection, request: Request): Promise<Raw<Body>> {
  const { method, signal, retries = connection.retries } = request
  // The same for all tries, so that the server acts once.
  const key = request.idempotencyKey ?? (method === 'POST' ? newKey() : undefined)
  for (let tries = 0; ; tries += 1) {
    try {
      return await sendOnce<Body>(connection, request, key)
    } catch (error) {
      const isLast = tries >= retries || signal?.aborted
      if (isLast || !(error instanceof CheckstandError) || !mayPass(error, request)) throw error
      const ms = Math.random() * Math.min(BACKOFF_MAX_MS, BACKOFF_MS * 2 ** tries)
      await pause(error.retryAfter === undefined ? ms : error.retryAfter * 1000, signal)
    }
  }
}

/** Node.js 18 has no global `crypto`; a key must be another one, not secret. */
function newKey(): string {
  return globalThis.crypto?.randomUUID() ?? `${Date.now()}-${Math.random()}-${Math.random()}`
}

/** Whether another try can succeed, and does no harm. */
function mayPass(error: CheckstandError, { method, ifMatch }: Request): boolean {
  if ((error.retryAfter ?? 0) > RETRY_AFTER_MAX) return false
  // The answer to a change may be lost, and then the version is another one by that very change.
  if (ifMatch !== undefined) return error.status === 429
  if (error instanceof ConnectionError) return true
  return (
    [408, 409, 429, 502, 503, 504].includes(error.status) ||
    (error.status === 500 && method === 'GET')
  )
}

async function sendOnce<Body>(
  { root, authorization, fetch, timeoutMs }: Connection,
  request: Request,
  key: string | undefined,
): Promise<Raw<Body>> {
  const { method, path, query, body, ifMatch, signal } = request
  const ms = request.timeoutMs ?? timeoutMs ?? TIMEOUT_MS
  const ended = new AbortController()
  const end = () => ended.abort(signal?.reason)
  if (signal?.aborted) end()
  signal?.addEventListener('abort', end)
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    ended.abort()
  }, ms)
  try {
    const response = await fetch(root + path + queryText(query), {
      method,
      signal: ended.signal,
      headers: {
        Accept: 'application/json',
        Authorization: authorization,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
        ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw errorOf(response, text)
    return {
      status: response.status,
      headers: response.headers,
      body: (text === '' ? undefined : JSON.parse(text)) as Body,
    }
  } catch (cause) {
    if (cause instanceof CheckstandError) throw cause
    if (signal?.aborted) throw signal.reason
    const lost = `${method} ${path} `
    const about = { status: 0, type: isLate ? 'TIMEOUT' : 'CONNECTION', cause }
    throw isLate
      ? new TimeoutError(`${lost}got no answer within ${ms} ms`, about)
      : new ConnectionError(`${lost}got no answer: ${(cause as Error).message}`, about)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
  }
}

function queryText(query: Query = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const text = given.map(([name, value]) => `${name}=${encodeURIComponent(value ?? '')}`).join('&')
  return text && `?${text}`
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(done, ms)
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      if (signal?.aborted) reject(signal.reason)
      else resolve()
    }
    signal?.addEventListener('abort', done)
  })
}

/** One request on its way: awaited for its record, or with `raw()` for the whole answer. */
export class Call<Record> implements PromiseLike<Record> {
  readonly #answer: Promise<Raw<unknown>>
  readonly #unwrap: (body: unknown) => Record

  constructor(answer: Promise<Raw<unknown>>, unwrap: (body: unknown) => Record) {
    this.#answer = answer
    this.#unwrap = unwrap
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a call is awaited like the promise that it holds
  then<Result = Record, Failed = never>(
    onRecord?: ((record: Record) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    return this.#answer.then(({ body }) => this.#unwrap(body)).then(onRecord, onError)
  }

  catch<Failed = never>(
    onError: (error: unknown) => Failed | PromiseLike<Failed>,
  ): Promise<Record | Failed> {
    return this.then(undefined, onError)
  }

  finally(onEnd: () => void): Promise<Record> {
    return this.then().finally(onEnd)
  }

  /** Returns status, headers and the body as the server sent it. Throws as the call itself does. */
  raw(): Promise<Raw<unknown>> {
    return this.#answer
  }
}
