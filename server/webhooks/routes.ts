import { z } from 'zod'
import {
  commonErrors,
  flatError,
  nestedError,
  idempotencyErrors,
} from '../../shared/schemas/error-bodies.ts'
import {
  createWebhookRequest as createBody,
  delivery,
  deliveryList,
  instanceWebhook,
  replayResponse,
  replayWebhook as replayBody,
  rotateWebhook as rotateBody,
  testResponse,
  testWebhook as testBody,
  updateWebhookRequest as updateBody,
  webhookResponse,
} from '../../shared/schemas/webhook.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes, listRoute } from '../http/collection-routes.ts'
import { listMeta, listParameters, parseListQuery } from '../http/list-query.ts'
import { listResponse } from '../http/list-response.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { readIfMatch } from '../http/if-match.ts'
import { idempotent, idempotentRepeatable } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { listDeliveries } from './deliveries.ts'
import { DELIVERY_FILTERS, WEBHOOK_FILTERS } from './filters.ts'
import { serializeDelivery, serializeWebhook, serializeWebhookWithSecret } from './serialize.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { replayEvents } from './replay.ts'
import { sendTestEvent } from './send-test-event.ts'
import { getWebhook, listWebhooks } from './store.ts'
import { changeWebhook, createWebhook, rotateSecret } from './manage.ts'

const tag = 'instance-webhooks'
const params = z.object({ id: z.string() })

const create = {
  method: 'post',
  path: '/instance_webhooks',
  tag,
  summary: 'Create a webhook',
  description: 'Creates a webhook. The secret is returned only in this response.',
  body: createBody,
  responses: { 200: webhookResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/instance_webhooks/:id',
  tag,
  summary: 'Update a webhook',
  description:
    'Changes the given members and keeps all others. Enabling or disabling a ' +
    'webhook sets failing_since to null.',
  params,
  body: updateBody,
  responses: { 200: webhookResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

const remove = {
  method: 'delete',
  path: '/instance_webhooks/:id',
  tag,
  summary: 'Delete a webhook',
  description: 'Deletes a webhook and its deliveries. Nothing more is sent to its URL.',
  params,
  responses: { 204: null, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

const rotate = {
  method: 'post',
  path: '/instance_webhooks/:id/rotate',
  stepUp: true,
  tag,
  summary: 'Rotate the secret of a webhook',
  description:
    'Creates a new secret, which is returned only in this response. For 24 hours, ' +
    'deliveries are signed with both secrets.',
  params,
  body: rotateBody,
  bodyOptional: true,
  responses: { 200: webhookResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const replay = {
  method: 'post',
  path: '/instance_webhooks/:id/replay',
  tag,
  summary: 'Replay events to a webhook',
  description:
    'Sends events to a webhook again: one event by its id, or all events of a type or period.',
  params,
  body: replayBody,
  responses: { 200: replayResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const test = {
  method: 'post',
  path: '/instance_webhooks/:id/test',
  tag,
  summary: 'Send a test event to a webhook',
  description:
    'Sends an event `webhook.test` to one enabled webhook, whatever the types of its events, and ' +
    'returns its delivery. `GET /deliveries` shows what came of it.',
  params,
  body: testBody,
  bodyOptional: true,
  responses: { 200: testResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const deliveries = {
  method: 'get',
  path: '/instance_webhooks/:id/deliveries',
  tag,
  summary: 'List deliveries of a webhook',
  description: 'Lists the sent and waiting deliveries of a webhook, newest first by default.',
  params,
  query: z.object(listParameters),
  fields: Object.keys(DELIVERY_FILTERS),
  responses: { 200: z.strictObject({ deliveries: deliveryList, meta: listMeta }), ...commonErrors },
} as const satisfies Route

export function webhookRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body }) => {
    const by = await callerActorSession(deps, c)
    return idempotent(deps, c, async (deps) => {
      const made = await createWebhook(deps, c.get('instance'), body.instance_webhook, by)
      return { instance_webhook: serializeWebhookWithSecret(made) }
    })
  })

  collectionRoutes(router, deps, {
    name: ['instance_webhook', 'instance_webhooks'],
    title: ['webhook', 'webhooks'],
    schema: instanceWebhook,
    params,
    description: { get: 'Returns a webhook without its secret.' },
    filters: WEBHOOK_FILTERS,
    list: listWebhooks,
    get: async (instanceId, id) => serializeWebhook(await getWebhook(deps.db, instanceId, id)),
    serialize: (rows) => rows.map(serializeWebhook),
  })

  router.on(update, async (c, { params, body }) => {
    const by = await callerActorSession(deps, c)
    const request = { change: body.instance_webhook, actorSession: by, ifMatch: readIfMatch(c) }
    const changed = await changeWebhook(deps, c.get('instance'), params.id, request)
    return c.json({ instance_webhook: serializeWebhook(changed) })
  })

  router.on(remove, async (c, { params }) => {
    await deleteWebhook(deps, c.get('instance').id, params.id, c.get('actor'))
    return c.body(null, 204)
  })

  router.on(rotate, async (c, { params }) => {
    const by = await callerActorSession(deps, c)
    return idempotent(deps, c, async (deps) => {
      const rotated = await rotateSecret(deps, c.get('instance'), params.id, by)
      return { instance_webhook: serializeWebhookWithSecret(rotated) }
    })
  })

  router.on(replay, async (c, { params, body }) =>
    idempotentRepeatable(deps, c, async () => {
      const count = await replayEvents(deps, c.get('instance').id, params.id, body.replay)
      return { replay: { deliveries: count } }
    }),
  )

  router.on(test, (c, { params }) =>
    idempotent(deps, c, async (deps) => ({
      delivery: serializeDelivery(await sendTestEvent(deps, c.get('instance').id, params.id)),
    })),
  )

  listRoute(router, deps, {
    name: ['delivery', 'deliveries'],
    schema: delivery,
    description: {
      list: 'Lists the sent and waiting deliveries to all webhooks, newest first by default.',
    },
    filters: DELIVERY_FILTERS,
    list: (turn, instanceId, list) => listDeliveries(turn, { instanceId }, list),
    serialize: (rows) => rows.map(serializeDelivery),
  })

  router.on(deliveries, async (c, { params, query }) => {
    const instanceId = c.get('instance').id
    const list = parseListQuery(query, DELIVERY_FILTERS)
    const webhook = await getWebhook(deps.db, instanceId, params.id)
    const expansion = { kind: 'delivery', instanceId, expand: query.expand }
    return listResponse(deps, c, {
      name: 'deliveries',
      pagination: list,
      read: (turn) => listDeliveries(turn, { instanceId, webhook: webhook.id }, list),
      serialize: async (rows) => deps.expand(expansion, rows.map(serializeDelivery)),
    })
  })
}
