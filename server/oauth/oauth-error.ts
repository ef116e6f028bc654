import type { RecordedAs } from '../errors.ts'

/** Errors of RFC 6749 and 7009, as the token and revocation endpoints answer them. */
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

/** Something that a client can act on. The description is plain ASCII without quotes. */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode
  readonly status: (typeof STATUS)[OAuthErrorCode]
  readonly headers: Readonly<Record<string, string>>
  /** The security event that the failure is; undefined where it defends nothing. */
  readonly recordedAs: RecordedAs | undefined

  constructor(
    code: OAuthErrorCode,
    description: string,
    more: { headers?: Record<string, string>; recordedAs?: RecordedAs } = {},
  ) {
    super(description)
    this.code = code
    this.status = STATUS[code]
    this.headers = more.headers ?? {}
    this.recordedAs = more.recordedAs
  }
}
