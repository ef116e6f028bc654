import type { ClientRow } from '../db/tables/oauth.ts'
import { containsCardNumber } from '../../shared/rules/card-in-text.ts'
import { plainOrigin } from '../../shared/rules/plain-origin.ts'
import { redirectTargetProblem } from '../../shared/rules/redirect-target.ts'
import { NO_CARD_NUMBER, URL_MAX } from '../../shared/schemas/common.ts'
import type { Form } from '../http/form.ts'
import { ApiError } from '../errors.ts'

/** Parameters that the authorization response appends. */
const RESPONSE_PARAMETERS = ['code', 'state', 'error', 'error_description']

/**
 * Returns the rule that a redirect URL breaks, or null. `development` allows http on localhost.
 */
export function redirectUriError(url: string, development: boolean): string | null {
  const error = redirectTargetProblem(url, false)
  if (error !== null) return error
  if (url.length > URL_MAX) return `must be at most ${URL_MAX} characters`
  if (containsCardNumber(url)) return NO_CARD_NUMBER.error
  if (url.includes('#')) return 'must not have a fragment'
  const { protocol, hostname, searchParams } = new URL(url)
  const taken = RESPONSE_PARAMETERS.find((name) => searchParams.has(name))
  if (taken !== undefined) return `must not have the parameter ${taken}, which the response adds`
  // form-action cannot express an IPv6 host, so Chrome would block the redirect.
  if (hostname.startsWith('[')) return 'must name its host, not an IPv6 address'
  if (plainOrigin(url) === null) return 'must have a host of letters, digits, dots, - and _'
  if (protocol === 'http:' && !development)
    return 'must be https, except for development (--development)'
  return null
}

export function registeredRedirectUrls(client: Pick<ClientRow, 'redirect_urls'>): string[] {
  return JSON.parse(client.redirect_urls) as string[]
}

/**
 * Returns the request's `redirect_url`, or its `redirect_uri`, which is the name in RFC 6749. Throws a
 * 400 ApiError when the two differ.
 */
export function readRedirectUrl(fields: Form): string | undefined {
  const [url, uri] = [fields.get('redirect_url'), fields.get('redirect_uri')]
  if (url !== undefined && uri !== undefined && url !== uri) {
    throw new ApiError('INVALID_REQUEST', 'redirect_url and redirect_uri differ')
  }
  return url ?? uri
}
