import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { SecurityEvent } from './security-event-types.ts'

/** Kinds of nested errors (contract section 4). */
export type ApiErrorType =
  | 'INVALID_REQUEST'
  | 'INVALID_STATE'
  | 'DUPLICATE'
  | 'NOT_SUPPORTED'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'IDEMPOTENCY'
  | 'GONE'
  | 'METHOD_NOT_ALLOWED'
  | 'FORBIDDEN'
  | 'MISDIRECTED_REQUEST'
  | 'TOO_MANY_REQUESTS'
  | 'UNAVAILABLE'

/** The security event that a refused request is recorded as. */
export interface RecordedAs {
  event: SecurityEvent
  /** The limit that was reached. */
  limit?: string | undefined
}

/** The status of each kind; a defect is `INTERNAL`, with 500. */
export const ERROR_STATUS: Record<ApiErrorType, ContentfulStatusCode> = {
  INVALID_REQUEST: 400,
  INVALID_STATE: 400,
  DUPLICATE: 400,
  NOT_SUPPORTED: 400,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  IDEMPOTENCY: 422,
  GONE: 410,
  FORBIDDEN: 403,
  MISDIRECTED_REQUEST: 421,
  TOO_MANY_REQUESTS: 429,
  UNAVAILABLE: 503,
}

/**
 * Something that the caller can act on. The message is for the caller and names the member first;
 * everything that is not a ApiError is a defect, and the caller learns only that there was one.
 */
export class ApiError extends Error {
  readonly type: ApiErrorType
  readonly status: ContentfulStatusCode
  /** The code of the flat shape, where it is not simply the type. */
  readonly code: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The security event that the refusal is; undefined where it defends nothing. */
  readonly recordedAs: RecordedAs | undefined

  constructor(
    type: ApiErrorType,
    message: string,
    more: {
      code?: string
      headers?: Record<string, string>
      recordedAs?: RecordedAs | undefined
    } = {},
  ) {
    super(message)
    this.type = type
    this.status = ERROR_STATUS[type]
    this.code = more.code
    this.headers = more.headers ?? {}
    this.recordedAs = more.recordedAs
  }
}

const BASIC = 'Basic realm="Checkstand", charset="UTF-8"'

/** The credentials are missing or wrong (specification: Errors, 401). */
export class UnauthorizedError extends Error {
  /** How to identify oneself at this address, for the header `WWW-Authenticate`. */
  readonly challenge: string
  readonly recordedAs: RecordedAs

  constructor(challenge: string = BASIC, recordedAs: RecordedAs = { event: 'unauthenticated' }) {
    super('Unauthorized')
    this.challenge = challenge
    this.recordedAs = recordedAs
  }
}

/** 400 for a value that breaks a rule: `member` in dotted form, then the rule. */
export function invalid(member: string, rule: string): ApiError {
  return new ApiError('INVALID_REQUEST', `${member} ${rule}`)
}

/** 404 for a record that does not exist for this caller: `Account` gives `Account not found`. */
export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `${what} not found`)
}

/** 429 for a caller who has to wait; `waitMs` is how long. */
export function tooManyRequests(
  message: string,
  waitMs: number,
  recordedAs?: RecordedAs,
): ApiError {
  return new ApiError('TOO_MANY_REQUESTS', message, {
    headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
    recordedAs,
  })
}

/** 400 for a well-formed request that the record's present state does not allow. */
export function invalidState(message: string): ApiError {
  return new ApiError('INVALID_STATE', message)
}
