import { z } from 'zod'
import {
  commonErrors,
  idempotencyErrors,
  flatError,
  nestedError,
} from '../../shared/schemas/error-bodies.ts'
import {
  checkProcessorRequest as checkBody,
  createProcessorRequest as createBody,
  processor,
  processorResponse,
  rotateWebhookSecretRequest as rotateBody,
  updateProcessorRequest as updateBody,
} from '../../shared/schemas/processor.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { idempotentOperation, idempotentRepeatable } from '../http/idempotency.ts'
import { readIfMatch } from '../http/if-match.ts'
import type { Route, Router } from '../http/router.ts'
import { ASKING_MS } from './ask-processor.ts'
import { changeConnection } from './change.ts'
import { checkConnection } from './check.ts'
import { createConnection } from './create.ts'
import { disableConnection } from './disable.ts'
import { PROCESSOR_FILTERS } from './filters.ts'
import { rotateWebhookSecret } from './rotate-webhook-secret.ts'
import { serializeConnection } from './serialize.ts'
import { type ConnectionRow, getConnection, listConnections } from './store.ts'

const tag = 'processors'
const params = z.object({ id: z.string() })

const create = {
  method: 'post',
  path: '/processors',
  stepUp: true,
  tag,
  summary: 'Connect a processor',
  description:
    'Connects an account at a payment processor, which is asked whether it accepts the key. Makes ' +
    'a webhook endpoint there, unless `webhook_secret` is sent or the key may not. Secrets are ' +
    'stored encrypted and never returned. The built-in test processor then serves the instance no ' +
    'more.',
  body: createBody,
  responses: { 200: processorResponse, 502: nestedError, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/processors/:id',
  stepUp: true,
  tag,
  summary: 'Update a processor',
  description:
    'Changes the given keys and settings and keeps all others. A new key must be of the same ' +
    'account. It makes a broken processor active.',
  params,
  body: updateBody,
  responses: { 200: processorResponse, 409: nestedError, 502: nestedError, ...commonErrors },
} as const satisfies Route

const remove = {
  method: 'delete',
  path: '/processors/:id',
  tag,
  summary: 'Disable a processor',
  description:
    'Ends new payments through a processor. It stays for refunds and disputes. Fails while ' +
    'payments or refunds have no outcome.',
  params,
  responses: { 204: null, 400: nestedError, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

const check = {
  method: 'post',
  path: '/processors/:id/check',
  tag,
  summary: 'Check a processor',
  description:
    'Asks the processor whether it accepts the key, and makes a webhook endpoint that is missing. ' +
    'The status is then `ACTIVE` or `BROKEN`.',
  params,
  body: checkBody,
  bodyOptional: true,
  responses: { 200: processorResponse, 502: nestedError, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const rotate = {
  method: 'post',
  path: '/processors/:id/rotate_webhook_secret',
  stepUp: true,
  tag,
  operation: 'rotate_processor_webhook_secret',
  summary: 'Rotate the webhook secret of a processor',
  description:
    'Replaces the webhook endpoint at the processor, and with it the secret that signs ' +
    'notifications, or stores the secret of an endpoint that you made. The previous secret is ' +
    'accepted for 24 hours.',
  params,
  body: rotateBody,
  bodyOptional: true,
  responses: { 200: processorResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

export function processorRoutes(router: Router, deps: Deps): void {
  const serialize = (row: ConnectionRow) => serializeConnection(deps.config, row)
  const body = (row: ConnectionRow) => ({ processor: serialize(row) })
  const get = async (instanceId: string, id: string) =>
    serialize(await getConnection(deps.db, instanceId, id))

  router.on(create, async (c, { body: { processor: input } }) => {
    const actorSession = await callerActorSession(deps, c)
    const instance = c.get('instance')
    return idempotentOperation(deps, c, {
      act: async (reserve) => {
        const made = await createConnection(deps, instance, input, { actorSession, reserve })
        return { body: body(made), isFinal: true }
      },
      reread: async (id) => ({ processor: await get(instance.id, id) }),
      callMs: ASKING_MS,
    })
  })

  collectionRoutes(router, deps, {
    name: ['processor', 'processors'],
    schema: processor,
    params,
    description: { get: 'Returns a processor without its secrets.' },
    filters: PROCESSOR_FILTERS,
    list: listConnections,
    get,
    serialize: (rows) => rows.map(serialize),
  })

  router.on(update, async (c, { params: { id }, body: { processor: change } }) => {
    const actorSession = await callerActorSession(deps, c)
    const request = { change, actorSession, ifMatch: readIfMatch(c) }
    return c.json(body(await changeConnection(deps, c.get('instance'), id, request)))
  })

  router.on(remove, async (c, { params: { id } }) => {
    const actorSession = await callerActorSession(deps, c)
    await disableConnection(deps, c.get('instance'), id, actorSession)
    return c.body(null, 204)
  })

  router.on(check, async (c, { params: { id } }) => {
    const actorSession = await callerActorSession(deps, c)
    return idempotentRepeatable(deps, c, async () =>
      body(await checkConnection(deps, c.get('instance'), id, actorSession)),
    )
  })

  router.on(rotate, async (c, { params: { id }, body: request }) => {
    const actorSession = await callerActorSession(deps, c)
    const instance = c.get('instance')
    const secret = request?.processor?.webhook_secret
    return idempotentOperation(deps, c, {
      act: async (reserve) => {
        const options = { secret, actorSession, reserve }
        const rotated = await rotateWebhookSecret(deps, instance, id, options)
        return { body: body(rotated), isFinal: true }
      },
      reread: async (id) => ({ processor: await get(instance.id, id) }),
      callMs: ASKING_MS,
    })
  })
}
