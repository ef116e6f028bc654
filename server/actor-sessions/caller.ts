import type { Context } from 'hono'
import { type ClientInfo, findOrCreateActorSession } from './store.ts'
import type { Deps } from '../deps.ts'
import { clientIp } from '../http/client-ip.ts'
import type { AppContext } from '../http/router.ts'

/** Where the caller is and what program they use, for their session. */
export function clientInfo(c: Context): ClientInfo {
  return { ip: clientIp(c), userAgent: c.req.header('user-agent') }
}

/** The session of the merchant's caller, for what the request is about to write. */
export function callerActorSession(deps: Pick<Deps, 'db' | 'now'>, c: AppContext): Promise<string> {
  return findOrCreateActorSession(deps, c.get('instance').id, c.get('actor'))
}
