import { EVERY_PERMISSION } from '../../shared/rules/permissions.ts'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import { whoamiResponse, type Whoami } from '../../shared/schemas/whoami.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import type { AppContext, Route, Router } from '../http/router.ts'
import { listMerchantInstances } from '../instances/store.ts'
import { findSecretKey } from '../secret-keys/store.ts'
import { findClient } from '../oauth/client-store.ts'
import { findUserById } from '../users/store.ts'
import { canSeeInstance } from '../users/can-see-instance.ts'

const whoami = {
  method: 'get',
  path: '/whoami',
  tag: 'whoami',
  operation: 'get_whoami',
  summary: 'Get the caller',
  description:
    'Returns who calls the API: the user, secret key or platform, with the instances and permissions ' +
    'that the credentials give access to.',
  withoutSecondFactor: true,
  responses: { 200: whoamiResponse, ...commonErrors },
} as const satisfies Route

/** `GET /whoami`. */
export function whoamiRoutes(router: Router, deps: Deps): void {
  router.on(whoami, async (c) => c.json({ whoami: await describeCaller(deps, c) }))
}

async function describeCaller(deps: Deps, c: AppContext): Promise<Whoami> {
  const { type, user: userId, client: clientId, credential } = c.get('actor')
  const instance = c.get('instance')
  const isUser = type === 'USER' && userId !== undefined
  const user = isUser ? await findUserById(deps.db, userId) : undefined
  const key =
    type === 'API_KEY' && credential !== undefined
      ? await findSecretKey(deps.db, credential)
      : undefined
  const client = clientId === undefined ? undefined : await findClient(deps.db, clientId)
  const instances = user
    ? (await listMerchantInstances(deps.db, user.merchant_id)).filter((one) =>
        canSeeInstance(user, one),
      )
    : [instance]
  return {
    type: type as Whoami['type'],
    user: user ? { id: user.id, email: user.email, role: user.role } : null,
    key: key ? { id: key.id, name: key.name } : null,
    client: client ? { name: client.name } : null,
    instance: nameOf(instance),
    instances: instances.map(nameOf),
    permissions: [...(c.get('permitted') ?? EVERY_PERMISSION)],
  }
}

function nameOf({
  key,
  name,
  mode,
  twin,
}: Pick<Instance, 'key' | 'name' | 'mode' | 'twin'>): Whoami['instance'] {
  return { key, name, mode, twin }
}
