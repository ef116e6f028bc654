import { createHash, timingSafeEqual } from 'node:crypto'
import { formatInstant } from '../../shared/rules/time.ts'
import type { OpenTaskRequest } from '../../shared/schemas/deep-link-task.ts'
import { type AccountRow, findAccount } from '../accounts/store.ts'
import { type ClientInfo, findOrCreateActorSession } from '../actor-sessions/store.ts'
import { withClockOf } from '../clock.ts'
import type { DeepLinkRow, DeepLinkSessionRow } from '../db/tables/deep-links.ts'
import type { Instance } from '../db/tables/instances.ts'
import { inTransaction } from '../db/transaction.ts'
import { deepLinkStatus } from '../deep-links/status.ts'
import { findDeepLink, lockDeepLink } from '../deep-links/store.ts'
import { parseOptions } from '../deep-links/validate.ts'
import type { Deps } from '../deps.ts'
import { ApiError, notFound, UnauthorizedError } from '../errors.ts'
import { newId, randomBase64url } from '../ids.ts'
import { brandingOfChannel } from '../instances/brandings.ts'
import { getInstance } from '../instances/store.ts'
import { findMethodSetup } from '../method-setups/store.ts'
import {
  deleteSessions,
  findOpenSession,
  findSession,
  insertSession,
  updateSession,
} from './store.ts'

/** A session ends so long after its last request. */
const SESSION_MS = 30 * 60_000
const KEPT_MS = 30 * 86_400_000

/** A link to a task of a customer. */
export interface TaskLink {
  link: DeepLinkRow
  instance: Instance
  /** The customer. */
  account: AccountRow | undefined
}

/** The session of a customer on such a link. */
export interface TaskSession extends TaskLink {
  session: DeepLinkSessionRow
}

export const isTask = ({ action }: Pick<DeepLinkRow, 'action'>): boolean =>
  action === 'ADD_PAYMENT_METHOD' || action === 'MANAGE_CONTRACT'

/** Returns a link to a task with its instance and customer. Throws 404 for an unknown link, or one to a payment. */
export async function getTaskLink({ db }: Pick<Deps, 'db'>, id: string): Promise<TaskLink> {
  const link = await findDeepLink(db, id)
  if (!link || !isTask(link)) throw notFound('Deep link')
  const { instance_id: instanceId, account_id } = link
  return {
    link,
    instance: await getInstance(db, instanceId),
    account: account_id === null ? undefined : await findAccount(db, instanceId, account_id),
  }
}

/** Returns the key of the branding of the link's or customer's channel; empty for the instance's own. */
export function taskBranding({ link, instance, account }: TaskLink): string {
  const channel = parseOptions(link).channel ?? account?.channel
  return brandingOfChannel(instance, channel)?.key ?? ''
}

/** Returns whether a link shows nothing any more, as the link, its account or its instance is gone. */
export function isWithdrawn({ link, instance, account }: TaskLink): boolean {
  const isArchived = link.archived !== null || account?.status === 'ARCHIVED'
  return isArchived || instance.disabled !== null
}

/** Returns whether nothing can be done with a link any more. `now` is on the instance's clock. */
export function isTaskOver(task: TaskLink, now: number): boolean {
  return isWithdrawn(task) || deepLinkStatus(task.link, now) !== 'ACTIVE'
}

/**
 * Opens the session of a link's task, which one browser has at a time: the first that asks. Another one
 * has to wait until the first has been idle for half an hour. The browser that sends the `token` of the
 * session keeps it, and sees what was done after the last use of the link, too. Throws 404 for an unknown
 * link, and GONE when its task is over.
 */
