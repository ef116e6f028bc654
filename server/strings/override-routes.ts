import { type Selectable, sql } from 'kysely'
import { stringOverride, type StringOverrideRecord } from '../../shared/schemas/string-override.ts'
import type { StringsTable } from '../db/tables/strings.ts'
import type { Deps, ListTurn } from '../deps.ts'
import { listRoute } from '../http/collection-routes.ts'
import { type ListQuery, type Page, readPage } from '../http/list-query.ts'
import type { Router } from '../http/router.ts'
import { OVERRIDE_FILTERS } from './filters.ts'
import { isShippedChanged } from './shipped.ts'

type OverrideRow = Selectable<StringsTable>

/** `/string_overrides`: the rows of the merchant, of all languages and brandings. */
export function stringOverrideRoutes(router: Router, deps: Deps): void {
  listRoute(router, deps, {
    name: ['string_override', 'string_overrides'],
    schema: stringOverride,
    description: {
      list:
        'Lists the texts that the merchant has replaced, of all languages and brandings, newest ' +
        'first by default.',
    },
    filters: OVERRIDE_FILTERS,
    list: listOverrides,
    serialize: (rows) => rows.map(serializeOverride),
  })
}

function listOverrides(
  turn: ListTurn,
  instanceId: string,
  list: ListQuery,
): Promise<Page<OverrideRow>> {
  // An id occurs once per language and branding.
  const orderBy = sql`${list.orderBy}, strings.language, strings.branding`
  return readPage(turn, { ...list, orderBy }, (db) =>
    db.selectFrom('strings').selectAll().where('instance_id', '=', instanceId).where(list.where),
  )
}

function serializeOverride(row: OverrideRow): StringOverrideRecord {
  return {
    id: row.id,
    language: row.language,
    branding: row.branding || null,
    text: row.text,
    shipped_changed: isShippedChanged(row),
    created: row.created,
    updated: row.updated,
    updated_session: row.updated_session,
  }
}
