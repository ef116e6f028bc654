import type { Strings } from '../../shared/rules/wording.ts'
import { SHIPPED } from './shipped.ts'

/** Where a wording comes from (specification: Strings, rule 2; contract section 14.2). */

/** A scope that a merchant writes wording for. `branding` is empty for the instance itself. */
export interface Scope {
  branding: string
  language: string
}

/** A merchant's rows by scope; a missing scope has none. */
export type Rows = (scope: Scope) => Strings | undefined

/** One place to look for a wording. `own` marks the merchant's row of the very scope asked for. */
interface Layer {
  strings: Strings | undefined
  source: 'MERCHANT' | 'SHIPPED'
  language: string
  own: boolean
}

/**
 * The payer's language first, the base wording after it; inside one language a branding beats the
 * instance, and merchant wording beats shipped wording. This array is the whole of the order.
 */
const INHERITANCE: readonly ((scope: Scope, rows: Rows) => Layer)[] = [
  ({ branding, language }, rows) => merchant({ branding, language }, rows),
  ({ language }, rows) => merchant({ branding: '', language }, rows),
  ({ language }) => shipped(language),
  ({ branding }, rows) => merchant({ branding, language: 'default' }, rows),
  (_scope, rows) => merchant({ branding: '', language: 'default' }, rows),
  () => shipped('default'),
]

function merchant(scope: Scope, rows: Rows): Layer {
  return { strings: rows(scope), source: 'MERCHANT', language: scope.language, own: false }
}

function shipped(language: string): Layer {
  return { strings: SHIPPED[language], source: 'SHIPPED', language, own: false }
}

/** The layers of a scope, strongest first. */
export function layersOf(scope: Scope, rows: Rows): Layer[] {
  const layers = INHERITANCE.map((layer) => layer(scope, rows))
  const [own, ...rest] = layers as [Layer, ...Layer[]]
  return [{ ...own, own: true }, ...rest]
}

/** The wording of an id in a scope, and what it would inherit without its own row. */
export interface Resolved {
  text: string
  /** What an override at this very scope replaces; undefined when none stands here. */
  overriding: string | undefined
  /** What this scope inherits, whether or not an override stands. */
  inherited: string
  /** A shipped translation whose base wording the merchant has changed. */
  stale: boolean
}

/** Resolves one id; undefined when no layer has it. */
export function resolveString(layers: readonly Layer[], id: string): Resolved | undefined {
  const having = layers.filter(({ strings }) => strings !== undefined && Object.hasOwn(strings, id))
  const own = having.find((layer) => layer.own)
  const first = having.find((layer) => !layer.own)
  if (!own && !first) return undefined
  const inherited = first?.strings?.[id] ?? ''
  const baseChanged = having.some(
    ({ source, language }) => source === 'MERCHANT' && language === 'default',
  )
  const translated = !own && first?.source === 'SHIPPED' && first.language !== 'default'
  return {
    text: own?.strings?.[id] ?? inherited,
    overriding: own ? inherited : undefined,
    inherited,
    stale: translated && baseChanged,
  }
}

/** Every id that a scope has, each with its wording: what `resolveString` says, for all at once. */
export function resolveAll(layers: readonly Layer[]): Strings {
  const resolved: Record<string, string> = {}
  for (const { strings } of layers.toReversed()) Object.assign(resolved, strings)
  return resolved
}
