import type { Strings } from '../../shared/rules/wording.ts'
import { otherFormId } from './catalog.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

/** Where a wording comes from (specification: Strings, rule 2; contract section 14.2). */

/** A scope that a merchant writes wording for. `branding` is empty for the instance itself. */
export interface StringScope {
  branding: string
  language: string
}

/** A merchant's rows by scope; a missing scope has none. */
export type StringLookup = (scope: StringScope) => Strings | undefined

/** One place to look for a wording. */
interface StringLayer extends StringScope {
  strings: Strings | undefined
  source: 'MERCHANT' | 'SHIPPED'
}

/**
 * The payer's language first, the base wording after it; inside one language a branding beats the
 * instance, and merchant wording beats shipped wording. This array is the whole of the order.
 */
const INHERITANCE: readonly ((scope: StringScope, rows: StringLookup) => StringLayer)[] = [
  ({ branding, language }, rows) => merchant({ branding, language }, rows),
  ({ language }, rows) => merchant({ branding: '', language }, rows),
  ({ language }) => shipped(language),
  ({ branding }, rows) => merchant({ branding, language: 'default' }, rows),
  (_scope, rows) => merchant({ branding: '', language: 'default' }, rows),
  () => shipped('default'),
]

function merchant(scope: StringScope, rows: StringLookup): StringLayer {
  return { strings: rows(scope), source: 'MERCHANT', ...scope }
}

function shipped(language: string): StringLayer {
  return { strings: DEFAULT_CATALOG[language], source: 'SHIPPED', branding: '', language }
}

/** The places that a scope's wording comes from: its own rows, and what stands behind them. */
export interface StringLayers {
  own: StringLayer
  /** Strongest first, and never the scope's own rows again: nothing inherits from itself. */
  inherited: readonly StringLayer[]
}

/** The layers of a scope. */
export function stringLayers(scope: StringScope, rows: StringLookup): StringLayers {
  const isOwn = (layer: StringLayer) =>
    layer.source === 'MERCHANT' &&
    layer.branding === scope.branding &&
    layer.language === scope.language
  return {
    own: merchant(scope, rows),
    inherited: INHERITANCE.map((layer) => layer(scope, rows)).filter((layer) => !isOwn(layer)),
  }
}

/** The wording of an id in a scope, and what it would inherit without its own row. */
export interface ResolvedString {
  text: string
  /** What an override at this very scope replaces; undefined when none stands here. */
  overriding: string | undefined
  /** What this scope inherits, whether or not an override stands. */
  inherited: string
  /** A shipped translation whose base wording the merchant has changed. */
  stale: boolean
}

/**
 * Resolves one id; undefined when no layer has it. A plural form without wording reads as the form
 * `_other` does, as it is shown.
 */
export function resolveString(layers: StringLayers, id: string): ResolvedString | undefined {
  const has = ({ strings }: StringLayer) => strings !== undefined && Object.hasOwn(strings, id)
  const own = has(layers.own) ? layers.own.strings?.[id] : undefined
  const having = layers.inherited.filter(has)
  const first = having[0]
  const other = first ? undefined : otherFormId(id)
  const inherited =
    first?.strings?.[id] ?? (other === undefined ? undefined : resolveString(layers, other)?.text)
  if (inherited === undefined) return undefined
  const baseChanged = having.some(
    ({ source, language }) => source === 'MERCHANT' && language === 'default',
  )
  const translated = first?.source === 'SHIPPED' && first.language !== 'default'
  return {
    text: own ?? inherited,
    overriding: own === undefined ? undefined : inherited,
    inherited,
    stale: own === undefined && translated && baseChanged,
  }
}

/** Every id that a scope has, each with its wording: what `resolveString` says, for all at once. */
export function resolveAll({ own, inherited }: StringLayers): Strings {
  const resolved: Record<string, string> = {}
  for (const { strings } of [own, ...inherited].toReversed()) Object.assign(resolved, strings)
  return resolved
}
