import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { formatInstant } from '../../shared/rules/time.ts'
import type { OpenTaskRequest } from '../../shared/schemas/deep-link-task.ts'
import { type ClientInfo, findOrCreateActorSession } from '../actor-sessions/store.ts'
import type { DeepLinkRow, DeepLinkSessionRow } from '../db/tables/deep-links.ts'
import type { Instance } from '../db/tables/instances.ts'
import { inTransaction } from '../db/transaction.ts'
import { deepLinkStatus } from '../deep-links/status.ts'
import { findDeepLink, lockDeepLink } from '../deep-links/store.ts'
import type { Deps } from '../deps.ts'
import { ApiError, notFound, UnauthorizedError } from '../errors.ts'
import { newId } from '../ids.ts'
import { getInstance } from '../instances/store.ts'
import {
  deleteSessions,
  extendSession,
  findLinkOfSession,
  findOpenSession,
  findSession,
  insertSession,
} from './store.ts'

/** A session ends so long after its last request. */
const SESSION_MS = 30 * 60_000
const KEPT_MS = 30 * 86_400_000

/** The session of a customer, with the link whose task it is. */
export interface TaskSession {
  session: DeepLinkSessionRow
  link: DeepLinkRow
  instance: Instance
}

export const isTask = ({ action }: Pick<DeepLinkRow, 'action'>): boolean =>
  action === 'ADD_PAYMENT_METHOD' || action === 'MANAGE_CONTRACT'

/** Returns a link to a task with its instance. Throws 404 for an unknown link, or one to a payment. */
export async function getTaskLink(
  { db }: Pick<Deps, 'db'>,
  id: string,
): Promise<{ link: DeepLinkRow; instance: Instance }> {
  const link = await findDeepLink(db, id)
  if (!link || !isTask(link)) throw notFound('Deep link')
  return { link, instance: await getInstance(db, link.instance_id) }
}

/** Returns whether nothing can be done with a link any more. `now` is on the instance's clock. */
export function isTaskOver(link: DeepLinkRow, instance: Instance, now: number): boolean {
  const isOff = link.archived !== null || instance.disabled !== null
  return isOff || deepLinkStatus(link, now) !== 'ACTIVE'
}

/**
 * Opens the session of a link's task, which one browser has at a time: the first that asks. Another one
 * has to wait until the first has been idle for half an hour. The browser that sends the `token` of the
 * session keeps it. Throws 404 for an unknown link, and GONE when its task is over.
 */
export async function openTask(
  deps: Deps,
  id: string,
  { token, language }: { token?: OpenTaskRequest['token']; language: string },
  client: ClientInfo,
): Promise<(TaskSession & { token: string }) | { freeAt: string }> {
  const { link, instance } = await getTaskLink(deps, id)
  if (isTaskOver(link, instance, deps.now())) throw gone()
  const sessionId = newId('ds', deps.realNow())
  const actor_session = await findOrCreateActorSession(deps, instance.id, {
    type: 'CHECKOUT',
    credential: sessionId,
    ...client,
  })
  const secret = randomBytes(32).toString('base64url')
  return inTransaction(deps.db, async (tx) => {
    const now = deps.realNow()
    await lockDeepLink(tx, link.id)
    const open = await findOpenSession(tx, link.id, formatInstant(now))
    const expires = formatInstant(now + SESSION_MS)
    if (open) {
      if (!token || !isTokenOf(open, token)) return { freeAt: open.expires }
      await extendSession(tx, open.id, expires)
      return { session: { ...open, expires }, link, instance, token }
    }
    const session: DeepLinkSessionRow = {
      id: sessionId,
      instance_id: instance.id,
      deep_link_id: link.id,
      token_hash: hash(secret),
      language,
      actor_session,
      expires,
      created: formatInstant(now),
    }
    await insertSession(tx, session)
    return { session, link, instance, token: `dst_${sessionId.slice('ds_'.length)}_${secret}` }
  })
}

/**
 * Returns the open session of an `Authorization: Bearer dst_…` header, and prolongs it. Throws 401 for
 * any other header, and GONE when the task is over.
 */
export async function resumeTask(
  deps: Deps,
  authorization: string | undefined,
): Promise<TaskSession> {
  const token = /^bearer +(dst_[0-9]+_[0-9a-z]+_[\w-]{43})$/i.exec(authorization ?? '')?.[1] ?? ''
  const session = await findSession(deps.db, sessionIdOf(token))
  const now = deps.realNow()
  const isOpen = session !== undefined && session.expires > formatInstant(now)
  if (!isOpen || !isTokenOf(session, token)) {
    throw new UnauthorizedError(undefined, { event: 'token_refused' })
  }
  await extendSession(deps.db, session.id, formatInstant(now + SESSION_MS))
  return { session, ...(await findLinkOfSession(deps.db, session)) }
}

/** Throws GONE for a task that is over. Run by the clock of the instance. */
export function requireTaskOpen(deps: Pick<Deps, 'now'>, { link, instance }: TaskSession): void {
  if (isTaskOver(link, instance, deps.now())) throw gone()
}

/** Deletes sessions that ended a month ago. */
export async function pruneTaskSessions({ db, realNow }: Deps): Promise<void> {
  await deleteSessions(db, formatInstant(realNow() - KEPT_MS))
}

function gone(): ApiError {
  return new ApiError('GONE', 'Deep link can no longer be used')
}

function sessionIdOf(token: string): string {
  const [, ms = '', random = ''] = token.split('_')
  return `ds_${ms}_${random}`
}

function isTokenOf(session: DeepLinkSessionRow, token: string): boolean {
  if (session.id !== sessionIdOf(token)) return false
  const secret = token.split('_').slice(3).join('_')
  return timingSafeEqual(Buffer.from(hash(secret)), Buffer.from(session.token_hash))
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url')
}
