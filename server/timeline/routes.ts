import { z } from 'zod'
import { formatInstant } from '../../shared/rules/time.ts'
import { commonErrors, nestedError } from '../../shared/schemas/error-bodies.ts'
import { timelineOf, timelineResponse } from '../../shared/schemas/timeline.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { restrictedCaller, type Route, type Router } from '../http/router.ts'
import { requireOne } from '../http/scopes.ts'
import { AREA_OF_KIND, hasRecord, recordTypeOf } from './records.ts'
import { readTimeline } from './read-timeline.ts'

/** `/timeline`: what happened to a record. */

const read = {
  method: 'get',
  path: '/timeline',
  tag: 'timeline',
  operation: 'get_timeline',
  summary: 'Get the timeline of a record',
  description:
    'Returns what happened to a payment link, payment, charge, contract, account or checkout session, ' +
    'newest first: its own changes, and those of the sessions, payments, refunds, reversals and ' +
    'deliveries that belong to it. The caller needs the permission to read the record; entries of ' +
    'other areas that the caller may not read are left out. What only events tell, such as an edit, ' +
    'is known for thirty days.',
  byArea: true,
  query: z.object({ of: timelineOf }),
  responses: { 200: timelineResponse, 403: nestedError, ...commonErrors },
} as const satisfies Route

export function timelineRoutes(router: Router, deps: Deps): void {
  router.on(read, async (c, { query: { of } }) => {
    const { id: instanceId } = c.get('instance')
    const type = recordTypeOf(of)
    if (!type) throw notFound('Record')
    const caller = restrictedCaller(c)
    if (caller) requireOne(caller, `${AREA_OF_KIND[type.kind]}:read`)
    return deps.listReads.inTurn(instanceId, async (turn) => {
      const timeline = await turn.read('of', async (db) => {
        if (!(await hasRecord(db, instanceId, type, of))) throw notFound(type.name)
        return readTimeline(db, {
          instanceId,
          root: { kind: type.kind, id: of },
          now: formatInstant(deps.now()),
          permitted: caller?.permitted,
          withNames: c.get('actor').type === 'USER',
        })
      })
      return c.json(timeline)
    })
  })
}
