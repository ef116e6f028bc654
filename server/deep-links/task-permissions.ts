import type { Permission } from '../../shared/rules/permissions.ts'
import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import { type RestrictedCaller, requireOne } from '../http/scopes.ts'

type Action = DeepLinkRow['action']

/**
 * What the task of a link does. The URL of a link is all that its task needs, so only callers who could do
 * the same by the API may make such a link or read its id.
 */
const DONE_BY_TASK: Readonly<Partial<Record<Action, Permission>>> = {
  ADD_PAYMENT_METHOD: 'accounts:write',
  MANAGE_CONTRACT: 'charges:write',
}

/** Throws a 403 ApiError if the caller may not do what the task of such a link does. */
export function requireTask(caller: RestrictedCaller | undefined, action: Action): void {
  const needed = DONE_BY_TASK[action]
  if (caller && needed) requireOne(caller, needed)
}

/** Returns the actions whose links the caller must not see. */
export function hiddenActions(caller: RestrictedCaller | undefined): Action[] {
  if (!caller) return []
  return (Object.entries(DONE_BY_TASK) as [Action, Permission][])
    .filter(([, needed]) => !caller.permitted.has(needed))
    .map(([action]) => action)
}
