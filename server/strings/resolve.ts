import type { Strings } from '../../shared/rules/wording.ts'
import { otherFormId } from './catalog.ts'
import { DEFAULT_CATALOG } from './default-catalog.ts'

/** `branding` is empty for the instance itself. */
export interface StringScope {
  branding: string
  language: string
}

/** Returns the merchant's strings of one scope. */
export type StringLookup = (scope: StringScope) => Strings | undefined

interface StringLayer extends StringScope {
  strings: Strings | undefined
  source: 'MERCHANT' | 'SHIPPED'
}

/**
 * The order of inheritance, strongest first: the language before the base strings, and within each
 * the branding, the instance and the default catalog.
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

export interface StringLayers {
  own: StringLayer
  /** Strongest first, without the scope's own strings. */
  inherited: readonly StringLayer[]
}

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

export interface ResolvedString {
  text: string
  /** The text that an override of this scope replaces; undefined without an override. */
  overriding: string | undefined
  /** The text without an override of this scope. */
  inherited: string
  /** Whether this is a default translation of a base text that the merchant has changed. */
  stale: boolean
}

/**
 * Resolves one id, or returns undefined when no layer has it. A plural form without a text resolves to
 * that of `_other`.
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

/** Resolves all ids of a scope at once, to the same texts as `resolveString`. */
export function resolveAll({ own, inherited }: StringLayers): Strings {
  const resolved: Record<string, string> = {}
  for (const { strings } of [own, ...inherited].toReversed()) Object.assign(resolved, strings)
  return resolved
}
