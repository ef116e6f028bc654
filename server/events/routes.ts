import { z } from 'zod'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import { event, eventResponse } from '../../shared/schemas/event.ts'
import type { Deps } from '../deps.ts'
import { listRoute } from '../http/collection-routes.ts'
import type { Route, Router } from '../http/router.ts'
import { serializeEvent } from './serialize.ts'
import { EVENT_FILTERS } from './filters.ts'
import { getEvent, listEvents } from './store.ts'

/** `/events`: the events of the last thirty days, whether delivered or not. */

const read = {
  method: 'get',
  path: '/events/:id',
  tag: 'events',
  summary: 'Get an event',
  description: 'Returns one event as webhooks carry it.',
  params: z.object({ id: z.string() }),
  responses: { 200: eventResponse, ...commonErrors },
} as const satisfies Route

export function eventRoutes(router: Router, deps: Deps): void {
  listRoute(router, deps, {
    name: ['event', 'events'],
    schema: event,
    description: {
      list: 'Lists events, newest first by default. Events are kept for thirty days.',
    },
    filters: EVENT_FILTERS,
    list: listEvents,
    serialize: (rows, { instance }) => rows.map((row) => serializeEvent(row, instance.key)),
  })

  router.on(read, async (c, { params: { id } }) => {
    const instance = c.get('instance')
    const event = await getEvent(deps.db, instance.id, id)
    return c.json({ event: serializeEvent(event, instance.key) })
  })
}
