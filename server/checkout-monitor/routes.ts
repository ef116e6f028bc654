import { z } from 'zod'
import { formatInstant } from '../../shared/rules/time.ts'
import {
  checkoutReportResponse,
  REPORT_ROWS,
  stuckOperation,
} from '../../shared/schemas/checkout-monitor.ts'
import { checkoutAlertsResponse, updateAlertsRequest } from '../../shared/schemas/checkout-alert.ts'
import { commonErrors, nestedError } from '../../shared/schemas/error-bodies.ts'
import type { Deps } from '../deps.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import { listResponse } from '../http/list-response.ts'
import type { Route, Router } from '../http/router.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { expandParameter, readExpanded } from '../http/expand.ts'
import { readIfMatch } from '../http/if-match.ts'
import { getAlerts, replaceAlerts } from './alerts.ts'
import { DIMENSIONS, SLOT_MS } from './cells.ts'
import { parseCountCriteria } from './filters.ts'
import { offsetsOf, parseSpan, periodsOf, zoneOf } from './periods.ts'
import { buildReport } from './report.ts'
import { listStuck, serializeStuck, STUCK_FILTERS } from './stuck.ts'
import { sumCounts } from './sum-counts.ts'

/** `/checkout_monitor`: how checkout sessions go, and what is stuck. */

const tag = 'checkout-monitor'

const report = {
  method: 'get',
  path: '/checkout_monitor',
  tag,
  operation: 'get_checkout_monitor',
  summary: 'Count checkout sessions',
  description:
    'Counts the sessions that were opened in a time: how far their payers came, what they paid, ' +
    'how often payments were declined and why. Sessions that were deleted since still count.',
  query: z.object({
    from: z.string().optional().meta({
      description:
        'A day, which begins in the time zone of the instance, or a time, rounded down to a quarter of an hour. By default 29 days before the last day.',
      example: '2026-01-01',
    }),
    to: z.string().optional().meta({
      description:
        'The last day, which is included, or a time, rounded up to a quarter of an hour. By default today; at most 400 days after `from`.',
      example: '2026-01-31',
    }),
    by: z.enum(REPORT_ROWS).optional().meta({
      description: 'What each row of the report counts. By default `day`.',
      example: 'method',
    }),
    criteria: listParameters.criteria.meta({
      description: `Conditions as for lists, on ${DIMENSIONS.map((name) => `\`${name}\``).join(', ')}. Upper and lower case differ.`,
      example: 'method=CARD',
    }),
  }),
  responses: { 200: checkoutReportResponse, ...commonErrors },
} as const satisfies Route

const stuck = {
  method: 'get',
  path: '/checkout_monitor/stuck',
  tag,
  operation: 'list_stuck_operations',
  summary: 'List what is stuck',
  description:
    'Lists sessions that have been `SUBMITTED` or `PENDING` for more than ten minutes and payments ' +
    'that are `UNRESOLVED`, oldest first by default.',
  query: z.object(listParameters),
  fields: Object.keys(STUCK_FILTERS),
  responses: {
    200: z.strictObject({
      stuck: z.array(stuckOperation).meta({ description: 'Sessions and payments of this page.' }),
      meta: listMeta,
    }),
    ...commonErrors,
  },
} as const satisfies Route

const readAlerts = {
  method: 'get',
  path: '/checkout_monitor/alerts',
  tag,
  operation: 'get_checkout_alerts',
  summary: 'Get the alerts',
  description: 'Returns the alerts about checkout sessions and whether each is on.',
  query: z.object({ expand: expandParameter }),
  responses: { 200: checkoutAlertsResponse, ...commonErrors },
} as const satisfies Route

const writeAlerts = {
  method: 'put',
  path: '/checkout_monitor/alerts',
  tag,
  operation: 'update_checkout_alerts',
  summary: 'Replace the alerts',
  description:
    'Replaces all alerts. They are evaluated once a minute; each change of one records ' +
    '`checkout_monitor.alert` or `checkout_monitor.recovered`. An alert that is repeated without a ' +
    'change keeps its status.',
  body: updateAlertsRequest,
  responses: { 200: checkoutAlertsResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

export function checkoutMonitorRoutes(router: Router, deps: Deps): void {
  router.on(report, async (c, { query: { by = 'day', criteria, ...times } }) => {
    const instance = c.get('instance')
    const zone = zoneOf(instance)
    const span = parseSpan(times, { now: deps.now(), zone })
    const offsets = offsetsOf(span, zone)
    const periods = by === 'day' || by === 'hour' ? periodsOf(span, offsets, by) : undefined
    const counted = { instanceId: instance.id, span, where: parseCountCriteria(criteria) }
    const sums = await deps.listReads.inTurn(instance.id, (turn) =>
      turn.read('from', (db) => sumCounts(db, counted, by, offsets)),
    )
    return c.json({
      checkout_monitor: {
        from: formatInstant(span.from * SLOT_MS),
        to: formatInstant(span.to * SLOT_MS),
        timezone: zone,
        ...buildReport(sums, periods),
      },
    })
  })

  router.on(stuck, async (c, { query }) => {
    const instance = c.get('instance')
    const list = parseListQuery({ ...query, order: query.order || 'since' }, STUCK_FILTERS)
    const expansion = { kind: 'stuck', instanceId: instance.id, expand: query.expand }
    return listResponse(deps, c, {
      name: 'stuck',
      pagination: list,
      read: (turn) => listStuck(turn, instance.id, list, deps.now()),
      serialize: async (rows) => deps.expand(expansion, rows.map(serializeStuck)),
    })
  })

  router.on(readAlerts, async (c, { query: { expand } }) => {
    const { id: instanceId } = c.get('instance')
    const expansion = { kind: 'checkout_monitor', instanceId, expand }
    const read = () => getAlerts(deps, instanceId)
    return c.json({ checkout_monitor: await readExpanded(deps.expand, expansion, read) })
  })

  router.on(
    writeAlerts,
    async (
      c,
      {
        body: {
          checkout_monitor: { alerts },
        },
      },
    ) => {
      const actorSession = await callerActorSession(deps, c)
      const replacement = { alerts, actorSession, ifMatch: readIfMatch(c) }
      const replaced = await replaceAlerts(deps, c.get('instance').id, replacement)
      return c.json({ checkout_monitor: replaced })
    },
  )
}
