import { createHash } from 'node:crypto'
import type { ActorSessionRow } from '../db/tables/actor-sessions.ts'
import type { Db } from '../db/tables.ts'
import { withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { createCache, perDatabase } from '../cache.ts'
import { newId } from '../ids.ts'

export interface ClientInfo {
  ip?: string | undefined
  userAgent?: string | undefined
}

export interface Actor extends ClientInfo {
  type: ActorSessionRow['type']
  /** Distinguishes callers of one type, such as the hash of a secret key. */
  credential?: string
  user?: string
  client?: string
  checkout?: string
}

/** The actor of changes that the server makes by itself. */
export const SYSTEM: Actor = { type: 'SYSTEM' }

const CACHED_MAX = 10_000
const TEXT_MAX = 512

/** Session ids by fingerprint. */
const cacheOf = perDatabase(() => createCache<string>(CACHED_MAX))

/**
 * Returns the id of an actor's session, for `created_session` and `updated_session`. There is one
 * session for each actor, IP address, user agent and day in UTC (D29).
 *
 * Commits on its own. Throws an Error inside a transaction.
 */
export async function findOrCreateActorSession(
  { db, now }: { db: Db; now: () => number },
  instanceId: string,
  actor: Actor,
): Promise<string> {
  if (db.isTransaction) throw new Error('findOrCreateActorSession must not run in a transaction')
  const created = formatInstant(now())
  const fingerprint = fingerprintOf(instanceId, actor, created.slice(0, 10))
  const cache = cacheOf(db)
  const cached = cache.get(fingerprint)
  if (cached !== undefined) return cached
  const { id } = await db
    .insertInto('actor_sessions')
    .values({
      id: newId('ses', now()),
      instance_id: instanceId,
      fingerprint,
      type: actor.type,
      user_id: actor.user ?? null,
      client_id: actor.client ?? null,
      key_id: (eb) =>
        eb
          .selectFrom('secret_keys')
          .select('id')
          .where('hash', '=', actor.credential ?? ''),
      checkout_id: actor.checkout ?? null,
      ip: actor.ip ?? null,
      user_agent: storedUserAgent(actor),
      created,
    })
    // A no-op update makes `returning` return the row of a concurrent insert.
    .onConflict((conflict) => conflict.column('fingerprint').doUpdateSet({ fingerprint }))
    .returning('id')
    .executeTakeFirstOrThrow()
  cache.set(fingerprint, id)
  return id
}

function storedUserAgent({ userAgent }: Actor): string | null {
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
    storedUserAgent(actor),
    day,
  ]
  return createHash('sha256')
    .update(JSON.stringify(parts.map((part) => part ?? null)))
    .digest('hex')
}
