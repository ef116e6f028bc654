import type { StringRecord } from '../../shared/schemas/string.ts'
import type { Deps } from '../deps.ts'
import { type ListMeta, listMetaOf, type Pagination } from '../http/list-query.ts'
import type { Instance } from '../instances/store.ts'
import { SETS, idsIn, isSet, setOf } from './catalog.ts'
import { stringLayers, type Scope } from './resolve.ts'
import { offeredLanguages } from './languages.ts'
import { serializeString } from './serialize.ts'
import { checkScope, refused } from './save.ts'
import { readRows } from './store.ts'

export interface StringsQuery extends Pagination {
  scope: Scope
  set: string | undefined
  overridden: boolean | undefined
}

export interface StringsPage {
  strings: StringRecord[]
  meta: ListMeta & { languages: string[]; sets: string[] }
}

/** The strings that can be replaced in a scope, in the order of their ids. */
export async function listStrings(
  deps: Deps,
  instance: Instance,
  query: StringsQuery,
): Promise<StringsPage> {
  checkScope(instance, query.scope, '')
  if (query.set !== undefined && !isSet(query.set)) {
    throw refused('SVC-7002', `set must be one of ${SETS.join(', ')}`)
  }
  const layers = stringLayers(query.scope, await readRows(deps.db, instance.id, query.scope))
  const records = idsIn(query.scope.language)
    .filter((id) => query.set === undefined || setOf(id) === query.set)
    .map((id) => serializeString(query.scope, layers, id))
    .filter(({ overriding }) => {
      if (query.overridden === undefined) return true
      return query.overridden === (overriding !== undefined)
    })
  return {
    strings: records.slice(query.offset, query.offset + query.limit),
    meta: {
      ...listMetaOf(query, records.length),
      languages: await offeredLanguages(deps, instance),
      sets: [...SETS],
    },
  }
}
