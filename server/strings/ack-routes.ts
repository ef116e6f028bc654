import { sql } from 'kysely'
import { commonErrors } from '../../shared/schemas/error-bodies.ts'
import {
  stringAck,
  type StringAckRecord,
  stringAcksResponse,
  updateStringAcksRequest,
} from '../../shared/schemas/string-ack.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { callerActorSession } from '../actor-sessions/caller.ts'
import type { StringAckRow } from '../db/tables/strings.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps, ListTurn } from '../deps.ts'
import { listRoute } from '../http/collection-routes.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { Route, Router } from '../http/router.ts'
import { upsertAcks } from './ack-store.ts'
import { ACK_FILTERS } from './filters.ts'
import { requireLanguages } from './language-limit.ts'
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

type Acknowledged = Pick<StringAckRow, 'id' | 'language' | 'branding'>

/** `/string_acks`: stale strings that the merchant found right. */
export function stringAckRoutes(router: Router, deps: Deps): void {
  listRoute(router, deps, {
    name: ['string_ack', 'string_acks'],
    schema: stringAck,
    description: {
      list:
        'Lists the stale strings that were found right, of all languages and brandings, newest first ' +
        'by default.',
    },
    filters: ACK_FILTERS,
    list: listAcks,
    serialize: async (rows, { instance }): Promise<StringAckRecord[]> => {
      const isStale = await readStale(deps, instance.id, rows)
      return rows.map((row) => ({
        id: row.id,
        language: row.language,
        branding: row.branding || null,
        stale: isStale(row),
        created: row.created,
        created_session: row.created_session,
      }))
    },
  })

  router.on(update, async (c, { body }) => {
    const instance = c.get('instance')
    const acks = parseStrings(instance, body.string_acks, 'string_acks.')
    requireLanguages(
      c,
      acks.map(({ language }) => language),
    )
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
    const isStale = await readStale(deps, instance.id, acks)
    const string_acks = acks.map(({ id, language, branding }) => ({
      id,
      language,
      branding: branding || null,
      stale: isStale({ id, language, branding }),
    }))
    return c.json({ string_acks })
  })
}

function listAcks(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<StringAckRow>> {
  // An id occurs once per language and branding.
  const orderBy = sql`${list.orderBy}, string_acks.language, string_acks.branding`
  return readPage(turn, { ...list, orderBy }, (db) =>
    db
      .selectFrom('string_acks')
      .selectAll()
      .where('instance_id', '=', instanceId)
      .where(list.where),
  )
}

/** Returns whether strings are stale now, reading each of their scopes once. */
async function readStale(
  deps: Deps,
  instanceId: string,
  strings: readonly Acknowledged[],
): Promise<(string: Acknowledged) => boolean> {
  const scopes = new Map<string, Awaited<ReturnType<typeof readScope>>>()
  const keyOf = ({ branding, language }: Acknowledged) => `${branding}\n${language}`
  for (const { branding, language, id } of strings) {
    const key = keyOf({ branding, language, id })
    if (!scopes.has(key)) {
      scopes.set(key, await readScope(deps.db, instanceId, { branding, language }))
    }
  }
  return (string) => scopes.get(keyOf(string))?.(string.id).stale ?? false
}
