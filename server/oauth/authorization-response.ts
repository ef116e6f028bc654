import type { User } from '../db/tables/users.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { type AuditActor, recordAudit } from '../audit/record-audit.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { lockInstance } from '../instances/store.ts'
import { lockUnchangedUser } from '../users/store.ts'
import { CODE_LIFETIME_MS } from './issue-tokens.ts'
import { appendParameters } from './request-parameters.ts'
import type { AuthorizationRequest, AuthorizationError } from './authorization-request.ts'
import { insertCode, insertGrant } from './grant-store.ts'

/**
 * Creates the grant and its authorization code. Returns the URL to redirect the browser to (RFC 6749
 * section 4.1.2), or undefined when the instance or the user was disabled, or the password changed,
 * since the consent page was rendered.
 */
export async function issueAuthorizationCode(
  deps: Deps,
  request: AuthorizationRequest,
  { user, instanceId, by }: { user: User; instanceId: string; by: AuditActor },
): Promise<string | undefined> {
  const code = newSecret('cd')
  const now = deps.now()
  const created = formatInstant(now)
  const grantId = newId('og', now)
  const isIssued = await inTransaction(deps.db, async (tx) => {
    const instance = await lockInstance(tx, instanceId)
    if (instance.disabled !== null) return false
    if (!(await lockUnchangedUser(tx, user))) return false
    await insertGrant(tx, {
      id: grantId,
      client_id: request.client.id,
      instance_id: instanceId,
      user_id: user.id,
      scopes: request.scopes,
      created,
      revoked: null,
      last_used: null,
    })
    await insertCode(tx, {
      hash: hashSecret(code),
      grant_id: grantId,
      client_id: request.client.id,
      redirect_url: request.redirectUrl,
      challenge: request.challenge ?? null,
      created,
      expires: formatInstant(now + CODE_LIFETIME_MS),
      used: null,
    })
    await recordAudit(tx, {
      at: now,
      by,
      of: { instance: instance.id },
      action: 'grant.approved',
      about: grantId,
      detail: { client: request.client.id, scopes: request.scopes.split(' ') },
    })
    return true
  })
  if (!isIssued) return undefined
  return appendParameters(request.redirectUrl, { code, state: request.state })
}

/** Returns the URL to redirect the browser to (RFC 6749 section 4.1.2.1). */
export function errorResponse(request: AuthorizationRequest, error: AuthorizationError): string {
  return appendParameters(request.redirectUrl, {
    error: error.code,
    error_description: error.description,
    state: request.state,
  })
}
