import { z } from 'zod'
import { flatError, nestedError } from '../../shared/schemas/errors.ts'
import { eventAnswer, eventList } from '../../shared/schemas/event.ts'
import type { Deps } from '../deps.ts'
import { listResponse } from '../http/list-response.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import type { Route, Router } from '../http/router.ts'
import { serializeEvent } from './serialize.ts'
import { EVENT_FILTERS } from './filters.ts'
import { getEvent, listEvents } from './store.ts'

/** `/events`: what happened in the last thirty days, sent anywhere or not (contract section 16). */

const failures = { 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError }

const list = {
  method: 'get',
  path: '/events',
  tag: 'events',
  summary: 'List events',
  description:
    'Lists what happened, newest first unless order says otherwise. Events are kept for ' +
    'thirty days.',
  query: z.object(listParameters),
  fields: Object.keys(EVENT_FILTERS),
  responses: { 200: z.strictObject({ events: eventList, meta: listMeta }), ...failures },
} as const satisfies Route

const read = {
  method: 'get',
  path: '/events/:id',
  tag: 'events',
  summary: 'Get an event',
  description: 'Returns one event as webhooks carry it.',
  params: z.object({ id: z.string() }),
  responses: { 200: eventAnswer, ...failures },
} as const satisfies Route

export function eventRoutes(router: Router, deps: Deps): void {
  router.on(list, async (c, { query }) => {
    const instance = c.get('instance')
    const asked = parseListQuery(query, EVENT_FILTERS)
    const expansion = { kind: 'event', instanceId: instance.id, expand: query.expand }
    return listResponse(deps, c, {
      name: 'events',
      asked,
      read: (turn) => listEvents(turn, instance.id, asked),
      records: async (some) =>
        deps.expand(
          expansion,
          some.map((row) => serializeEvent(row, instance.key)),
        ),
    })
  })

  router.on(read, async (c, { params: { id } }) => {
    const instance = c.get('instance')
    const event = await getEvent(deps.db, instance.id, id)
    return c.json({ event: serializeEvent(event, instance.key) })
  })
}
