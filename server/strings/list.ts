import type { Instance } from '../db/tables/instances.ts'
import type { StringRecord } from '../../shared/schemas/string.ts'
import type { Deps } from '../deps.ts'
import { type ListMeta, listMetaOf, type Pagination } from '../http/list-query.ts'
import { SETS, isSet, parseSet } from '../../shared/rules/string-ids.ts'
import { listIds } from './catalog.ts'
import type { StringScope } from '../../shared/rules/inherit.ts'
import { getOfferedLanguages } from './languages.ts'
import { readScope } from './serialize.ts'
import { requireScope, stringsError } from './scope.ts'

export interface StringsQuery extends Pagination {
  scope: StringScope
  set: string | undefined
  overridden: boolean | undefined
  stale: boolean | undefined
}

export interface StringsPage {
  strings: StringRecord[]
  meta: ListMeta & { version: number; languages: string[]; sets: string[] }
}

/** Lists the strings that can be overridden in a scope, ordered by id. */
export async function listStrings(
  deps: Deps,
  instance: Instance,
  query: StringsQuery,
): Promise<StringsPage> {
  requireScope(instance, query.scope, '')
  if (query.set !== undefined && !isSet(query.set)) {
    throw stringsError('SVC-7002', `set must be one of ${SETS.join(', ')}`)
  }
  const recordOf = await readScope(deps.db, instance.id, query.scope)
  const records = listIds(query.scope.language)
    .filter((id) => query.set === undefined || parseSet(id) === query.set)
    .map(recordOf)
    .filter(({ overriding, stale }) => {
      const { overridden = overriding !== undefined } = query
      return (
        overridden === (overriding !== undefined) &&
        (query.stale === undefined || query.stale === (stale ?? false))
      )
    })
  return {
    strings: records.slice(query.offset, query.offset + query.limit),
    meta: {
      ...listMetaOf(query, records.length),
      version: instance.strings_version,
      languages: await getOfferedLanguages(deps, instance),
      sets: [...SETS],
    },
  }
}
