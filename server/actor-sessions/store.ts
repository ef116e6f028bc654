import { createHash } from 'node:crypto'
import type { ActorSessionRow } from '../db/rows.ts'
import type { Db } from '../db/tables.ts'
import { withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { newId } from '../ids.ts'

/** Where somebody acts from: what the connection and the request say. */
export interface ClientInfo {
  ip?: string | undefined
  userAgent?: string | undefined
}

/** Who acts, and from where (contract section 13). */
export interface Actor extends ClientInfo {
  type: ActorSessionRow['type']
  /** What tells two callers of one type apart, such as the hash of a key; never the key itself. */
  credential?: string
  user?: string
  client?: string
  checkout?: string
}

/** What the server does by itself. */
export const SYSTEM: Actor = { type: 'SYSTEM' }

const REMEMBERED_MAX = 10_000
const TEXT_MAX = 512

/** Sessions that this process has met: most callers come again, and need no look. */
const remembered = new WeakMap<object, Map<string, string>>()

/**
 * The id of the actor's session, for `created_session` and `updated_session`. One session is one
 * actor, from one address with one program, on one day of UTC: enough to answer who it was, without
 * a row for every request.
 *
 * Writes on its own and outside any transaction of the caller, so it is called before one begins.
 */
export async function findOrCreateActorSession(
  { db, now }: { db: Db; now: () => number },
  instanceId: string,
  actor: Actor,
): Promise<string> {
  if (db.isTransaction) throw new Error('an actor session is looked up before a transaction begins')
  const created = formatInstant(now())
  const fingerprint = fingerprintOf(instanceId, actor, created.slice(0, 10))
  const known = remembered.get(db) ?? new Map<string, string>()
  remembered.set(db, known)
  const met = known.get(fingerprint)
  if (met !== undefined) return met
  const { id } = await db
    .insertInto('actor_sessions')
    .values({
      id: newId('ses', now()),
      instance_id: instanceId,
      fingerprint,
      type: actor.type,
      user_id: actor.user ?? null,
      client_id: actor.client ?? null,
      checkout_id: actor.checkout ?? null,
      ip: actor.ip ?? null,
      user_agent: agentOf(actor),
      created,
    })
    // Touching the row that another request made first is what makes it be returned.
    .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet({ fingerprint }))
    .returning('id')
    .executeTakeFirstOrThrow()
  if (known.size >= REMEMBERED_MAX) known.clear()
  known.set(fingerprint, id)
  return id
}

function agentOf({ userAgent }: Actor): string | null {
  const text = userAgent?.replaceAll('\0', '').slice(0, TEXT_MAX)
  return text === undefined ? null : withoutCardNumbers(text)
}

function fingerprintOf(instanceId: string, actor: Actor, day: string): string {
  const parts = [
    instanceId,
    actor.type,
    actor.credential,
    actor.user,
    actor.client,
    actor.checkout,
    actor.ip,
    agentOf(actor),
    day,
  ]
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('hex')
}
