import type { ClientRow } from '../db/rows.ts'
import { holdsCardNumber } from '../../shared/rules/card-in-text.ts'
import { plainOrigin } from '../../shared/rules/plain-origin.ts'
import { redirectTargetProblem } from '../../shared/rules/redirect-target.ts'
import { NO_CARD_NUMBER, URL_MAX } from '../../shared/schemas/common.ts'
import type { Form } from '../http/form.ts'
import { ApiError } from '../errors.ts'

/**
 * Addresses that platforms are answered at: what may be registered, and which one a request names
 * (safety section 1, rule 5).
 */

/** What we append; an address that has one of them already would carry it twice. */
const OURS = ['code', 'state', 'error', 'error_description']

/** The rule that an address breaks, or null. Plain http is for development on one's own machine. */
export function redirectUriError(url: string, development: boolean): string | null {
  const problem = redirectTargetProblem(url, false)
  if (problem !== null) return problem
  if (url.length > URL_MAX) return `must be at most ${URL_MAX} characters`
  if (holdsCardNumber(url)) return NO_CARD_NUMBER.error
  if (url.includes('#')) return 'may not have a fragment'
  const { protocol, hostname, searchParams } = new URL(url)
  const taken = OURS.find((name) => searchParams.has(name))
  if (taken !== undefined) return `may not have a parameter ${taken}, which the answer adds`
  // A policy cannot name one, and without it Chrome would not let the answer through.
  if (hostname.startsWith('[')) return 'must name its host, not an IPv6 address'
  if (plainOrigin(url) === null) return 'must have a host of letters, digits, dots, - and _'
  if (protocol === 'http:' && !development)
    return 'may be plain http for development only (--development)'
  return null
}

export function registeredRedirectUrls(client: Pick<ClientRow, 'redirect_urls'>): string[] {
  return JSON.parse(client.redirect_urls) as string[]
}

/**
 * The address in a request: `redirect_url`, or `redirect_uri` as most libraries call it. Throws a
 * 400 ApiError when both are there and differ.
 */
export function readRedirectUrl(fields: Form): string | undefined {
  const [url, uri] = [fields.get('redirect_url'), fields.get('redirect_uri')]
  if (url !== undefined && uri !== undefined && url !== uri) {
    throw new ApiError('INVALID_REQUEST', 'redirect_url and redirect_uri differ')
  }
  return url ?? uri
}
