import type { Instance } from '../db/tables/instances.ts'
import { originAllowed } from '../../shared/rules/embed-origin.ts'
import { isPlainOrigin } from '../../shared/rules/plain-origin.ts'
import { fromJson } from '../db/json.ts'
import { invalid } from '../errors.ts'

/** Returns the origins that may embed the instance's pages, without malformed ones. */
export function allowedOrigins(instance: Instance): string[] {
  const stored = fromJson<string[]>(instance.allowed_origins) ?? []
  return stored.filter((origin) => isPlainOrigin(origin.replace('://*.', '://')))
}

/**
 * Returns the origin that a page reports to be embedded in, or null for a page that is not embedded.
 * Throws INVALID_REQUEST for an origin that is not allowed. The report is for the record only:
 * the Content-Security-Policy enforces where a page may be embedded.
 */
export function checkEmbeddedOrigin(instance: Instance, origin: string | undefined): string | null {
  if (origin === undefined) return null
  if (originAllowed(origin, allowedOrigins(instance))) return origin
  throw invalid('embedded_origin', 'is not an allowed origin of this instance')
}
