import type { MiddlewareHandler } from 'hono'
import type { Instance } from '../db/rows.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../actor-sessions/store.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { UnauthorizedError, notFound, tooManyRequests } from '../errors.ts'
import type { AppContext } from '../http/router.ts'
import { findInstance } from '../instances/store.ts'
import { findInstanceByKeyHash, isKnownKey } from '../instances/secret-keys.ts'
import { type BasicCredentials, parseBasicCredentials } from '../auth/basic-credentials.ts'
import { recordApiKeyUse } from '../instances/api-key-usage.ts'
import { hashSecret } from '../auth/secrets.ts'
import { TooManyAttempts, verifyPassword } from '../users/verify-password.ts'

declare module 'hono' {
  interface ContextVariableMap {
    /** The instance that the request may access. Set on API routes only. */
    instance: Instance
    /** The caller of the merchant API. Set with `instance`. */
    actor: Actor
  }
}

/**
 * Basic authentication for `/c/api/instances/{instance_key}/…` (specification: Authentication).
 *
 * Credentials are judged before the instance key: wrong ones are 401 on any path, and only a
 * caller with right ones learns that an instance is unknown. Another merchant's instance is as
 * unknown as one that never existed.
 */
export function basicAuth(deps: Deps): MiddlewareHandler {
  return async function basicAuthentication(c, next) {
    if (isForToken(c)) return next()
    const credentials = parseBasicCredentials(c.req.header('authorization'))
    if (!credentials) throw new UnauthorizedError()
    const key = c.req.param('instance_key') ?? ''
    const { instance, actor } =
      credentials.password === ''
        ? await bySecretKey(deps, credentials.username, key)
        : await byPassword(deps, { ...credentials, address: clientInfo(c).ip }, key)
    if (!instance) throw notFound('Instance')
    c.set('instance', instance)
    c.set('actor', { ...actor, ...clientInfo(c) })
    await withClockOf(instance, next)
  }
}

/**
 * `/c/api/instances/{key}` with a token is a request for the settings of the token's own instance;
 * with anything behind it, it is our prefix, which no token opens.
 */
function isForToken(c: AppContext): boolean {
  const [, ...behind] = c.req.path.replace('/c/api/instances/', '').split('/')
  return behind.length === 0 && /^bearer /i.test(c.req.header('authorization') ?? '')
}

/** Who called, and the instance that they may touch; undefined when it is not theirs. */
interface Caller {
  instance: Instance | undefined
  actor: Actor
}

/** A secret key opens its own instance only. */
async function bySecretKey(deps: Deps, secret: string, key: string): Promise<Caller> {
  const hash = hashSecret(secret)
  const instance = await findInstanceByKeyHash(deps.db, hash)
  if (!instance) throw await wrongKey(deps, hash)
  await recordApiKeyUse(deps, hash)
  return {
    instance: instance.key === key ? instance : undefined,
    actor: { type: 'API_KEY', credential: hash },
  }
}

/** A key that is revoked was ours once: it is in use somewhere, or in strange hands. */
async function wrongKey({ db }: Deps, hash: string): Promise<UnauthorizedError> {
  const known = await isKnownKey(db, hash)
  return new UnauthorizedError(undefined, { event: known ? 'revoked_key_used' : 'unauthenticated' })
}

/** A user reaches every instance of their merchant. */
async function byPassword(
  deps: Deps,
  given: BasicCredentials & { address: string | undefined },
  key: string,
): Promise<Caller> {
  const user = await verifyPassword(deps, { ...given, email: given.username }).catch(askToWait)
  if (!user) throw new UnauthorizedError()
  const instance = await findInstance(deps.db, user.merchant_id, key)
  return {
    instance: instance?.disabled === null ? instance : undefined,
    actor: { type: 'USER', user: user.id },
  }
}

function askToWait(error: unknown): never {
  if (!(error instanceof TooManyAttempts)) throw error
  throw tooManyRequests('Too many wrong passwords; try again later', error.waitMs)
}
