import type { Context } from 'hono'
import { type ClientInfo, findOrCreateActorSession } from './store.ts'
import type { Deps } from '../deps.ts'
import { clientIp } from '../http/client-ip.ts'
import type { AppContext } from '../http/router.ts'

export function clientInfo(c: Context): ClientInfo {
  return { ip: clientIp(c), userAgent: c.req.header('user-agent') }
}

/** Returns the id of the API caller's actor session. */
export function callerActorSession(deps: Pick<Deps, 'db' | 'now'>, c: AppContext): Promise<string> {
  return findOrCreateActorSession(deps, c.get('instance').id, c.get('actor'))
}
