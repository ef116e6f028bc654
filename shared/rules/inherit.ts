import { otherFormId } from './string-ids.ts'
import type { Strings } from './wording.ts'

/**
 * Which text of a string applies, where several scopes have one. The server and the console's editor use
 * the same functions.
 */

/** `branding` is empty for the instance itself; `language` is two letters or `default`. */
export interface StringScope {
  branding: string
  language: string
}

/** Returns the merchant's strings of one scope. */
export type StringLookup = (scope: StringScope) => Strings | undefined

/** Returns the shipped strings of a language. Those of `default` are the English catalog. */
export type ShippedLookup = (language: string) => Strings | undefined

export interface StringLayer extends StringScope {
  strings: Strings | undefined
  source: 'MERCHANT' | 'SHIPPED'
}

/**
 * The order of inheritance, strongest first: the language before the base strings, and within each
 * the branding, the instance and the shipped strings.
 */
const INHERITANCE: readonly ((
  scope: StringScope,
  rows: StringLookup,
  shipped: ShippedLookup,
) => StringLayer)[] = [
  ({ branding, language }, rows) => merchantLayer({ branding, language }, rows),
  ({ language }, rows) => merchantLayer({ branding: '', language }, rows),
  ({ language }, _rows, shipped) => shippedLayer(language, shipped),
  ({ branding }, rows) => merchantLayer({ branding, language: 'default' }, rows),
  (_scope, rows) => merchantLayer({ branding: '', language: 'default' }, rows),
  (_scope, _rows, shipped) => shippedLayer('default', shipped),
]

function merchantLayer(scope: StringScope, rows: StringLookup): StringLayer {
  const { branding, language } = scope
  return { strings: rows(scope), source: 'MERCHANT', branding, language }
}

function shippedLayer(language: string, shipped: ShippedLookup): StringLayer {
  return { strings: shipped(language), source: 'SHIPPED', branding: '', language }
}

export interface StringLayers {
  own: StringLayer
  /** Strongest first, without the scope's own strings. */
  inherited: readonly StringLayer[]
  /** The shipped English catalog. */
  base: Strings
}

/** Returns the layers in which the strings of a scope are looked up. */
export function layersOf(
  scope: StringScope,
  rows: StringLookup,
  shipped: ShippedLookup,
): StringLayers {
  const isOwn = (layer: StringLayer) =>
    layer.source === 'MERCHANT' &&
    layer.branding === scope.branding &&
    layer.language === scope.language
  return {
    own: merchantLayer(scope, rows),
    inherited: INHERITANCE.map((layer) => layer(scope, rows, shipped)).filter(
      (layer) => !isOwn(layer),
    ),
    base: shipped('default') ?? {},
  }
}

export interface ResolvedString {
  text: string
  /** The text that an override of this scope replaces; undefined without an override. */
  overriding: string | undefined
  /** The text without an override of this scope. */
  inherited: string
  /** Whether this is a shipped translation of a base text that the merchant has changed. */
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
  const other = first ? undefined : otherFormId(layers.base, id)
  const inherited =
    first?.strings?.[id] ?? (other === undefined ? undefined : resolveString(layers, other)?.text)
  if (inherited === undefined) return undefined
  const baseChanged = layers.inherited.some((layer) => isBaseChange(layers, layer, id))
  const translated = first?.source === 'SHIPPED' && first.language !== 'default'
  return {
    text: own ?? inherited,
    overriding: own === undefined ? undefined : inherited,
    inherited,
    stale: own === undefined && translated && baseChanged,
  }
}

/** Returns whether a layer is the merchant's change of the base text of an id. */
export function isBaseChange(
  layers: StringLayers,
  { source, language, strings }: StringLayer,
  id: string,
): boolean {
  if (source !== 'MERCHANT' || language !== 'default' || strings === undefined) return false
  return Object.hasOwn(strings, baseIdOf(layers, id))
}

/** Returns the id of the base text: English lacks some plural forms of other languages. */
export function baseIdOf({ base }: Pick<StringLayers, 'base'>, id: string): string {
  return Object.hasOwn(base, id) ? id : (otherFormId(base, id) ?? id)
}

/** Resolves all ids of a scope at once, to the same texts as `resolveString`. */
export function resolveAll({ own, inherited }: StringLayers): Strings {
  const resolved: Record<string, string> = {}
  for (const { strings } of [own, ...inherited].toReversed()) Object.assign(resolved, strings)
  return resolved
}
