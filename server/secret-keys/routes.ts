import { z } from 'zod'
import {
  commonErrors,
  flatError,
  idempotencyErrors,
  nestedError,
} from '../../shared/schemas/error-bodies.ts'
import {
  createSecretKeyRequest as createBody,
  secretKey,
  secretKeyResponse,
  updateSecretKeyRequest as updateBody,
} from '../../shared/schemas/secret-key.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import type { Deps } from '../deps.ts'
import { collectionRoutes } from '../http/collection-routes.ts'
import { idempotent } from '../http/idempotency.ts'
import type { AppContext, Route, Router } from '../http/router.ts'
import { requireStepUp } from '../http/step-up.ts'
import { type ChangedKey, changeSecretKey, revokeSecretKeyById } from './change.ts'
import { createSecretKey } from './create.ts'
import { SECRET_KEY_FILTERS } from './filters.ts'
import { serializeSecretKey } from './serialize.ts'
import { getSecretKey, readSecretKeys } from './store.ts'

const tag = 'secret-keys'
const params = z.object({ id: z.string() })

const create = {
  method: 'post',
  path: '/secret_keys',
  tag,
  summary: 'Create a secret key',
  description:
    'Creates a secret key with or without scopes and an expiry. The secret is returned only in this ' +
    'response. With `replaces`, a key is rotated: the former one works for 24 more hours.',
  body: createBody,
  stepUp: true,
  responses: { 200: secretKeyResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/secret_keys/:id',
  tag,
  summary: 'Update a secret key',
  description:
    'Changes the name or the expiry of a secret key and keeps what is not given. Fails for a key that ' +
    'is revoked or expired.',
  params,
  body: updateBody,
  responses: { 200: secretKeyResponse, ...commonErrors },
} as const satisfies Route

const remove = {
  method: 'delete',
  path: '/secret_keys/:id',
  tag,
  operation: 'revoke_secret_key',
  summary: 'Revoke a secret key',
  description: 'Revokes a secret key, which stops to work at once and stays in the list.',
  params,
  responses: { 204: null, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

/** Secret keys of the instance. No token and no key with scopes reaches them. */
export function secretKeyRoutes(router: Router, deps: Deps): void {
  router.on(create, async (c, { body }) => {
    const maker = {
      session: await callerActorSession(deps, c),
      actor: c.get('actor'),
      permitted: c.get('permitted'),
    }
    let secret: string | undefined
    const response = await idempotent(deps, c, async (deps) => {
      const made = await createSecretKey(deps, c.get('instance'), body.secret_key, maker)
      secret = made.secret
      return { secret_key: serializeSecretKey(made.row) }
    })
    // The response is stored for repeated requests, and secrets are not stored.
    if (response.headers.has('Idempotent-Replayed')) return response
    const stored = (await response.json()) as z.output<typeof secretKeyResponse>
    return c.json({ secret_key: { ...stored.secret_key, secret } })
  })

  collectionRoutes(router, deps, {
    name: ['secret_key', 'secret_keys'],
    schema: secretKey,
    params,
    description: {
      list: 'Lists the secret keys, also those that are revoked or expired, newest first by default.',
      get: 'Returns a secret key without its secret.',
    },
    filters: SECRET_KEY_FILTERS,
    list: readSecretKeys,
    get: async (instanceId, id) => serializeSecretKey(await getSecretKey(deps.db, instanceId, id)),
    serialize: (rows) => rows.map(serializeSecretKey),
  })

  router.on(update, async (c, { params: { id }, body }) => {
    // Otherwise a session that was left open could free a stolen key.
    if (body.secret_key.allowed_addresses !== undefined) requireStepUp(c, deps.realNow())
    const changed = await changeSecretKey(deps, ownKey(c, id), body.secret_key)
    return c.json({ secret_key: serializeSecretKey(changed) })
  })

  router.on(remove, async (c, { params: { id } }) => {
    await revokeSecretKeyById(deps, ownKey(c, id))
    return c.body(null, 204)
  })
}

/** A key of the caller's instance, and who asks for its change. */
function ownKey(c: AppContext, id: string): ChangedKey {
  return { id, instance: c.get('instance'), by: c.get('actor') }
}
