import { auditEntry, type AuditDetail, type AuditEntry } from '../../shared/schemas/audit.ts'
import { fromJson } from '../db/json.ts'
import type { AuditRow } from '../db/tables/audit.ts'
import type { Deps } from '../deps.ts'
import { listRoute } from '../http/collection-routes.ts'
import { readPage } from '../http/list-query.ts'
import type { Router } from '../http/router.ts'
import { AUDIT_FILTERS } from './filters.ts'

/** `GET /audit`. Entries are read and never changed. */
export function auditRoutes(router: Router, deps: Deps): void {
  listRoute(router, deps, {
    name: ['audit_entry', 'audit'],
    title: ['entry of the audit log', 'entries of the audit log'],
    schema: auditEntry,
    description: {
      list:
        'Lists what people and programs did in this instance, newest first by default. Users also see ' +
        'what concerns the merchant as a whole, such as sign-ins.',
    },
    filters: AUDIT_FILTERS,
    order: 'at:desc',
    list: (turn, id, list, caller) =>
      readPage(turn, list, (db) =>
        db
          .selectFrom('audit')
          .selectAll()
          .where('merchant_id', '=', (eb) =>
            eb.selectFrom('instances').select('merchant_id').where('id', '=', id),
          )
          .where((eb) =>
            eb.or([
              eb('instance_id', '=', id),
              // A secret key belongs to one instance, and a person to the merchant.
              ...(caller?.type === 'USER' ? [eb('instance_id', 'is', null)] : []),
            ]),
          )
          .where(list.where),
      ),
    serialize: (rows) => rows.map(serializeEntry),
  })
}

function serializeEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.created,
    actor: { type: row.actor_type, id: row.actor_id, name: row.actor_name },
    action: row.action,
    about: row.about,
    ip: row.ip,
    detail: fromJson<AuditDetail>(row.detail) ?? {},
  }
}
