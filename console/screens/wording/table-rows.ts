import type { StringScope } from '../../../shared/rules/inherit.ts'
import { type Change, isSame } from './sentence.ts'
import type { Resolution } from './resolution.ts'

/** Which sentences the table shows. */
export const TABLE_FILTERS = [
  'all',
  'own',
  'stale',
  'upgraded',
  'missing',
  'draft',
  'state',
] as const

export type TableFilter = (typeof TABLE_FILTERS)[number]

/**
 * Returns the ids of the sentences that match in at least one of the shown languages, in their order.
 * A text is searched for in all `searched` languages, beside the ids and what sentences are for.
 */
export function tableRows({
  resolution,
  changes,
  branding,
  languages,
  searched,
  search,
  filter,
  isInState,
  noteOf,
}: {
  resolution: Resolution
  changes: readonly Change[]
  branding: string
  languages: readonly string[]
  searched: readonly string[]
  search: string
  filter: TableFilter
  isInState: (id: string) => boolean
  noteOf: (id: string) => string
}): string[] {
  const scopes = languages.map((language): StringScope => ({ branding, language }))
  const ids = [...new Set(languages.flatMap(resolution.ids))].toSorted((a, b) => (a < b ? -1 : 1))
  const own = new Map(scopes.map((scope) => [scope.language, new Set(resolution.own(scope))]))
  const isShown: Record<TableFilter, (scope: StringScope, id: string) => boolean> = {
    all: () => true,
    own: ({ language }, id) => own.get(language)?.has(id) === true,
    stale: (scope, id) => resolution.stale(scope, id) !== undefined,
    upgraded: (scope, id) => resolution.stale(scope, id) === 'SHIPPED_CHANGED',
    missing: (scope, id) => isFromBase(resolution, scope, id),
    draft: (scope, id) => changes.some((change) => isSame(change, { ...scope, id })),
    state: (_scope, id) => isInState(id),
  }
  const wanted = search.trim().toLowerCase()
  return ids.filter((id) => {
    if (!scopes.some((scope) => isShown[filter](scope, id))) return false
    if (wanted === '' || `${id} ${noteOf(id)}`.toLowerCase().includes(wanted)) return true
    return searched.some((language) =>
      resolution.text({ branding, language }, id).toLowerCase().includes(wanted),
    )
  })
}

/** Whether a language says nothing of its own, so that payers read the base text. */
function isFromBase(resolution: Resolution, scope: StringScope, id: string): boolean {
  if (scope.language === 'default' || !resolution.ids(scope.language).includes(id)) return false
  const shown = resolution.layers(scope, id).find((layer) => layer.shown)
  return shown === undefined || shown.layer.language !== scope.language
}
