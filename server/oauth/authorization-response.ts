import type { User } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { hashSecret, newSecret } from '../auth/secrets.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { newId } from '../ids.ts'
import { lockInstance } from '../instances/store.ts'
import { lockUnchangedUser } from '../users/store.ts'
import { CODE_LIFETIME_MS } from './issue-tokens.ts'
import { appendParameters } from './request-parameters.ts'
import type { AuthorizationRequest, AuthorizationError } from './authorization-request.ts'
import { insertCode, insertGrant } from './store.ts'

/** The answers to an authorisation request, each an address to send the browser to. */

/**
 * The user approved: a grant, and the code that the platform exchanges (RFC 6749 section 4.1.2).
 * Undefined when the instance was disabled since it was offered, or the user was or has another
 * password since they signed in: that has ended what they had granted, and must end this as well.
 */
export async function issueAuthorizationCode(
  deps: Deps,
  request: AuthorizationRequest,
  by: { user: User; instanceId: string },
): Promise<string | undefined> {
  const code = newSecret('cd')
  const now = deps.now()
  const created = formatInstant(now)
  const grantId = newId('og', now)
  const isOpen = await inTransaction(deps.db, async (tx) => {
    if ((await lockInstance(tx, by.instanceId)).disabled !== null) return false
    if (!(await lockUnchangedUser(tx, by.user))) return false
    await insertGrant(tx, {
      id: grantId,
      client_id: request.client.id,
      instance_id: by.instanceId,
      user_id: by.user.id,
      scopes: request.scopes,
      created,
      revoked: null,
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
    return true
  })
  if (!isOpen) return undefined
  return appendParameters(request.redirectUrl, { code, state: request.state })
}

/** The user did not approve. */
export function accessDeniedResponse(request: AuthorizationRequest): string {
  return appendParameters(request.redirectUrl, {
    error: 'access_denied',
    error_description: 'the user did not approve',
    state: request.state,
  })
}

/** The platform asked for what it cannot have (RFC 6749 section 4.1.2.1). */
export function errorResponse(request: AuthorizationRequest, problem: AuthorizationError): string {
  return appendParameters(request.redirectUrl, {
    error: problem.error,
    error_description: problem.description,
    state: request.state,
  })
}
