import type { Instance } from '../db/rows.ts'
import { originAllowed } from '../../shared/rules/embed-origin.ts'
import { isPlainOrigin } from '../../shared/rules/plain-origin.ts'
import { conditionIn, type Scheme, SCHEME_RULE } from '../../shared/rules/scheme.ts'
import { fromJson } from '../db/json.ts'
import { invalid } from '../errors.ts'

/** The payment page inside a merchant's own page (contract section 18). */

/** The origins that the instance allows, as a page's model and policy carry them. */
export function allowedOrigins(instance: Instance): string[] {
  const stored = fromJson<string[]>(instance.allowed_origins) ?? []
  return stored.filter((origin) => isPlainOrigin(origin.replace('://*.', '://')))
}

/**
 * The origin that a page says it is embedded in, for the session's record; null for a page of its
 * own. It is the page's word, and the browser's refusal to frame it elsewhere is the guard; an origin
 * that could never have framed it is still refused.
 */
export function checkEmbeddedOrigin(instance: Instance, said: string | undefined): string | null {
  if (said === undefined) return null
  if (originAllowed(said, allowedOrigins(instance))) return said
  throw invalid('embedded_origin', 'is not one of the allowed origins of this instance')
}

/**
 * The page's style sheet followed by the merchant's theme, in the colour scheme of the page around
 * it; undefined for a page of its own. The first view has it right by this, before any script runs. A
 * theme that has one scheme only keeps it.
 */
export function applyColorScheme(css: string, theme: string, around: Scheme | undefined): string {
  if (around === undefined) return css + theme
  const follow = (text: string) =>
    text.replace(/(@media )([^{]*)/g, (_, at, condition) => at + conditionIn(around, condition))
  return `${follow(css)}${SCHEME_RULE}{color-scheme:${around || 'light dark'}}${follow(theme)}`
}
