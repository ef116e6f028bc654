import { timingSafeEqual } from 'node:crypto'
import type { ClientRow } from '../db/tables/oauth.ts'
import { hashSecret } from '../auth/secrets.ts'
import type { Db } from '../db/tables.ts'
import type { Form } from '../http/form.ts'
import { OAuthError } from './oauth-error.ts'
import { findClient } from './client-store.ts'

/**
 * Authenticates the client of a token or revocation request, by Basic or by the fields `client_id`
 * and `client_secret` (RFC 6749 section 2.3.1). Throws OAuthError `invalid_client`.
 */
export async function authenticateClient(
  db: Db,
  authorization: string | undefined,
  form: Form,
): Promise<ClientRow> {
  const { id, secret } = readCredentials(authorization, form)
  const client = id === undefined ? undefined : await findClient(db, id)
  if (!client || !matchesSecret(client, secret)) throw invalidClient()
  return client
}

interface Credentials {
  id: string | undefined
  secret: string | undefined
}

function readCredentials(authorization: string | undefined, form: Form): Credentials {
  const [id, secret] = [form.get('client_id') || undefined, form.get('client_secret') || undefined]
  if (authorization === undefined) return { id, secret }
  const basic = parseBasic(authorization)
  if ((id ?? basic.id) !== basic.id || (secret ?? basic.secret) !== basic.secret) {
    throw new OAuthError('invalid_request', 'the header and the body contain different credentials')
  }
  return basic
}

/** The id and the secret are form-encoded before they are joined (RFC 6749 section 2.3.1). */
function parseBasic(authorization: string): Credentials {
  const encoded = /^basic +([0-9a-z+/]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) throw invalidClient()
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) throw invalidClient()
  try {
    const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    )
    return { id, secret: secret || undefined }
  } catch {
    throw invalidClient()
  }
}

/** A public client has no secret and must send none. */
function matchesSecret(client: ClientRow, secret: string | undefined): boolean {
  if (client.secret_hash === null) return secret === undefined
  if (secret === undefined) return false
  return timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(client.secret_hash))
}

function invalidClient(): OAuthError {
  return new OAuthError('invalid_client', 'client credentials are missing or wrong', {
    headers: { 'WWW-Authenticate': 'Basic realm="Checkstand", charset="UTF-8"' },
    recordedAs: { event: 'oauth_client_refused' },
  })
}
