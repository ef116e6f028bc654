import type { Permission } from '../../shared/rules/permissions.ts'
import type { TimelineEntry } from '../../shared/schemas/timeline.ts'
import type { Db } from '../db/tables.ts'
import { addActors } from './add-actors.ts'
import { listCustomerEntries } from './customer-entries.ts'
import { listDeliveryEntries } from './delivery-entries.ts'
import type { Source } from './entry.ts'
import { listEventEntries } from './event-entries.ts'
import { listPageEntries } from './page-entries.ts'
import { listPaymentEntries } from './payment-entries.ts'
import { AREA_OF_KIND, type RecordKind } from './records.ts'
import { findScope } from './scope.ts'

const ENTRIES_MAX = 200

export interface TimelineQuery {
  instanceId: string
  root: { kind: RecordKind; id: string }
  /** Stored instant: what expires until then has expired. */
  now: string
  /** Undefined for a caller who may read everything. */
  permitted: ReadonlySet<Permission> | undefined
  /** Whether the names of actors are told. */
  withNames: boolean
}

/**
 * Returns what happened to a record, newest first: from the rows of payments, sessions and so on, and
 * from events where no row keeps it. Entries of areas that the caller may not read are left out.
 */
export async function readTimeline(
  db: Db,
  query: TimelineQuery,
): Promise<{ timeline: TimelineEntry[]; complete: boolean }> {
  const { instanceId, root, now, permitted } = query
  const scope = await findScope(db, instanceId, root)
  const source: Source = { db, instanceId, scope, now }
  const rows = [
    ...(await listPageEntries(source)),
    ...(await listPaymentEntries(source)),
    ...(await listCustomerEntries(source)),
  ]
  const entries = [
    ...rows,
    ...(await listEventEntries(source, rows)),
    ...(await listDeliveryEntries(source, rows)),
  ]
    .filter(({ kind }) => permitted?.has(`${AREA_OF_KIND[kind]}:read`) ?? true)
    .map((entry, at) => ({ entry, at }))
    // Of the same moment, the cause stands below its effects.
    .toSorted((a, b) =>
      a.entry.at === b.entry.at ? b.at - a.at : a.entry.at < b.entry.at ? 1 : -1,
    )
    .map(({ entry }) => entry)
  return {
    timeline: await addActors(db, query, entries.slice(0, ENTRIES_MAX)),
    complete: entries.length <= ENTRIES_MAX,
  }
}
