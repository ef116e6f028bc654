import type { Instance } from '../db/rows.ts'
import type { Db } from '../db/tables.ts'
import { findNamedInstance } from '../instances/store.ts'

/** The flags by which a command names an instance; the first one where they are left out. */
export interface InstanceSelector {
  merchant?: string | undefined
  instance?: string | undefined
}

/** Returns the instance that the flags name. Throws an error that says how to find or make it. */
export async function getNamedInstance(
  db: Db,
  { merchant, instance: key }: InstanceSelector,
): Promise<Instance> {
  const instance = await findNamedInstance(db, merchant, key)
  if (instance) return instance
  const named = key === undefined ? '' : ` with the key "${key}"`
  throw new Error(
    `${merchant ?? 'The first merchant'} has no instance${named}; \`npx checkstand instance list\` ` +
      'shows all, and `npx checkstand instance create` makes one',
  )
}
