import type { RecordedAs } from '../errors.ts'
import { clientIp } from './client-ip.ts'
import type { AppContext } from './router.ts'
import { clientNetwork } from '../rate-limits/client-network.ts'
import type { SecurityEvents } from '../observe/security-events.ts'

/**
 * Records a rejected request with the caller, if known, the client's network, and the pattern of
 * the route, because a path may contain a secret.
 */
export function recordSecurityRefusal(
  security: SecurityEvents,
  c: AppContext,
  { event, limit, ...recorded }: RecordedAs,
): void {
  const { actor, checkout, instance, oauthClient, requestId, signedInUser } = c.var as Partial<
    AppContext['var']
  >
  const fields = {
    instance: recorded.instance ?? instance?.id ?? checkout?.instance.id,
    user: actor?.user ?? signedInUser,
    client: actor?.client ?? oauthClient,
    network: clientNetwork(clientIp(c)),
    method: c.req.method,
    route: c.req.routePath,
    limit,
    request: requestId,
  }
  const defined = Object.entries(fields).filter(([, value]) => value !== undefined)
  security.record(event, Object.fromEntries(defined))
}
