import { z } from 'zod'
import { flatError, nestedError } from '../../shared/schemas/error-bodies.ts'
import { oauthGrant, type OauthGrant } from '../../shared/schemas/oauth-grant.ts'
import type { Fields } from '../criteria/fields.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { listRoute } from '../http/collection-routes.ts'
import type { Route, Router } from '../http/router.ts'
import { endGrants, getGrant, type GrantSummary, readGrants } from './grant-store.ts'

export const GRANT_FILTERS: Fields = {
  id: { type: 'id', column: 'oauth_grants.id', notNull: true },
  created: { type: 'date', column: 'oauth_grants.created', notNull: true },
  last_used: { type: 'date', column: 'oauth_grants.last_used' },
  client: { type: 'id', column: 'oauth_grants.client_id', notNull: true },
  user: { type: 'id', column: 'oauth_grants.user_id', notNull: true },
}

const remove = {
  method: 'delete',
  path: '/oauth_grants/:id',
  tag: 'oauth-grants',
  operation: 'end_oauth_grant',
  summary: 'End the access of a platform',
  description:
    'Ends a grant with all of its tokens, which stop to work at once. The platform has to be approved ' +
    'again. A grant that has ended already stays so.',
  params: z.object({ id: z.string() }),
  stepUp: true,
  responses: { 204: null, 401: flatError, 404: nestedError, 500: nestedError },
} as const satisfies Route

/** `/oauth_grants`: the platforms that act for the instance. No token and no key with scopes reaches them. */
export function grantRoutes(router: Router, deps: Deps): void {
  listRoute(router, deps, {
    name: ['oauth_grant', 'oauth_grants'],
    title: ['grant', 'grants'],
    schema: oauthGrant,
    description: {
      list: 'Lists the platforms that may act for this instance, newest first by default.',
    },
    filters: GRANT_FILTERS,
    list: readGrants,
    serialize: (rows) => rows.map(serializeGrant),
  })

  router.on(remove, async (c, { params: { id } }) => {
    const grant = await getGrant(deps.db, c.get('instance').id, id)
    await inTransaction(deps.db, (tx) =>
      endGrants(tx, { id: grant.id }, { by: c.get('actor'), at: deps.realNow() }),
    )
    return c.body(null, 204)
  })
}

function serializeGrant(row: GrantSummary): OauthGrant {
  return {
    id: row.id,
    client: { id: row.client_id, name: row.client },
    user: { id: row.user_id, email: row.user },
    scopes: row.scopes.split(' '),
    created: row.created,
    last_used: row.last_used,
  }
}
