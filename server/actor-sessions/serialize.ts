import type { ActorSessionRow } from '../db/tables/actor-sessions.ts'
import type { ActorSession } from '../../shared/schemas/actor-session.ts'

export function serializeActorSession(row: ActorSessionRow): ActorSession {
  return {
    id: row.id,
    type: row.type,
    user: row.user_id,
    client_id: row.client_id,
    checkout: row.checkout_id,
    ip: row.ip,
    user_agent: row.user_agent,
    created: row.created,
  }
}
