import { z } from 'zod'
import { accountResponse, anonymiseAccountRequest } from '../../shared/schemas/account.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import type { Deps } from '../deps.ts'
import { idempotentRepeatable } from '../http/idempotency.ts'
import type { Route, Router } from '../http/router.ts'
import { commonErrors, idempotencyErrors } from '../../shared/schemas/error-bodies.ts'
import { anonymiseAccount } from './anonymise.ts'

const anonymise = {
  method: 'post',
  path: '/accounts/:account_id/anonymise',
  tag: 'accounts',
  summary: 'Anonymise an account',
  description:
    'Removes for good what identifies the customer: from the account, its payments, sessions and ' +
    'links, from events and from stored responses. Amounts, ids and times stay. Its payment methods ' +
    'are removed, here and at their processors; unpaid links that name the account are archived. The ' +
    'account gets the status ARCHIVED and cannot be changed any more. Refused with INVALID_STATE ' +
    'while a contract of the account is active or paused, or a payment of it has no outcome.',
  params: z.object({
    account_id: z.string().meta({ description: 'Account id or crm_key.' }),
  }),
  body: anonymiseAccountRequest,
  bodyOptional: true,
  responses: { 200: accountResponse, ...commonErrors, ...idempotencyErrors },
} as const satisfies Route

export function privacyRoutes(router: Router, deps: Deps): void {
  router.on(anonymise, async (c, { params: { account_id: idOrKey } }) => {
    const by = await callerActorSession(deps, c)
    return idempotentRepeatable(deps, c, async () => ({
      account: await anonymiseAccount(deps, c.get('instance').id, idOrKey, by),
    }))
  })
}
