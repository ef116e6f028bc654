import type { RecordedAs } from '../errors.ts'

/** The error codes of RFC 6749 section 5.2 and RFC 7009 section 2.2.1. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'unsupported_grant_type'
  | 'temporarily_unavailable'
  | 'server_error'

const STATUS = {
  invalid_request: 400,
  invalid_client: 401,
  invalid_grant: 400,
  invalid_scope: 400,
  unsupported_grant_type: 400,
  temporarily_unavailable: 429,
  server_error: 500,
} as const

/** An error of the token and revocation endpoints. `description` is ASCII without quotes. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: (typeof STATUS)[OAuthErrorCode]
  readonly headers: Readonly<Record<string, string>>
  /** The security event to record, if any. */
  readonly recordedAs: RecordedAs | undefined

  constructor(
    code: OAuthErrorCode,
    description: string,
    options: { headers?: Record<string, string>; recordedAs?: RecordedAs } = {},
  ) {
    super(description)
    this.code = code
    this.status = STATUS[code]
    this.headers = options.headers ?? {}
    this.recordedAs = options.recordedAs
  }
}
