import { timingSafeEqual } from 'node:crypto'
import type { ClientRow } from '../db/rows.ts'
import { hashSecret } from '../auth/secrets.ts'
import type { Db } from '../db/tables.ts'
import type { Form } from '../http/form.ts'
import { OAuthError } from './oauth-error.ts'
import { findClient } from './store.ts'

/**
 * Which client sends a request to the token or revocation endpoint: by Basic, which is recommended,
 * or by the fields `client_id` and `client_secret` (specification: OAuth endpoints).
 *
 * Decided before anything else, so that nobody but the client learns a thing about a code or token.
 */
export async function authenticateClient(
  db: Db,
  authorization: string | undefined,
  form: Form,
): Promise<ClientRow> {
  const { id, secret } = credentialsOf(authorization, form)
  const client = id === undefined ? undefined : await findClient(db, id)
  if (!client || !isRight(client, secret)) throw invalidClient()
  return client
}

interface Credentials {
  id: string | undefined
  secret: string | undefined
}

function credentialsOf(authorization: string | undefined, form: Form): Credentials {
  // A field that was sent empty counts as left out.
  const [id, secret] = [form.get('client_id') || undefined, form.get('client_secret') || undefined]
  if (authorization === undefined) return { id, secret }
  const basic = readBasic(authorization)
  if ((id ?? basic.id) !== basic.id || (secret ?? basic.secret) !== basic.secret) {
    throw new OAuthError('invalid_request', 'header and body name different clients')
  }
  return basic
}

/** RFC 6749 section 2.3.1: both halves are form-encoded before they become Basic. */
function readBasic(authorization: string): Credentials {
  const encoded = /^basic +([0-9a-z+/]+={0,2})$/i.exec(authorization)?.[1]
  if (encoded === undefined) throw invalidClient()
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1) throw invalidClient()
  try {
    const [id, secret] = [text.slice(0, colon), text.slice(colon + 1)].map((half) =>
      decodeURIComponent(half.replaceAll('+', ' ')),
    )
    return { id, secret: secret || undefined }
  } catch {
    throw invalidClient()
  }
}

/** A public client has no secret, and is told apart by PKCE alone. */
function isRight(client: ClientRow, secret: string | undefined): boolean {
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
