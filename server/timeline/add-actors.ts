import type { TimelineEntry } from '../../shared/schemas/timeline.ts'
import type { Db } from '../db/tables.ts'
import type { NewEntry } from './entry.ts'

type Actor = NonNullable<TimelineEntry['actor']>

/**
 * Adds who did it: from the actor session of the record, or, for captures, refunds and voids, which keep
 * none, from the audit log, which has those of users.
 */
export async function addActors(
  db: Db,
  { instanceId, withNames }: { instanceId: string; withNames: boolean },
  entries: readonly NewEntry[],
): Promise<TimelineEntry[]> {
  const actors = new Map([
    ...(await actorsOfSessions(db, instanceId, entries)),
    ...(await auditedActors(db, instanceId, entries)),
  ])
  return entries.map(({ session, ...entry }) => {
    const actor = actors.get(session ?? operationOf(entry) ?? '') ?? null
    return { ...entry, actor: actor && !withNames ? { ...actor, name: null } : actor }
  })
}

/** Returns the id of a capture, refund or void. */
function operationOf({ ids }: Pick<NewEntry, 'ids'>): string | undefined {
  return ids['refund'] ?? ids['void'] ?? ids['capture']
}

async function actorsOfSessions(
  db: Db,
  instanceId: string,
  entries: readonly NewEntry[],
): Promise<[id: string, actor: Actor][]> {
  const sessions = [...new Set(entries.flatMap(({ session }) => session ?? []))]
  if (sessions.length === 0) return []
  const rows = await db
    .selectFrom('actor_sessions')
    .leftJoin('users', 'users.id', 'actor_sessions.user_id')
    .leftJoin('secret_keys', 'secret_keys.id', 'actor_sessions.key_id')
    .leftJoin('oauth_clients', 'oauth_clients.id', 'actor_sessions.client_id')
    .select(['actor_sessions.id', 'actor_sessions.type', 'actor_sessions.user_id'])
    .select(['actor_sessions.key_id', 'actor_sessions.client_id'])
    .select(['users.email', 'secret_keys.name as key', 'oauth_clients.name as client'])
    .where('actor_sessions.id', 'in', sessions)
    .where('actor_sessions.instance_id', '=', instanceId)
    .execute()
  return rows.map(({ id, type, user_id, key_id, client_id, email, key, client }) => [
    id,
    { type, id: user_id ?? key_id ?? client_id, name: email ?? key ?? client },
  ])
}

async function auditedActors(
  db: Db,
  instanceId: string,
  entries: readonly NewEntry[],
): Promise<[id: string, actor: Actor][]> {
  const operations = [...new Set(entries.flatMap((entry) => operationOf(entry) ?? []))]
  if (operations.length === 0) return []
  const rows = await db
    .selectFrom('audit')
    .select(['about', 'actor_id', 'actor_name'])
    .where('about', 'in', operations)
    .where('instance_id', '=', instanceId)
    .where('actor_type', '=', 'USER')
    .where('action', 'in', ['payment.captured', 'payment.refunded', 'payment.voided'])
    .execute()
  return rows.map(({ about, actor_id, actor_name }) => [
    about ?? '',
    { type: 'USER', id: actor_id, name: actor_name },
  ])
}
