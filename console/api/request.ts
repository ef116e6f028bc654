import { boot } from '../boot.ts'
import { askStepUp } from './step-up.ts'

/** A request that the server refused, or that did not reach it. */
export class RequestError extends Error {
  /** HTTP status; 0 when there was no response. */
  readonly status: number
  /** `type` of the error body, such as `INVALID_STATE`; `OFFLINE` without a response. */
  readonly type: string
  readonly code: string | undefined
  /** Id of the request in the server's log. */
  readonly requestId: string | undefined
  /** Seconds to wait before the next try, of a 429 or 503. */
  readonly retryAfter: number | undefined

  constructor(
    message: string,
    about: {
      status: number
      type: string
      code?: string | undefined
      requestId?: string | undefined
      retryAfter?: number | undefined
    },
  ) {
    super(message)
    this.status = about.status
    this.type = about.type
    this.code = about.code
    this.requestId = about.requestId
    this.retryAfter = about.retryAfter
  }
}

/** Throws the RequestError of a request whose answer did not arrive whole. */
export function throwNoAnswer(): never {
  throw new RequestError('', { status: 0, type: 'OFFLINE' })
}

/**
 * Whether a request may have been carried out all the same, so that only the very same one, with its idempotency
 * key, may be sent again: no answer, a server that failed, or one that is still at work on it.
 */
export const mayHaveHappened = ({ status }: RequestError): boolean =>
  status === 0 || status === 408 || status === 409 || status >= 500

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown
  /** `Idempotency-Key`: the same for every try of one action of a person. */
  key?: string
  /** The version that the change is based on. */
  ifMatch?: number
  signal?: AbortSignal
}

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Returns the absolute path of a request in the API of an instance, such as `/payment_links`. */
export const apiPath = (instance: string, path: string): string =>
  `/c/api/instances/${encodeURIComponent(instance)}${path}`

/**
 * Calls the API. `path` is absolute (`apiPath`). Returns the parsed response, undefined for one without
 * a body. Throws a RequestError. When the server wants a proof of who its user is, asks for one and sends
 * the same request again.
 */
export async function request<Result>(
  method: Method,
  path: string,
  options: RequestOptions = {},
): Promise<Result> {
  try {
    return await send<Result>(method, path, options)
  } catch (error) {
    const isAsked = error instanceof RequestError && error.type === 'STEP_UP_REQUIRED'
    if (!isAsked || !(await askStepUp())) throw error
    return send<Result>(method, path, options)
  }
}

async function send<Result>(
  method: Method,
  path: string,
  { body, key, ifMatch, signal }: RequestOptions,
): Promise<Result> {
  const lost = (error: unknown): never => {
    if (signal?.aborted) throw error
    return throwNoAnswer()
  }
  const response = await fetch(path, {
    method,
    headers: {
      Accept: 'application/json',
      'Checkstand-Console': boot.token,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'Idempotency-Key': key }),
      ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch(lost)
  // The connection may end within the answer, and what stands between may answer in its own words.
  const text = await response.text().catch(lost)
  if (!response.ok) throw refusal(response, text)
  return (text === '' ? undefined : (parsed(text) ?? throwNoAnswer())) as Result
}

/** Returns the error of a refused request. Errors are nested in most areas and flat in strings. */
export function refusal(response: Response, text: string): RequestError {
  const read = parsed(text)
  const error = (read?.['error'] ?? read ?? {}) as Record<string, unknown>
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN)
  return new RequestError(typeof error['message'] === 'string' ? error['message'] : '', {
    status: response.status,
    type: typeof error['type'] === 'string' ? error['type'] : String(response.status),
    code: typeof error['code'] === 'string' ? error['code'] : undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
    retryAfter: Number.isNaN(retryAfter) ? undefined : retryAfter,
  })
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined
  } catch {
    return undefined
  }
}
