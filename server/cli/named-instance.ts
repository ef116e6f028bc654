import type { Instance } from '../db/tables/instances.ts'
import type { Db } from '../db/tables.ts'
import { findInstanceByNames } from '../instances/store.ts'

/** The options that select an instance. The first merchant and its first instance by default. */
export interface InstanceSelector {
  merchant?: string | undefined
  instance?: string | undefined
}

export async function getNamedInstance(
  db: Db,
  { merchant, instance: key }: InstanceSelector,
): Promise<Instance> {
  const instance = await findInstanceByNames(db, merchant, key)
  if (instance) return instance
  const keyText = key === undefined ? '' : ` with the key "${key}"`
  throw new Error(
    `${merchant ?? 'The first merchant'} has no instance${keyText}; \`npx checkstand instance list\` ` +
      'lists all, and `npx checkstand instance create` creates one',
  )
}
