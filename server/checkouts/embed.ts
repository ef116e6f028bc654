import { originAllowed } from '../../shared/rules/embed-origin.ts'
import { fromJson } from '../db/json.ts'
import { invalid } from '../http/refusal.ts'
import type { Instance } from '../instances/store.ts'

/** Who may show the payment page inside a page of their own (contract section 18). */

/** The origins that the instance allows, as a page's model and policy carry them. */
export function embedOrigins(instance: Instance): string[] {
  return fromJson<string[]>(instance.allowed_origins) ?? []
}

/**
 * The origin that a page says it is embedded in, for the session's record; null for a page of its
 * own. It is the page's word, and the browser's refusal to frame it elsewhere is the guard; an origin
 * that could never have framed it is still refused.
 */
export function embeddedOrigin(instance: Instance, said: string | undefined): string | null {
  if (said === undefined) return null
  if (originAllowed(said, embedOrigins(instance))) return said
  throw invalid('embedded_origin', 'is not one of the allowed origins of this instance')
}
