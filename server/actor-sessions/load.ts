import type { LoadMany } from '../http/expand.ts'
import { serializeActorSession } from './serialize.ts'

/** For `expand=created_session,updated_session` (contract sections 13 and 15.4). */
export const loadActorSessions: LoadMany = async ({ db }, instanceId, ids) => {
  const rows = await db
    .selectFrom('actor_sessions')
    .selectAll()
    .where('id', 'in', ids)
    .where('instance_id', '=', instanceId)
    .execute()
  return new Map(rows.map((row) => [row.id, serializeActorSession(row)]))
}
