import { ofInstanceById } from '../db/by-ids.ts'
import type { LoadMany } from '../http/expand.ts'
import { actorSessionRecord } from './record.ts'

/** For `expand=created_session,updated_session` (contract sections 13 and 15.4). */
export const loadActorSessions: LoadMany = async ({ db }, instanceId, ids) => {
  const rows = await db
    .selectFrom('actor_sessions')
    .selectAll()
    .where(ofInstanceById('actor_sessions', instanceId, ids))
    .execute()
  return new Map(rows.map((row) => [row.id, actorSessionRecord(row)]))
}
