import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { SecurityEvent } from './security-event-types.ts'

/** Types of nested errors. */
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
  | 'STEP_UP_REQUIRED'
  | 'SECOND_FACTOR_REQUIRED'
  | 'MISDIRECTED_REQUEST'
  | 'TOO_MANY_REQUESTS'
  | 'PROCESSOR_UNREACHABLE'
  | 'UNAVAILABLE'

/** The security event that a refused request is recorded as. */
export interface RecordedAs {
  event: SecurityEvent
  /** The limit that was exceeded. */
  limit?: string | undefined
  /** The id of the instance, where the request is refused before it has one. */
  instance?: string | undefined
}

/** The status of each type; a defect is `INTERNAL` with 500. */
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
  STEP_UP_REQUIRED: 403,
  SECOND_FACTOR_REQUIRED: 403,
  MISDIRECTED_REQUEST: 421,
  TOO_MANY_REQUESTS: 429,
  PROCESSOR_UNREACHABLE: 502,
  UNAVAILABLE: 503,
}

/**
 * An error that the caller can act on. The message is for the caller and names the member first.
 * Any other error is a defect, of which the caller learns no details.
 */
export class ApiError extends Error {
  readonly type: ApiErrorType
  readonly status: ContentfulStatusCode
  /** The code of a flat error, if it differs from the type. */
  readonly code: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** Members of a nested error besides its type and message. */
  readonly members: Readonly<Record<string, unknown>>
  /** The security event to record; undefined if there is none. */
  readonly recordedAs: RecordedAs | undefined

  constructor(
    type: ApiErrorType,
    message: string,
    more: {
      code?: string
      headers?: Record<string, string>
      members?: Record<string, unknown>
      recordedAs?: RecordedAs | undefined
    } = {},
  ) {
    super(message)
    this.type = type
    this.status = ERROR_STATUS[type]
    this.code = more.code
    this.headers = more.headers ?? {}
    this.members = more.members ?? {}
    this.recordedAs = more.recordedAs
  }
}

/** For requests of the console. On a challenge for Basic, a browser would ask for a password itself. */
export const SESSION_CHALLENGE = 'Session realm="Checkstand"'

const BASIC = 'Basic realm="Checkstand", charset="UTF-8"'

/** 401 for missing or wrong credentials. */
export class UnauthorizedError extends Error {
  /** The value of `WWW-Authenticate`. */
  readonly challenge: string
  readonly recordedAs: RecordedAs

  constructor(challenge: string = BASIC, recordedAs: RecordedAs = { event: 'unauthenticated' }) {
    super('Unauthorized')
    this.challenge = challenge
    this.recordedAs = recordedAs
  }
}

/** 400 for an invalid value: `member` in dotted form, then the rule. */
export function invalid(member: string, rule: string): ApiError {
  return new ApiError('INVALID_REQUEST', `${member} ${rule}`)
}

/** 404 for a record that does not exist for this caller: `Account` gives `Account not found`. */
export function notFound(what: string): ApiError {
  return new ApiError('NOT_FOUND', `${what} not found`)
}

/** 429 with `Retry-After` from `waitMs`. */
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

/** 400 for a valid request that the state of the record does not allow. */
export function invalidState(message: string): ApiError {
  return new ApiError('INVALID_STATE', message)
}
