import type { MiddlewareHandler } from 'hono'
import type { Permission } from '../../shared/rules/permissions.ts'
import { permissionsOf } from '../../shared/rules/scopes.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Instance } from '../db/tables/instances.ts'
import { withClockOf } from '../clock.ts'
import type { Deps } from '../deps.ts'
import type { Actor } from '../actor-sessions/store.ts'
import { clientInfo } from '../actor-sessions/caller.ts'
import { ApiError, UnauthorizedError, notFound, tooManyRequests } from '../errors.ts'
import type { AppContext } from '../http/router.ts'
import { allowedAddressesOf, isAllowed } from '../secret-keys/allowed-addresses.ts'
import { auditRefusedKey } from '../secret-keys/audit-refusal.ts'
import { findByKeyHash, findSecretKey, type KeyAccess } from '../secret-keys/store.ts'
import { type BasicCredentials, parseBasicCredentials } from '../auth/basic-credentials.ts'
import { recordApiKeyUse } from '../secret-keys/record-use.ts'
import { hashSecret } from '../auth/secrets.ts'
import { auditFailedSignIn } from '../users/audit-sign-in.ts'
import { hasSecondFactor } from '../users/factors/store.ts'
import { requiresSecondFactor } from '../users/second-factor-policy.ts'
import { accessOfUser, type UserAccess } from './user-access.ts'
import { findActiveUser } from '../users/store.ts'
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
 * Basic authentication for `/c/api/instances/{instance_key}/…`. Wrong credentials are 401 on every
 * path, so only an authenticated caller learns that an instance is unknown. An instance of another
 * merchant is 404 like one that does not exist.
 */
export function basicAuth(deps: Deps): MiddlewareHandler {
  return async function basicAuthentication(c, next) {
    if (c.get('instance') !== undefined || isBearerRequest(c)) return next()
    const credentials = parseBasicCredentials(c.req.header('authorization'))
    if (!credentials) throw new UnauthorizedError()
    const key = c.req.param('instance_key') ?? ''
    const { instance, actor, actingUser, permitted, role } =
      credentials.password === ''
        ? await authenticateSecretKey(deps, c, credentials.username, key)
        : await authenticatePassword(deps, c, credentials, key)
    if (!instance) throw notFound('Instance')
    c.set('instance', instance)
    if (permitted) c.set('permitted', permitted)
    if (role) c.set('role', role)
    if (actingUser) c.set('actingUser', actingUser)
    c.set('actor', { ...actor, ...clientInfo(c) })
    if (actor.type === 'USER' && requiresSecondFactor(deps.config, instance.mode)) {
      c.set('secondFactorMissing', true)
    }
    await withClockOf(instance, next)
  }
}

/**
 * `/c/api/instances/{key}` itself also accepts bearer tokens; paths below it do not. Bearer
 * authentication then handles the request.
 */
function isBearerRequest(c: AppContext): boolean {
  const [, ...rest] = c.req.path.replace('/c/api/instances/', '').split('/')
  return rest.length === 0 && /^bearer /i.test(c.req.header('authorization') ?? '')
}

/** A secret key without scopes has no restriction. */
type AuthenticatedCaller = Pick<UserAccess, 'instance' | 'actor'> &
  Partial<Pick<UserAccess, 'permitted' | 'actingUser' | 'role'>>

/** A secret key gives access to its own instance. */
async function authenticateSecretKey(
  deps: Deps,
  c: AppContext,
  secret: string,
  key: string,
): Promise<AuthenticatedCaller> {
  const hash = hashSecret(secret)
  const found = await findByKeyHash(deps.db, hash, formatInstant(deps.realNow()))
  if (!found) throw await unknownKeyError(deps, hash)
  const { scopes, instance, allowed_addresses } = found
  await requireAllowedAddress(deps, { hash, instance, allowed_addresses, ip: clientInfo(c).ip })
  await recordApiKeyUse(deps, hash)
  return {
    instance: instance.key === key ? instance : undefined,
    actor: { type: 'API_KEY', credential: hash },
    // Scopes that are unknown permit nothing.
    ...(scopes !== null && { permitted: permissionsOf(scopes) ?? new Set<Permission>() }),
  }
}

/** Throws a 403 ApiError for a key that does not work from the client's address. */
async function requireAllowedAddress(
  deps: Deps,
  { hash, instance, allowed_addresses, ip }: UsedKey,
): Promise<void> {
  const networks = allowedAddressesOf({ allowed_addresses })
  if (networks === null || isAllowed(networks, ip)) return
  await auditRefusedKey(deps, { hash, instance: instance.id, ip })
  throw new ApiError(
    'FORBIDDEN',
    `The address ${ip ?? 'of this request'} is not among the allowed_addresses of this secret key`,
    {
      recordedAs: {
        event: 'key_address_refused',
        limit: 'allowed_addresses',
        instance: instance.id,
      },
    },
  )
}

interface UsedKey extends Pick<KeyAccess, 'instance' | 'allowed_addresses'> {
  hash: string
  ip: string | undefined
}

/** The use of a revoked or expired key is recorded as an event of its own: it may be stolen. */
async function unknownKeyError({ db }: Deps, hash: string): Promise<UnauthorizedError> {
  const isKnown = (await findSecretKey(db, hash)) !== undefined
  return new UnauthorizedError(undefined, {
    event: isKnown ? 'revoked_key_used' : 'unauthenticated',
  })
}

/** A user has the access of their role to the instances of their merchant that are theirs. */
async function authenticatePassword(
  deps: Deps,
  c: AppContext,
  credentials: BasicCredentials,
  key: string,
): Promise<AuthenticatedCaller> {
  const user = await verifyPassword(deps, {
    ...credentials,
    email: credentials.username,
    address: clientInfo(c).ip,
  }).catch(rethrowAsApiError)
  if (!user) {
    const named = await findActiveUser(deps.db, credentials.username)
    auditFailedSignIn(deps, c, named, 'PASSWORD')
    throw new UnauthorizedError()
  }
  // A password alone must not be enough anywhere for a user who has a second factor.
  if (await hasSecondFactor(deps.db, user.id)) {
    throw new UnauthorizedError(undefined, { event: 'second_factor_missing' })
  }
  return accessOfUser(deps.db, user, key)
}

function rethrowAsApiError(error: unknown): never {
  if (!(error instanceof TooManyAttempts)) throw error
  throw tooManyRequests('Too many wrong passwords; try again later', error.waitMs)
}
