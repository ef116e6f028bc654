import ISO6391 from 'iso-639-1'
import type { Role } from '../../shared/rules/roles.ts'
import { toJson } from '../db/json.ts'
import type { User } from '../db/tables/users.ts'
import type { Tx } from '../db/tables.ts'
import { invalid } from '../errors.ts'
import { type Manager, requireReach } from './caller.ts'
import { instanceIds, listInstanceKeys } from './store.ts'

interface GivenAccess {
  role?: Role | undefined
  instances?: readonly string[] | null | undefined
  languages?: readonly string[] | null | undefined
}

type AccessColumns = Pick<User, 'role' | 'instances' | 'languages'>

/**
 * Returns the access of a user once the given members are applied. Throws a 400 ApiError for an unknown
 * instance or language and for languages of another role than editor, and a 403 ApiError for instances
 * that the manager cannot open.
 */
export async function changedAccess(
  tx: Tx,
  manager: Manager,
  stored: AccessColumns,
  given: GivenAccess,
): Promise<AccessColumns> {
  const role = given.role ?? stored.role
  const languages = parseLanguages(role, given.languages)
  const kept = role === 'EDITOR' ? stored.languages : null
  const instances =
    given.instances === undefined
      ? instanceIds(stored)
      : await parseInstances(tx, manager, given.instances)
  requireReach(
    manager,
    instances,
    'user.instances must name only instances that you can open yourself',
  )
  return {
    role,
    instances: toJson(instances),
    languages: languages === undefined ? kept : toJson(languages),
  }
}

async function parseInstances(
  tx: Tx,
  { merchantId }: Manager,
  keys: readonly string[] | null,
): Promise<string[] | null> {
  if (keys === null) return null
  const known = new Map(
    (await listInstanceKeys(tx, merchantId)).map(({ id, key }) => [key, id] as const),
  )
  const ids = keys.map((key, at) => {
    const id = known.get(key)
    if (id === undefined)
      throw invalid(`user.instances.${at}`, 'is not an instance of the merchant')
    return id
  })
  return [...new Set(ids)].toSorted()
}

function parseLanguages(
  role: Role,
  languages: readonly string[] | null | undefined,
): string[] | null | undefined {
  if (languages == null) return languages
  if (role !== 'EDITOR') throw invalid('user.languages', 'applies to the role EDITOR only')
  for (const [at, code] of languages.entries()) {
    if (code !== 'default' && !ISO6391.validate(code)) {
      throw invalid(`user.languages.${at}`, 'must be an ISO 639-1 code or default')
    }
  }
  return [...new Set(languages)].toSorted()
}
