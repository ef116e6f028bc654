import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import {
  type Attention,
  type AttentionKind,
  attentionResponse,
} from '../../shared/schemas/attention.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps, ListTurn } from '../deps.ts'
import { restrictedCaller, type Route, type Router } from '../http/router.ts'
import type { RestrictedCaller } from '../http/scopes.ts'
import { COUNT_MAX, countKind } from './count-kind.ts'
import { LISTED_KINDS } from './kinds.ts'
import { countStaleStrings } from './stale-strings.ts'

/** `/attention`: what somebody has to look at, with the lists that show it. */

const read = {
  method: 'get',
  path: '/attention',
  tag: 'attention',
  operation: 'get_attention',
  summary: 'Count what needs attention',
  description:
    'Counts what somebody has to look at, by kind, and names the list that shows it. A kind that the ' +
    'caller may not list is null.',
  byArea: true,
  responses: { 200: attentionResponse, ...commonErrors },
} as const satisfies Route

export function attentionRoutes(router: Router, deps: Deps): void {
  router.on(read, async (c) => {
    const instance = c.get('instance')
    const caller = restrictedCaller(c)
    const [now, realNow] = [deps.now(), deps.realNow()]
    return deps.listReads.inTurn(instance.id, async (turn) => {
      const counted = await turn.read('criteria', async (db) => {
        const counts: [string, Attention[AttentionKind]][] = []
        // One transaction for all, which is one state of the database and fewer round trips.
        const within: ListTurn = { read: (_member, work) => work(db) }
        for (const [kind, listed] of Object.entries(LISTED_KINDS)) {
          const read = { turn: within, instance, caller, now, realNow }
          counts.push([kind, await countKind(listed, read)])
        }
        return counts
      })
      const stale_strings = await countStale(deps, instance, caller)
      return c.json({ attention: { ...Object.fromEntries(counted), stale_strings } as Attention })
    })
  })
}

async function countStale(
  deps: Deps,
  instance: Instance,
  caller: RestrictedCaller | undefined,
): Promise<Attention['stale_strings']> {
  if (caller && !caller.permitted.has('strings:read')) return null
  const { count: total, most } = await countStaleStrings(deps, instance)
  const { language, branding = '' } = most ?? {}
  const scope = new URLSearchParams({
    ...(language !== undefined && { language }),
    ...(branding !== '' && { branding }),
    stale: 'Y',
  })
  return { count: Math.min(total, COUNT_MAX), list: most ? `/strings?${scope.toString()}` : null }
}
