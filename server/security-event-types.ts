/**
 * What the server refuses in its own defence. Each kind is a label of the metric
 * `checkstand_security_events_total`; docs/security.md says what each one means.
 */
export const SECURITY_EVENTS = [
  /** An address sent too many wrong credentials. */
  'credentials_locked_out',
  /** A request had the number of a card in a text that is kept, or in place of a token. */
  'card_number_refused',
  /** A card or account that is none of the sandbox's was typed into it. */
  'real_number_in_sandbox',
  /** A webhook leads to this machine or to a network that is not public. */
  'outbound_refused',
  /** A request was refused because of too many others at once, or too many half-sent ones. */
  'request_shed',
  /** A connection was closed: too many of them, or of requests on it, or its answers were not read. */
  'connection_refused',
  /** A request came without a right secret key or password. */
  'unauthenticated',
  /** A secret key was used that is revoked, or whose instance is disabled. */
  'revoked_key_used',
  /** A platform's access token or a payer's session token was expired, revoked or made up. */
  'token_refused',
  /** A platform asked for what its scopes do not permit. */
  'scope_refused',
  /** An e-mail and password that do not belong together, or a first sign-in link that is not open. */
  'sign_in_refused',
  /** A form was not made for this browser and this request, or is out of date. */
  'form_refused',
  /** Another website sent a form or a script's request. */
  'cross_site_refused',
  /** A request named a host that is not this server. */
  'host_refused',
  /** A live instance was called over plain http. */
  'plain_http_refused',
  /** The disk is too full to begin anything new. */
  'disk_full',
  /** Wording was not saved within ten seconds, because of other writes before it. */
  'strings_queue_refused',
  /** A webhook was disabled, because its address failed for days or is gone. */
  'webhook_disabled',
  /** An authorization request named an unknown client or an address that is not registered. */
  'oauth_request_refused',
  /** A user denied a platform access. */
  'consent_denied',
  /** A client's credentials at the token or revocation endpoint were wrong. */
  'oauth_client_refused',
  /** A code or refresh token was unknown, expired, revoked or for another request. */
  'oauth_grant_refused',
  /** A code came a second time; what came of it was revoked. */
  'oauth_code_reused',
  /** A refresh token came again after it was replaced; its grant was revoked. */
  'oauth_token_reused',
  /** A wrong credential came from an address that had sent too many, or one that could be guessed. */
  'credentials_refused',
  /** A password was not judged, since too many wrong ones came for its user or from its network. */
  'password_delayed',
  /** A password was not judged, since too many were waiting for it. */
  'password_queue_full',
  /** A caller or an address sent more requests than its rate allows. */
  'requests_limited',
  /** A client of OAuth, or an address that asks for tokens, sent more requests than it may. */
  'token_requests_limited',
  /** Declined payments on a link or from a network have reached their limit. */
  'declines_limited',
  /** Most of an instance's newest payments were declined; its payers are slowed down. */
  'card_testing_suspected',
  /** A payment was not tried: too many declines or cards, too soon, or without its proof of work. */
  'submit_refused',
  /** A payer's address is unknown, so that nothing can be counted for it: see TRUST_PROXY. */
  'client_address_unknown',
  /** The answer to a list would have been larger than it may be. */
  'list_too_large',
  /** A list needed more of the database than it may have. */
  'list_too_slow',
  /** An instance had too many lists waiting for their turn. */
  'lists_waiting',
] as const

export type SecurityEvent = (typeof SECURITY_EVENTS)[number]
