import { holdsCardNumber, withoutCardNumbers } from '../../shared/rules/card-in-text.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { NO_CARD_NUMBER } from '../../shared/schemas/common.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Db } from '../db/tables.ts'
import { SCOPES } from '../http/scopes.ts'
import { newId } from '../ids.ts'
import { redirectUriError, registeredRedirectUrls } from './redirect-uri.ts'
import { resolveScopes } from './scopes.ts'
import { findClient, insertClient, listClients, markClientDisabled, revokeGrants } from './store.ts'

/** Platforms that act for merchants, as whoever runs the server registers them. */

export interface NewClient {
  name: string
  redirectUrls: readonly string[]
  /** Separated by spaces; everything when left out. */
  scopes?: string | undefined
  requirePkce?: boolean
  /** Has no secret, as a program on somebody's own machine: PKCE takes its place. */
  isPublic?: boolean
  /** May be answered at plain http on localhost. */
  development?: boolean
}

const NAME_LENGTH_MAX = 100
const REDIRECT_URLS_MAX = 50

/**
 * Registers a client. The secret is answered once and cannot be read again. Throws an Error in
 * words for a person when something about it is not allowed.
 */
export async function createClient(
  deps: { db: Db; now: () => number },
  wanted: NewClient,
): Promise<{ clientId: string; clientSecret: string | undefined; scopes: string }> {
  const name = wanted.name.trim()
  checkName(name)
  checkRedirectUrls(wanted)
  const scopes = resolveScopes(wanted.scopes, 'read write')
  if (scopes === undefined) {
    throw new Error(`--scope takes names such as ${SCOPES.slice(0, 4).join(', ')}; see the help`)
  }
  const secret = wanted.isPublic ? undefined : newSecret('cs')
  const now = deps.now()
  const clientId = newId('oc', now)
  await insertClient(deps.db, {
    id: clientId,
    name,
    secret_hash: secret === undefined ? null : hashSecret(secret),
    redirect_urls: JSON.stringify(wanted.redirectUrls),
    scopes,
    require_pkce: wanted.requirePkce || wanted.isPublic ? 1 : 0,
    created: formatInstant(now),
    disabled: null,
  })
  return { clientId, clientSecret: secret, scopes }
}

function checkName(name: string): void {
  // A merchant reads it where they decide, so nothing in it may hide or turn what stands around it.
  if (
    name === '' ||
    Array.from(name).length > NAME_LENGTH_MAX ||
    /[\p{C}\p{Zl}\p{Zp}]/u.test(name)
  ) {
    throw new Error(`A client's name must be 1 to ${NAME_LENGTH_MAX} visible characters`)
  }
  if (holdsCardNumber(name)) throw new Error(`A client's name ${NO_CARD_NUMBER.error}`)
}

function checkRedirectUrls({ redirectUrls, development }: NewClient): void {
  if (redirectUrls.length === 0) throw new Error('A client needs a redirect URL')
  if (redirectUrls.length > REDIRECT_URLS_MAX) {
    throw new Error(`A client may have at most ${REDIRECT_URLS_MAX} redirect URLs`)
  }
  for (const url of redirectUrls) {
    const problem = redirectUriError(url, development ?? false)
    if (problem) throw new Error(withoutCardNumbers(`The redirect URL ${url} ${problem}`))
  }
}

/** A client as a list shows it. */
export interface ClientSummary {
  client_id: string
  name: string
  redirect_urls: string[]
  scope: string
  public: boolean
  require_pkce: boolean
  created: string
  disabled: string | null
}

export async function listClientSummaries(db: Db): Promise<ClientSummary[]> {
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
 * Ends a client and everything that merchants ever granted it, at once. False when there is no such
 * client that still works.
 */
export async function disableClient(
  deps: { db: Db; now: () => number },
  id: string,
): Promise<boolean> {
  const now = formatInstant(deps.now())
  return inTransaction(deps.db, async (tx) => {
    if (!(await markClientDisabled(tx, id, now))) return false
    await revokeGrants(tx, { client_id: id }, now)
    return true
  })
}

/**
 * Ends what one instance granted to one client, at once, and nothing else of either. Answers how
 * many grants that were.
 */
export async function revokeClientGrants(
  deps: { db: Db; now: () => number },
  clientId: string,
  instanceId: string,
): Promise<number> {
  const of = { client_id: clientId, instance_id: instanceId }
  return inTransaction(deps.db, (tx) => revokeGrants(tx, of, formatInstant(deps.now())))
}

/** The name of the client that an authorisation request is from; undefined when it is unknown. */
export async function findClientName(db: Db, authorisePath: string): Promise<string | undefined> {
  const [, query = ''] = authorisePath.split('?', 2)
  const id = new URLSearchParams(query).get('client_id')
  return id === null ? undefined : (await findClient(db, id))?.name
}
