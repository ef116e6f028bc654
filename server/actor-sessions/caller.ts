import type { Context } from 'hono'
import { type Actor, type ClientInfo, findOrCreateActorSession } from './store.ts'
import type { Deps } from '../deps.ts'
import { clientIp } from '../http/client-ip.ts'
import type { AppContext } from '../http/router.ts'

export function clientInfo(c: Context): ClientInfo {
  return { ip: clientIp(c), userAgent: c.req.header('user-agent') }
}

/** Returns a signed-in user as an actor, for pages that are no part of the API. */
export function userActor(c: Context, { id }: { id: string }): Actor {
  return { type: 'USER', user: id, ...clientInfo(c) }
}

/** Returns the id of the API caller's actor session. */
export function callerActorSession(deps: Pick<Deps, 'db' | 'now'>, c: AppContext): Promise<string> {
  return findOrCreateActorSession(deps, c.get('instance').id, c.get('actor'))
}
