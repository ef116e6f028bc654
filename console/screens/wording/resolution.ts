import {
  layersOf,
  resolveString,
  type StringLayer,
  type StringScope,
} from '../../../shared/rules/inherit.ts'
import { listIds } from '../../../shared/rules/string-ids.ts'
import type { Strings } from '../../../shared/rules/wording.ts'
import { type Change, isSame, type Sentence } from './draft.ts'

/** A text of the merchant's own, as it is published. */
export interface OverrideRow {
  id: string
  language: string
  branding?: string | null
  text: string
}

/** What the page says where, with a draft over what is published. */
export interface Resolution {
  /** Every id of a scope with its text. */
  texts: (scope: StringScope) => Strings
  /** The ids of a scope that have a text of the merchant's own, drafted or published. */
  own: (scope: StringScope) => string[]
  /** The layers that an id is looked up in, strongest first, and which of them is shown. */
  layers: (
    scope: StringScope,
    id: string,
  ) => { layer: StringLayer; text: string | undefined; shown: boolean }[]
  /** The text without one of the scope's own. */
  inherited: (scope: StringScope, id: string) => string
  /** The merchant's own text that is published for exactly this scope; null for none. */
  publishedText: (sentence: Sentence) => string | null
  isStale: (scope: StringScope, id: string) => boolean
  ids: (language: string) => string[]
}

/** Resolves as the server does: with the same function, from the same rows. */
export function createResolution(
  rows: readonly OverrideRow[],
  changes: readonly Change[],
  shipped: Readonly<Record<string, Strings>>,
): Resolution {
  const scopes = new Map<string, Record<string, string>>()
  const keyOf = ({ branding, language }: StringScope) => `${branding}|${language}`
  const stringsOf = (scope: StringScope) => {
    const key = keyOf(scope)
    const known = scopes.get(key) ?? {}
    scopes.set(key, known)
    return known
  }
  for (const { id, language, branding, text } of rows) {
    stringsOf({ branding: branding ?? '', language })[id] = text
  }
  for (const { id, text, ...scope } of changes) {
    const strings = stringsOf(scope)
    if (text === null) delete strings[id]
    else strings[id] = text
  }
  const lookup = (scope: StringScope): Strings | undefined => scopes.get(keyOf(scope))
  const base = shipped['default'] ?? {}
  const layersFor = (scope: StringScope) => layersOf(scope, lookup, (language) => shipped[language])

  return {
    texts(scope) {
      const layers = layersFor(scope)
      return Object.fromEntries(
        listIds(base, scope.language).map((id) => [id, resolveString(layers, id)?.text ?? '']),
      )
    },
    own: (scope) => Object.keys(lookup(scope) ?? {}),
    layers(scope, id) {
      const { own, inherited } = layersFor(scope)
      // The base strings inherit from themselves.
      const names = new Set<string>()
      const distinct = [own, ...inherited].filter(({ source, branding, language }) => {
        const name = `${source}|${branding}|${language}`
        return !names.has(name) && names.add(name)
      })
      let isFound = false
      return distinct.map((layer) => {
        const text = layer.strings?.[id]
        const shown = !isFound && text !== undefined
        isFound ||= shown
        return { layer, text, shown }
      })
    },
    inherited: (scope, id) => resolveString(layersFor(scope), id)?.inherited ?? '',
    publishedText: (sentence) =>
      rows.find((row) => isSame({ ...row, branding: row.branding ?? '' }, sentence))?.text ?? null,
    isStale: (scope, id) => resolveString(layersFor(scope), id)?.stale ?? false,
    ids: (language) => listIds(base, language),
  }
}
