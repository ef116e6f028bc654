import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import { stringAcksResponse, updateStringAcksRequest } from '../../shared/schemas/string-ack.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import type { Route, Router } from '../http/router.ts'
import { upsertAcks } from './ack-store.ts'
import { STRINGS_BODY_BYTES_MAX } from './routes.ts'
import { parseStrings } from './scope.ts'
import { readScope } from './serialize.ts'

const update = {
  method: 'put',
  path: '/string_acks',
  tag: 'string-acks',
  operation: 'update_string_acks',
  summary: 'Find stale strings right',
  description:
    'Notes that stale strings are still right, so that they are no longer marked. Any change of the ' +
    'string, of its base text or of the shipped text brings the mark back.',
  body: updateStringAcksRequest,
  bodyBytesMax: STRINGS_BODY_BYTES_MAX,
  bodyKeysMax: 40_000,
  responses: { 200: stringAcksResponse, ...commonErrors },
} as const satisfies Route

/** `/string_acks`: stale strings that the merchant found right. */
export function stringAckRoutes(router: Router, deps: Deps): void {
  router.on(update, async (c, { body }) => {
    const instance = c.get('instance')
    const acks = parseStrings(instance, body.string_acks, 'string_acks.')
    const created_session = await callerActorSession(deps, c)
    const row = { instance_id: instance.id, created: formatInstant(deps.now()), created_session }
    await inTransaction(deps.db, (tx) =>
      upsertAcks(
        tx,
        acks.map(({ id, language, branding, item }) => ({
          ...row,
          id,
          language,
          branding,
          hash: item.stale_hash,
        })),
      ),
    )
    const scopes = new Map<string, Awaited<ReturnType<typeof readScope>>>()
    const string_acks = []
    for (const { id, language, branding } of acks) {
      const key = `${branding}\n${language}`
      const recordOf =
        scopes.get(key) ?? (await readScope(deps.db, instance.id, { branding, language }))
      scopes.set(key, recordOf)
      string_acks.push({
        id,
        language,
        branding: branding || null,
        stale: recordOf(id).stale ?? false,
      })
    }
    return c.json({ string_acks })
  })
}
