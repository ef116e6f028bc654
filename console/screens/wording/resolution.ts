import {
  baseIdOf,
  layersOf,
  resolveString,
  type StringLayer,
  type StringLayers,
  type StringScope,
} from '../../../shared/rules/inherit.ts'
import { type StaleReason, staleReason, type StringRow } from '../../../shared/rules/stale.ts'
import { listIds, stringStem } from '../../../shared/rules/string-ids.ts'
import type { Strings } from '../../../shared/rules/wording.ts'
import type { Change, Sentence } from './sentence.ts'
import type { AckRow, OverrideRow } from './overrides.ts'

/** What the page says where, with a draft over what is published. */
export interface Resolution {
  /** Every id of a scope with its text. */
  texts: (scope: StringScope) => Strings
  text: (scope: StringScope, id: string) => string
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
  /** Why a text may no longer say what it should; undefined once that was found right. */
  stale: (scope: StringScope, id: string) => StaleReason | undefined
  /** The ids of a scope that are stale, in their order. */
  staleIds: (scope: StringScope) => string[]
  ids: (language: string) => string[]
}

const LAST_INSTANT = '9999-12-31T23:59:59.999Z'

const scopeKey = ({ branding, language }: StringScope) => `${branding}|${language}`
const keyOf = (scope: StringScope, id: string) => `${scopeKey(scope)}|${id}`
const scopeOf = ({ branding, language }: OverrideRow | AckRow): StringScope => ({
  branding: branding ?? '',
  language,
})

/**
 * Resolves as the server does: with the same functions, from the same rows. `published` is what is shown
 * without `changes`; undefined when there are none.
 */
export function createResolution(
  { rows, acks }: { rows: readonly OverrideRow[]; acks: readonly AckRow[] },
  shipped: Readonly<Record<string, Strings>>,
  changes: readonly Change[] = [],
  published?: Resolution,
): Resolution {
  const scopes = new Map<string, Record<string, string>>()
  const stringsOf = (scope: StringScope) => {
    const key = scopeKey(scope)
    const known = scopes.get(key) ?? {}
    scopes.set(key, known)
    return known
  }
  const about = new Map<string, StringRow>()
  const publishedTexts = new Map<string, string>()
  for (const row of rows) {
    const scope = scopeOf(row)
    stringsOf(scope)[row.id] = row.text
    const key = keyOf(scope, row.id)
    publishedTexts.set(key, row.text)
    about.set(key, { updated: row.updated, shippedChanged: row.shipped_changed })
  }
  for (const { id, text, ...scope } of changes) {
    const strings = stringsOf(scope)
    if (text === null) delete strings[id]
    else strings[id] = text
    about.set(keyOf(scope, id), { updated: LAST_INSTANT, shippedChanged: false })
  }
  const foundRight = new Set(
    acks.filter(({ stale }) => !stale).map((ack) => keyOf(scopeOf(ack), ack.id)),
  )
  const base = shipped['default'] ?? {}

  const known = new Map<string, StringLayers>()
  function layersFor(scope: StringScope): StringLayers {
    const key = scopeKey(scope)
    const layers =
      known.get(key) ??
      layersOf(
        scope,
        (each) => scopes.get(scopeKey(each)),
        (language) => shipped[language],
      )
    known.set(key, layers)
    return layers
  }
  const text = (scope: StringScope, id: string) => resolveString(layersFor(scope), id)?.text ?? ''

  // What the changes do not touch is as published, which is resolved once.
  const stems = new Set(changes.map(({ id }) => stringStem(base, id)))
  const isTouched = (id: string) => stems.size > 0 && stems.has(stringStem(base, id))
  const knownIds = new Map<string, string[]>()
  const ids = (language: string): string[] =>
    published?.ids(language) ?? remember(knownIds, language, () => listIds(base, language))
  const knownTouched = new Map<string, ReadonlySet<string>>()
  const touchedIds = (language: string) =>
    remember(knownTouched, language, () => new Set(ids(language).filter(isTouched)))
  const knownStale = new Map<string, string[]>()
  const knownTexts = new Map<string, Strings>()
  const knownReasons = new Map<string, StaleReason | undefined>()

  function readTexts(scope: StringScope): Strings {
    if (!published) {
      return Object.fromEntries(ids(scope.language).map((id) => [id, text(scope, id)]))
    }
    const changed = [...touchedIds(scope.language)].map((id) => [id, text(scope, id)])
    return { ...published.texts(scope), ...Object.fromEntries(changed) }
  }

  function readReason(scope: StringScope, id: string): StaleReason | undefined {
    if (published && !isTouched(id)) return published.stale(scope, id)
    const reason = staleReason(layersFor(scope), id, (each, of) => about.get(keyOf(each, of)))
    if (reason === undefined || !foundRight.has(keyOf(scope, id))) return reason
    // What was found right is what is published.
    return !published || isSame(published, resolution, scope, id) ? undefined : reason
  }

  function readStaleIds(scope: StringScope): string[] {
    const before = published && new Set(published.staleIds(scope))
    const touched = touchedIds(scope.language)
    return ids(scope.language).filter((id) =>
      before && !touched.has(id) ? before.has(id) : resolution.stale(scope, id) !== undefined,
    )
  }

  const resolution: Resolution = {
    text,
    texts: (scope) => remember(knownTexts, scopeKey(scope), () => readTexts(scope)),
    own: (scope) => Object.keys(scopes.get(scopeKey(scope)) ?? {}),
    layers(scope, id) {
      const { own, inherited } = layersFor(scope)
      // The base strings inherit from themselves.
      const names = new Set<string>()
      const distinct = [own, ...inherited].filter((layer) => {
        const name = `${layer.source}|${scopeKey(layer)}`
        return !names.has(name) && names.add(name)
      })
      let isFound = false
      return distinct.map((layer) => {
        const said = layer.strings?.[id]
        const shown = !isFound && said !== undefined
        isFound ||= shown
        return { layer, text: said, shown }
      })
    },
    inherited: (scope, id) => resolveString(layersFor(scope), id)?.inherited ?? '',
    publishedText: (sentence) => publishedTexts.get(keyOf(sentence, sentence.id)) ?? null,
    stale: (scope, id) => remember(knownReasons, keyOf(scope, id), () => readReason(scope, id)),
    staleIds: (scope) => remember(knownStale, scopeKey(scope), () => readStaleIds(scope)),
    ids,
  }

  function isSame(one: Resolution, other: Resolution, scope: StringScope, id: string): boolean {
    const baseScope = { ...scope, language: 'default' }
    const baseId = baseIdOf({ base }, id)
    return (
      one.text(scope, id) === other.text(scope, id) &&
      one.text(baseScope, baseId) === other.text(baseScope, baseId)
    )
  }
  return resolution
}

/** Returns what is known of a key, which is found out once. */
function remember<Value>(known: Map<string, Value>, key: string, read: () => Value): Value {
  if (known.has(key)) return known.get(key) as Value
  const value = read()
  known.set(key, value)
  return value
}
