import type { Context } from 'hono'
import { type Place, sessionOf } from './store.ts'
import type { Deps } from '../deps.ts'
import { clientAddress } from '../http/client-ip.ts'
import type { AppContext } from '../http/router.ts'

/** Where the caller is and what program they use, for their session. */
export function placeOf(c: Context): Place {
  return { ip: clientAddress(c), userAgent: c.req.header('user-agent') }
}

/** The session of the merchant's caller, for what the request is about to write. */
export function callerSession(deps: Pick<Deps, 'db' | 'now'>, c: AppContext): Promise<string> {
  return sessionOf(deps, c.get('instance').id, c.get('actor'))
}
