import { streamSSE } from 'hono/streaming'
import { z } from 'zod'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import type { Actor } from '../actor-sessions/store.ts'
import type { Deps } from '../deps.ts'
import { invalid, tooManyRequests } from '../errors.ts'
import { restrictedCaller, type Route, type Router } from '../http/router.ts'
import { isKnownPattern, matchesEvent } from '../webhooks/patterns.ts'
import { visibleTypes } from './area-of-event.ts'
import { findEndOfEvents } from './store.ts'
import { findLastPlace } from './last-event-id.ts'
import { streamEvents } from './stream-events.ts'

/** `/events/stream`: events as they happen, as server-sent events. */

/** Open streams of one key, user or grant, in one process. */
const STREAMS_MAX = 20

const stream = {
  method: 'get',
  path: '/events/stream',
  tag: 'events',
  operation: 'stream_events',
  summary: 'Stream events',
  description:
    'Sends each event as it is committed, as server-sent events: `id` is the id of the event, and ' +
    '`data` is the event as webhooks carry it. With the last `id` in the header `Last-Event-ID` the ' +
    'stream goes on behind it, so that a client that connects again misses none and gets none twice; ' +
    'without it, the stream begins now. The stream begins with an `id` without `data`, and sends ' +
    'another when there was no event for 15 seconds. The server ends a stream after five minutes. ' +
    'Callers without `webhooks:read` get the events of the areas that they may read.',
  byArea: true,
  query: z.object({
    types: z.string().optional().meta({
      description:
        'Types or patterns such as `payment_link.*`, separated by commas; all types by default.',
      example: 'payment.*,refund.success',
    }),
    follow: z.enum(['true', 'false']).optional().meta({
      description: '`false` ends the stream after the events that are there already.',
      example: 'false',
    }),
  }),
  responses: { 200: 'events', ...commonErrors },
} as const satisfies Route

/** `draining` tells that the server is shutting down. */
export function eventStreamRoutes(router: Router, deps: Deps, draining: () => boolean): void {
  const open = new Map<string, number>()

  router.on(stream, async (c, { query }) => {
    const instance = c.get('instance')
    const types = readTypes(query.types)
    const visible = visibleTypes(restrictedCaller(c)?.permitted)
    const last = c.req.header('last-event-id')
    const after =
      last === undefined
        ? await findEndOfEvents(deps.db)
        : await findLastPlace(deps, instance.id, last)
    if (!after) {
      throw invalid('Last-Event-ID', 'must be an id that a stream of the last thirty days has sent')
    }
    const caller = callerOf(instance.id, c.get('actor'))
    const count = open.get(caller) ?? 0
    if (count >= STREAMS_MAX) {
      throw tooManyRequests(`At most ${STREAMS_MAX} streams can be open at once`, 1000, {
        event: 'requests_limited',
        limit: 'STREAMS',
      })
    }
    open.set(caller, count + 1)
    c.header('X-Accel-Buffering', 'no')
    return streamSSE(c, async (sse) => {
      try {
        await streamEvents(deps, sse, {
          instance,
          types: new Set(visible.filter((type) => matchesEvent(types, type))),
          after,
          follow: query.follow !== 'false',
          draining,
        })
      } catch (error) {
        // The client connects again and goes on behind the last event.
        deps.log.warn({ err: error }, 'a stream of events was broken off')
      } finally {
        const left = (open.get(caller) ?? 1) - 1
        if (left === 0) open.delete(caller)
        else open.set(caller, left)
      }
    })
  })
}

/** Throws a 400 ApiError for a pattern that matches no type. */
function readTypes(text = '*'): string[] {
  const patterns = text.split(',').map((pattern) => pattern.trim())
  const unknown = patterns.find((pattern) => !isKnownPattern(pattern))
  if (unknown !== undefined) throw invalid('types', `has the unknown type ${unknown}`)
  return patterns
}

function callerOf(instanceId: string, { type, credential, user, client }: Actor): string {
  return JSON.stringify([instanceId, type, credential, user, client])
}
