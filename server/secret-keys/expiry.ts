import { formatInstant, parseInstant } from '../../shared/rules/time.ts'
import { invalid, invalidState } from '../errors.ts'
import type { SecretKeyRow } from './store.ts'

/**
 * Returns the given expiry as an ISO time; null for none, undefined if it is not given. `now` is epoch
 * milliseconds. Throws a 400 ApiError for one that has passed.
 */
export function futureInstant(
  given: string | null | undefined,
  now: number,
): string | null | undefined {
  if (given == null) return given
  const at = parseInstant(given) as number
  if (at <= now) throw invalid('secret_key.expires', 'must be in the future')
  return formatInstant(at)
}

/** Throws a 400 ApiError for a key that is revoked or expired at `now`, epoch milliseconds. */
export function requireUsable(
  { revoked, expires }: Pick<SecretKeyRow, 'revoked' | 'expires'>,
  now: number,
): void {
  if (revoked !== null) throw invalidState('The secret key is revoked')
  if (expires !== null && expires <= formatInstant(now)) {
    throw invalidState('The secret key has expired')
  }
}
