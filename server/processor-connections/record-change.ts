import { type Audited, recordAudit } from '../audit/record-audit.ts'
import type { Tx } from '../db/tables.ts'
import { afterCommit } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializeConnection } from './serialize.ts'
import type { ConnectionRow } from './store.ts'

export type ConnectionDeps = Pick<
  Deps,
  'db' | 'now' | 'realNow' | 'config' | 'log' | 'processors' | 'failpoint'
>

type ProcessorEvent = Extract<EventType, `processor.${string}`>

/** Records the event of a change in its transaction, and has the registry read the row again. */
export async function recordChange(
  { config, now, processors }: Pick<Deps, 'config' | 'now' | 'processors'>,
  tx: Tx,
  type: ProcessorEvent,
  row: ConnectionRow,
): Promise<void> {
  await recordEvent(tx, {
    instanceId: row.instance_id,
    type,
    data: { processor: serializeConnection(config, row) },
    now: now(),
  })
  afterCommit(tx, () => processors.invalidate(row))
}

/** Writes what the last caller did to a connection into the audit log. */
export async function auditChange(
  { realNow }: Pick<Deps, 'realNow'>,
  tx: Tx,
  { id, instance_id, updated_session }: ConnectionRow,
  entry: Pick<Audited, 'action' | 'detail'>,
): Promise<void> {
  await recordAudit(tx, {
    at: realNow(),
    by: { type: 'SESSION', id: updated_session },
    of: { instance: instance_id },
    about: id,
    ...entry,
  })
}
