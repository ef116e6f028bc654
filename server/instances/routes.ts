import { z } from 'zod'
import type { Instance } from '../db/tables/instances.ts'
import type { Tx } from '../db/tables.ts'
import { commonErrors, nestedError } from '../../shared/schemas/error-bodies.ts'
import { instanceResponse, updateInstanceRequest } from '../../shared/schemas/instance.ts'
import type { Deps } from '../deps.ts'
import { readIfMatch } from '../http/if-match.ts'
import { ApiError, notFound } from '../errors.ts'
import { type AppContext, restrictedCaller, type Route, type Router } from '../http/router.ts'
import { requireOne } from '../http/scopes.ts'
import { requireStepUp } from '../http/step-up.ts'
import { type BrandingStrings, changeInstance, REFUND_LIMITS } from './change.ts'
import { serializeInstance } from './serialize.ts'

/** `/instances/{key}`: the settings of the caller's instance. */

const params = z.object({ key: z.string() })

const read = {
  method: 'get',
  path: '/instances/:key',
  tag: 'instances',
  summary: 'Get an instance',
  description: 'Returns the settings of the instance that the credentials belong to.',
  params,
  responses: { 200: instanceResponse, ...commonErrors },
} as const satisfies Route

const update = {
  method: 'put',
  path: '/instances/:key',
  tag: 'instances',
  summary: 'Update an instance',
  description:
    'Changes the given settings and keeps all others. A list, such as the brandings, is ' +
    'replaced as a whole.',
  params,
  body: updateInstanceRequest,
  orPermission: 'brandings:write',
  responses: { 200: instanceResponse, 409: nestedError, ...commonErrors },
} as const satisfies Route

/** `mayChange` returns whether the caller may change another instance of the merchant. */
export function instanceRoutes(
  router: Router,
  deps: Deps,
  wording: BrandingStrings,
  mayChange: (c: AppContext, tx: Tx, other: Instance) => Promise<boolean>,
): void {
  router.on(read, async (c, { params: { key } }) =>
    c.json({ instance: serializeInstance(own(c, key)) }),
  )

  router.on(update, async (c, { params: { key }, body }) => {
    requireSettings(c, body)
    const limit = REFUND_LIMITS.find((name) => body.instance[name] !== undefined)
    if (limit !== undefined) {
      requireOwner(c, `instance.${limit}`)
      // Otherwise one could lift the limit and then refund.
      requireStepUp(c, deps.realNow())
    }
    const changed = await changeInstance(deps, own(c, key).id, body.instance, {
      force: body.force ?? false,
      wording,
      by: c.get('actor'),
      ifMatch: readIfMatch(c),
      mayChange: (tx, other) => mayChange(c, tx, other),
    })
    return c.json({ instance: serializeInstance(changed) })
  })
}

/** Throws a 403 ApiError for a caller who may change brandings only, and changes more. */
function requireSettings(
  c: AppContext,
  { instance, force }: z.output<typeof updateInstanceRequest>,
) {
  const caller = restrictedCaller(c)
  // Removing a branding deletes its strings, also those of languages that an editor may not write.
  const isMore = force === true || Object.keys(instance).some((member) => member !== 'brandings')
  if (caller && (isMore || !caller.permitted.has('brandings:write'))) {
    requireOne(caller, 'instances:write')
  }
}

/** Throws a 404 ApiError for any other instance than the caller's. */
function own(c: AppContext, key: string): Instance {
  const instance = c.get('instance')
  if (instance.key !== key) throw notFound('Instance')
  return instance
}

/** Throws a 403 ApiError for a restricted caller who is no owner: whom a limit binds must not lift it. */
function requireOwner(c: AppContext, member: string): void {
  if (!restrictedCaller(c) || c.get('role') === 'OWNER') return
  throw new ApiError('FORBIDDEN', `${member} can be changed by owners only`, {
    recordedAs: { event: 'role_refused', limit: member },
  })
}
