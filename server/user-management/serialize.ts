import type { UserRecord } from '../../shared/schemas/user.ts'
import type { UserSessionRecord } from '../../shared/schemas/user-session.ts'
import { fromJson } from '../db/json.ts'
import type { User, UserSession } from '../db/tables/users.ts'
import type { Db, Tx } from '../db/tables.ts'
import { instanceIds, listFactorKinds, listInstanceKeys } from './store.ts'

/** Returns users of one merchant as the API shows them, in their order. */
export async function serializeUsers(db: Db | Tx, rows: readonly User[]): Promise<UserRecord[]> {
  const [first] = rows
  if (!first) return []
  const instances = await listInstanceKeys(db, first.merchant_id)
  const keys = new Map(instances.map(({ id, key }) => [id, key]))
  const factors = await listFactorKinds(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    instances: instanceIds(row)?.map((id) => keys.get(id) ?? id) ?? null,
    languages: fromJson<string[]>(row.languages),
    factors: factors.filter(({ user_id }) => user_id === row.id).map(({ kind }) => kind),
    invitation: row.invitation_expires === null ? null : { expires: row.invitation_expires },
    last_seen: row.last_seen,
    disabled: row.disabled !== null,
    created: row.created,
    v: row.v,
  }))
}

export async function serializeUser(db: Db | Tx, row: User): Promise<UserRecord> {
  const [record] = await serializeUsers(db, [row])
  return record as UserRecord
}

/** `current` is the id of the caller's own session. */
export function serializeUserSession(
  row: UserSession,
  current: string | undefined,
): UserSessionRecord {
  return {
    id: row.id,
    user: row.user_id,
    current: row.id === current,
    factors: (row.factors ?? 'PASSWORD').split(' ') as UserSessionRecord['factors'],
    ip: row.ip,
    user_agent: row.user_agent,
    created: row.created,
    last_seen: row.last_seen,
    expires: row.expires,
  }
}
