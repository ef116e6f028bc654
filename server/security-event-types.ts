/** The `event` label of the metric `checkstand_security_events_total`; see docs/security.md. */
export const SECURITY_EVENTS = [
  /** A network sent too many wrong credentials. */
  'credentials_locked_out',
  /** A request had a card number in a stored text, or in place of a token. */
  'card_number_refused',
  /** A card or account number that is not a test number was entered in the sandbox. */
  'real_number_in_sandbox',
  /** A webhook URL leads to this machine or an internal network. */
  'outbound_refused',
  /** A request exceeded the limit of concurrent or incomplete requests. */
  'request_shed',
  /** A connection was closed: too many connections or requests, or unread responses. */
  'connection_refused',
  /** A request had no valid secret key or password. */
  'unauthenticated',
  /** A secret key is revoked or expired, or its instance disabled. */
  'revoked_key_used',
  /** A secret key was used from an address where it does not work. */
  'key_address_refused',
  /** An access token or session token is expired, revoked or unknown. */
  'token_refused',
  /** A request exceeded the scopes of its token or secret key. */
  'scope_refused',
  /** A user made a request that their role does not permit. */
  'role_refused',
  /** The e-mail and password do not match, or a first sign-in link is not valid. */
  'sign_in_refused',
  /** A code was not checked during a lockout of its user. */
  'code_delayed',
  /** A user with a second factor sent only a password. */
  'second_factor_missing',
  /** A notification of a processor has no valid signature. */
  'notice_refused',
  /** The CSRF token of a form is invalid or expired. */
  'form_refused',
  /** A request came from another site. */
  'cross_site_refused',
  /** The Host header is not one of this server. */
  'host_refused',
  /** A live instance was called over plain http. */
  'plain_http_refused',
  /** The disk is too full for new work. */
  'disk_full',
  /** A change of strings waited ten seconds for other writes. */
  'strings_queue_refused',
  /** A webhook was disabled after days of failures or a 410. */
  'webhook_disabled',
  /** An authorization request has an unknown client or an unregistered redirect URI. */
  'oauth_request_refused',
  /** A user denied a platform access. */
  'consent_denied',
  /** Client authentication failed at the token or revocation endpoint. */
  'oauth_client_refused',
  /** An authorization code or refresh token is invalid. */
  'oauth_grant_refused',
  /** An authorization code was reused; its tokens were revoked. */
  'oauth_code_reused',
  /** A refresh token was reused; its grant was revoked. */
  'oauth_token_reused',
  /** A wrong credential came from a locked-out network, or could be guessed. */
  'credentials_refused',
  /** A password was not checked during a lockout of its user or network. */
  'password_delayed',
  /** A password was not checked because the queue is full. */
  'password_queue_full',
  /** A caller or network exceeded its rate limit. */
  'requests_limited',
  /** A client or network exceeded the rate limit of the token endpoint. */
  'token_requests_limited',
  /** Declines on a link or from a network reached their limit. */
  'declines_limited',
  /** Most recent payments of an instance were declined; its payers are slowed down. */
  'card_testing_suspected',
  /** A submit was rejected: too many declines or cards, too soon, or no proof of work. */
  'submit_refused',
  /** The payer's address is unknown, so no limit applies: see TRUST_PROXY. */
  'client_address_unknown',
  /** The response of a list would exceed its size limit. */
  'list_too_large',
  /** A list exceeded its query time. */
  'list_too_slow',
  /** An instance had too many waiting lists. */
  'lists_waiting',
] as const

export type SecurityEvent = (typeof SECURITY_EVENTS)[number]
