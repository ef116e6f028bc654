/** The parts that the tests use of two client libraries that come without types. */

declare module 'simple-oauth2' {
  export interface Token {
    access_token: string
    refresh_token: string
    expires_at: Date
  }
  export interface AccessToken {
    token: Token
    refresh(params?: object): Promise<AccessToken>
    revoke(kind: 'access_token' | 'refresh_token'): Promise<unknown>
    revokeAll(): Promise<void>
  }
  export class AuthorizationCode {
    constructor(config: {
      client: { id: string; secret: string }
      auth: {
        tokenHost: string
        tokenPath: string
        authorizeHost: string
        authorizePath: string
        revokePath: string
      }
      options?: { authorizationMethod?: 'header' | 'body' }
    })
    authorizeURL(params: Record<string, string>): string
    getToken(params: Record<string, string>): Promise<AccessToken>
  }
}

declare module 'passport-oauth2' {
  type Done = (error: Error | null, user?: object) => void
  type TokenDone = (error: unknown, accessToken: string, refreshToken: string) => void
  export interface PassportRequest {
    query: Record<string, string>
    session: object
  }
  export class Strategy {
    constructor(
      options: {
        authorizationURL: string
        tokenURL: string
        clientID: string
        clientSecret: string
        callbackURL: string
        state?: boolean
        pkce?: boolean
        scope?: string[]
        skipUserProfile?: boolean
      },
      verify: (accessToken: string, refreshToken: string, profile: object, done: Done) => void,
    )
    /** Set by passport for each request. */
    success: (user: object) => void
    fail: (reason: unknown) => void
    error: (error: Error) => void
    redirect: (url: string) => void
    authenticate(request: PassportRequest, options?: object): void
    _oauth2: {
      getOAuthAccessToken(code: string, params: Record<string, string>, done: TokenDone): void
    }
  }
}
