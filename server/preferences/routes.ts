import { formatInstant } from '../../shared/rules/time.ts'
import { commonErrors, nestedError } from '../../shared/schemas/error-bodies.ts'
import { preferencesResponse, updatePreferencesRequest } from '../../shared/schemas/preferences.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import type { AppContext, Route, Router } from '../http/router.ts'
import { changePreferences, readPreferences } from './store.ts'

/** `/preferences`: how the calling user has set up the console. */

const OWN = 'They are those of the user who calls, for all instances. Keys and platforms have none.'

const read = {
  method: 'get',
  path: '/preferences',
  tag: 'preferences',
  operation: 'get_preferences',
  summary: 'Get preferences',
  description: `Returns theme, time zone, columns and saved views of the console. ${OWN}`,
  byArea: true,
  responses: { 200: preferencesResponse, 403: nestedError, ...commonErrors },
} as const satisfies Route

const change = {
  method: 'put',
  path: '/preferences',
  tag: 'preferences',
  operation: 'update_preferences',
  summary: 'Change preferences',
  description: `Changes the given members, and returns all. \`views\` and \`columns\` are replaced whole. ${OWN}`,
  byArea: true,
  body: updatePreferencesRequest,
  responses: { 200: preferencesResponse, 403: nestedError, ...commonErrors },
} as const satisfies Route

export function preferencesRoutes(router: Router, deps: Deps): void {
  router.on(read, async (c) => {
    return c.json({ preferences: await readPreferences(deps.db, requireUser(c)) })
  })
  router.on(change, async (c, { body }) => {
    const user = requireUser(c)
    const now = formatInstant(deps.realNow())
    const preferences = await inTransaction(deps.db, (tx) =>
      changePreferences(tx, user, body.preferences, now),
    )
    return c.json({ preferences })
  })
}

function requireUser(c: AppContext): string {
  const { type, user } = c.get('actor')
  if (type === 'USER' && user !== undefined) return user
  throw new ApiError('FORBIDDEN', 'Only users have preferences')
}
