import { containsCardNumber, withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { NO_CARD_NUMBER } from '../../shared/schemas/common.ts'
import { commandLineActor } from '../audit/command-line-actor.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/tables.ts'
import { SCOPES } from '../../shared/rules/scopes.ts'
import { newId } from '../ids.ts'
import { redirectUriError, registeredRedirectUrls } from './redirect-uri.ts'
import { resolveScopes } from './scopes.ts'
import { findClient, insertClient, listClients, markClientDisabled } from './client-store.ts'
import { endGrants } from './grant-store.ts'

export interface NewClient {
  name: string
  redirectUrls: readonly string[]
  /** Separated by spaces. `read write` when undefined. */
  scopes?: string | undefined
  requirePkce?: boolean
  /** A public client (RFC 6749 section 2.1) has no secret and must use PKCE. */
  isPublic?: boolean
  /** Allows redirect URLs with http on localhost. */
  development?: boolean
}

const NAME_LENGTH_MAX = 100
const REDIRECT_URLS_MAX = 50

/**
 * Registers a client. Its secret is stored as a hash and returned only here. Throws an Error when an
 * input is invalid.
 */
export async function createClient(
  deps: { db: Db; now: () => number },
  input: NewClient,
): Promise<{ clientId: string; clientSecret: string | undefined; scopes: string }> {
  const name = input.name.trim()
  assertName(name)
  assertRedirectUrls(input)
  // By default without what `write` leaves out, which a platform has to be registered for by name.
  const scopes = resolveScopes(input.scopes ?? 'read write', SCOPES.join(' '))
  if (scopes === undefined) {
    throw new Error(`--scope must be a list of scopes such as ${SCOPES.slice(0, 4).join(', ')}`)
  }
  const secret = input.isPublic ? undefined : newSecret('cs')
  const now = deps.now()
  const clientId = newId('oc', now)
  await insertClient(deps.db, {
    id: clientId,
    name,
    secret_hash: secret === undefined ? null : hashSecret(secret),
    redirect_urls: JSON.stringify(input.redirectUrls),
    scopes,
    require_pkce: input.requirePkce || input.isPublic ? 1 : 0,
    created: formatInstant(now),
    disabled: null,
  })
  return { clientId, clientSecret: secret, scopes }
}

function assertName(name: string): void {
  // The consent page shows it, so it must not contain invisible or bidirectional characters.
  if (
    name === '' ||
    Array.from(name).length > NAME_LENGTH_MAX ||
    /[\p{C}\p{Zl}\p{Zp}]/u.test(name)
  ) {
    throw new Error(`The client name must be 1 to ${NAME_LENGTH_MAX} visible characters`)
  }
  if (containsCardNumber(name)) throw new Error(`The client name ${NO_CARD_NUMBER.error}`)
}

function assertRedirectUrls({ redirectUrls, development }: NewClient): void {
  if (redirectUrls.length === 0) throw new Error('A client must have a redirect URL')
  if (redirectUrls.length > REDIRECT_URLS_MAX) {
    throw new Error(`A client can have at most ${REDIRECT_URLS_MAX} redirect URLs`)
  }
  for (const url of redirectUrls) {
    const error = redirectUriError(url, development ?? false)
    if (error) throw new Error(withoutCardNumbers(`The redirect URL ${url} ${error}`))
  }
}

export async function listClientSummaries(db: Db) {
  return (await listClients(db)).map((client) => ({
    client_id: client.id,
    name: client.name,
    redirect_urls: registeredRedirectUrls(client),
    scope: client.scopes,
    public: client.secret_hash === null,
    require_pkce: client.require_pkce === 1,
    created: client.created,
    disabled: client.disabled,
  }))
}

/**
 * Disables a client and revokes all its grants. Returns false when there is no active client with this
 * id.
 */
export async function disableClient(
  deps: { db: Db; now: () => number },
  id: string,
): Promise<boolean> {
  const at = deps.now()
  return inTransaction(deps.db, async (tx) => {
    if (!(await markClientDisabled(tx, id, formatInstant(at)))) return false
    await endGrants(tx, { client_id: id }, { by: commandLineActor(), at })
    return true
  })
}

/** Revokes the grants of one instance to one client. Returns their number. */
export async function revokeClientGrants(
  deps: { db: Db; now: () => number },
  clientId: string,
  instanceId: string,
): Promise<number> {
  const filter = { client_id: clientId, instance_id: instanceId }
  return inTransaction(deps.db, (tx) =>
    endGrants(tx, filter, { by: commandLineActor(), at: deps.now() }),
  )
}

/** Returns the name of the client that an authorization request is from. */
export async function findClientName(db: Db, authorizePath: string): Promise<string | undefined> {
  const [, query = ''] = authorizePath.split('?', 2)
  const id = new URLSearchParams(query).get('client_id')
  return id === null ? undefined : (await findClient(db, id))?.name
}