export async function openTask(
  deps: Deps,
  id: string,
  { token, language }: { token?: OpenTaskRequest['token']; language: string },
  client: ClientInfo,
): Promise<(TaskSession & { token: string }) | { freeAt: string }> {
  const task = await getTaskLink(deps, id)
  if (isWithdrawn(task)) throw linkGone()
  const present = await findOpenSession(deps.db, task.link.id, formatInstant(deps.realNow()))
  if (present && token && isTokenOf(present, token)) {
    const session = await keepOpen(deps, { ...task, session: { ...present, language } })
    return { ...task, session, token }
  }
  if (isTaskOver(task, deps.now())) throw linkGone()
  if (present) return { freeAt: present.expires }
  return beginSession(deps, task, { language, client })
}

async function beginSession(
  deps: Deps,
  task: TaskLink,
  { language, client }: { language: string; client: ClientInfo },
): Promise<(TaskSession & { token: string }) | { freeAt: string }> {
  const { link, instance } = task
  const sessionId = newId('ds', deps.realNow())
  const actor_session = await findOrCreateActorSession(deps, instance.id, {
    type: 'CHECKOUT',
    credential: sessionId,
    ...client,
  })
  const secret = randomBase64url(32)
  return inTransaction(deps.db, async (tx) => {
    const now = deps.realNow()
    await lockDeepLink(tx, link.id)
    // Another browser may have been faster.
    const open = await findOpenSession(tx, link.id, formatInstant(now))
    if (open) return { freeAt: open.expires }
    const session: DeepLinkSessionRow = {
      id: sessionId,
      instance_id: instance.id,
      deep_link_id: link.id,
      token_hash: hash(secret),
      language,
      actor_session,
      expires: formatInstant(now + SESSION_MS),
      created: formatInstant(now),
    }
    await insertSession(tx, session)
    return { ...task, session, token: `dst_${sessionId.slice('ds_'.length)}_${secret}` }
  })
}

/**
 * Returns the open session of an `Authorization: Bearer dst_…` header, and prolongs it. Throws 401 for
 * any other header, and GONE for a link that is withdrawn.
 */
export async function resumeTask(
  deps: Deps,
  authorization: string | undefined,
): Promise<TaskSession> {
  const token = /^bearer +(dst_[0-9]+_[0-9a-z]+_[\w-]{43})$/i.exec(authorization ?? '')?.[1] ?? ''
  const session = await findSession(deps.db, sessionIdOf(token))
  const isOpen = session !== undefined && session.expires > formatInstant(deps.realNow())
  if (!isOpen || !isTokenOf(session, token)) {
    throw new UnauthorizedError(undefined, { event: 'token_refused' })
  }
  const task = await getTaskLink(deps, session.deep_link_id)
  if (isWithdrawn(task)) throw linkGone()
  return { ...task, session: await keepOpen(deps, { ...task, session }) }
}

/**
 * Stores the language of a session, and prolongs it unless its task is over. Returns it as it is then.
 */
async function keepOpen(
  deps: Pick<Deps, 'db' | 'now' | 'realNow'>,
  { session, ...task }: TaskSession,
): Promise<DeepLinkSessionRow> {
  const isOver = withClockOf(task.instance, () => isTaskOver(task, deps.now()))
  const expires = isOver ? session.expires : formatInstant(deps.realNow() + SESSION_MS)
  const { id, language } = session
  await updateSession(deps.db, id, { expires, language })
  return { ...session, expires }
}

/** Returns whether a bank returns a customer of the link, by the handle of a set-up. */
export async function isReturnFromBank(
  { db }: Pick<Deps, 'db'>,
  { link }: TaskLink,
  handle: string,
): Promise<boolean> {
  const setup = await findMethodSetup(db, 'handle', handle)
  const session = setup && (await findSession(db, setup.session_id))
  return session?.deep_link_id === link.id
}

/** Throws GONE for a task that is over. Run by the clock of the instance. */
export function requireTaskOpen(deps: Pick<Deps, 'now'>, task: TaskLink): void {
  if (isTaskOver(task, deps.now())) throw linkGone()
}

/** Deletes sessions that ended a month ago. */
export async function pruneTaskSessions({ db, realNow }: Deps): Promise<void> {
  await deleteSessions(db, formatInstant(realNow() - KEPT_MS))
}

export function linkGone(): ApiError {
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
