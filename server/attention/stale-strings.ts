import type { StringScope } from '../../shared/rules/inherit.ts'
import { createCache, getOrLoad, perDatabase } from '../cache.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import { acksVersion } from '../strings/ack-store.ts'
import { listIds } from '../strings/catalog.ts'
import { getOfferedLanguages } from '../strings/languages.ts'
import { readScope } from '../strings/serialize.ts'
import { listStringBrandings } from '../strings/store.ts'

export interface StaleStrings {
  count: number
  /** The scope with the most; undefined if nothing is stale. */
  most: StringScope | undefined
}

const counts = perDatabase(() => createCache<Promise<StaleStrings>>(1000))

/**
 * Counts the stale strings of all offered languages, for the instance and for each branding that has
 * strings of its own. Cached until a string or an acknowledgement changes, because it resolves every string.
 */
export async function countStaleStrings(deps: Deps, instance: Instance): Promise<StaleStrings> {
  const acks = await acksVersion(deps.db, instance.id)
  const key = `${instance.id}/${instance.strings_version}/${instance.languages ?? ''}/${acks}`
  return getOrLoad(counts(deps.db), key, () => resolveAll(deps, instance))
}

async function resolveAll(deps: Deps, instance: Instance): Promise<StaleStrings> {
  let count = 0
  let highest = 0
  let most: StringScope | undefined
  const brandings = ['', ...(await listStringBrandings(deps.db, instance.id))]
  for (const language of await getOfferedLanguages(deps, instance)) {
    for (const branding of brandings) {
      const scope = { branding, language }
      const recordOf = await readScope(deps.db, instance.id, scope)
      const stale = listIds(language).filter((id) => recordOf(id).stale).length
      count += stale
      if (stale > highest) [highest, most] = [stale, scope]
    }
  }
  return { count, most }
}
