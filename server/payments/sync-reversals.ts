import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, ReversalReadsTable } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { withTimeout } from '../timeout.ts'
import { onTestClock } from '../instances/test-clock-store.ts'
import type { Processor } from '../processors/port.ts'
import { recordReversal } from './record-reversal.ts'
import { sanitizeReversals, type SanitizedReversals } from './reversals-response.ts'

const BATCH = 50
/** Read again each time, because the processor's clock may differ. */
const OVERLAP_MS = 3_600_000
/** Delay after a failure. */
const RETRY_MS = 60_000

/**
 * Reads reversals from every processor that has them, for the instances that are due. With `moved`,
 * only for the instance with that id, whose test clock was moved. Several processes may run this at
 * once: a state is recorded once. Returns the number of changed reversals.
 */
export async function syncReversals(deps: Deps, moved?: string): Promise<number> {
  let changed = 0
  for (const processor of deps.processors.builtIn.values()) {
    const listDue = () => listDueReads(deps, processor, moved)
    if (processor.changes) changed += await syncDue(deps, listDue)
  }
  // The clock of a connected processor is never a test clock.
  if (moved === undefined) changed += await syncDue(deps, () => listConnectedReads(deps))
  return changed
}

async function syncDue(deps: Deps, listDue: () => Promise<DueRead[]>): Promise<number> {
  for (let changed = 0; ;) {
    const due = await listDue()
    const counts = await mapConcurrently(due, (read) => syncInstance(deps, read))
    changed += counts.reduce((sum, count) => sum + count, 0)
    if (due.length < BATCH) return changed
  }
}

interface DueRead {
  instance_id: string
  processor: string
  since: string | null
  next_change: string | null
}

/** An instance whose test clock is moving is always due: the clock stops at every dispute. */
async function listDueReads(
  { db, now }: Deps,
  { id, test }: Processor,
  moved: string | undefined,
): Promise<DueRead[]> {
  return db
    .selectFrom('instances')
    .leftJoin('reversal_reads as read', (join) =>
      join.onRef('read.instance_id', '=', 'instances.id').on('read.processor', '=', id),
    )
    .select((eb) => [
      'instances.id as instance_id',
      eb.val(id).as('processor'),
      'read.since',
      'read.next_change',
    ])
    .where('instances.mode', '=', test ? 'TEST' : 'LIVE')
    .where((eb) =>
      eb.or([
        eb('read.next_read', 'is', null),
        eb('read.next_read', '<=', formatInstant(now())),
        eb('instances.clock_target', 'is not', null),
      ]),
    )
    .where(onTestClock('instances.id', moved))
    .orderBy('read.next_read')
    .limit(BATCH)
    .execute()
}

async function listConnectedReads({ db, now }: Deps): Promise<DueRead[]> {
  return db
    .selectFrom('processor_connections as connection')
    .leftJoin('reversal_reads as read', (join) =>
      join
        .onRef('read.instance_id', '=', 'connection.instance_id')
        .onRef('read.processor', '=', 'connection.id'),
    )
    .select([
      'connection.instance_id',
      'connection.id as processor',
      'read.since',
      'read.next_change',
    ])
    .where((eb) =>
      eb.or([eb('read.next_read', 'is', null), eb('read.next_read', '<=', formatInstant(now()))]),
    )
    .orderBy('read.next_read')
    .limit(BATCH)
    .execute()
}

async function syncInstance(deps: Deps, read: DueRead): Promise<number> {
  const now = deps.now()
  const { instance_id, processor } = read
  const at = { instance_id, processor, now }
  try {
    const response = await queryReversals(deps, read)
    const changed = await recordAll(deps, at, response)
    const nextRead = Math.min(
      now + response.check_after_ms,
      Date.parse(response.next_change ?? '') || Infinity,
    )
    await storeRead(deps.db, at, {
      since: latestChange(read.since, response, formatInstant(now)),
      next_read: formatInstant(nextRead),
      next_change: response.next_change,
    })
    return changed
  } catch (error) {
    deps.log.warn({ err: error, instance: instance_id }, 'reversals were not read')
    // The next read starts at the same time, so nothing is skipped.
    const next_read = formatInstant(now + RETRY_MS)
    const { since, next_change } = read
    await storeRead(deps.db, at, { since, next_read, next_change })
    return 0
  }
}

async function queryReversals(deps: Deps, read: DueRead): Promise<SanitizedReversals> {
  const { config, log, processors } = deps
  const { instance_id, since } = read
  const processor = await processors.get(read)
  const from = since === null ? null : formatInstant(Date.parse(since) - OVERLAP_MS)
  const request = processor?.changes?.({ merchant: instance_id, since: from })
  const late = () => new Error('no response in time')
  const response = sanitizeReversals(
    await withTimeout(Promise.resolve(request), config.processorTimeoutMs, late),
  )
  for (const err of response.invalid) {
    log.error({ err, instance: instance_id }, 'an invalid reversal was skipped')
  }
  return response
}

interface ReadContext {
  instance_id: string
  processor: string
  now: number
}

/** Records each reversal in its own transaction. Returns the number of new or changed ones. */
async function recordAll(
  deps: Deps,
  { instance_id: instanceId, processor, now }: ReadContext,
  { reversals }: SanitizedReversals,
): Promise<number> {
  let changed = 0
  for (const reversal of reversals) {
    const recorded = await inTransaction(deps.db, (tx) =>
      recordReversal(tx, { instanceId, processor, reversal, now }),
    )
    if (recorded === 'RECORDED') changed += 1
    if (recorded === 'UNKNOWN') {
      const { operation } = reversal
      deps.log.error(
        { operation, instance: instanceId },
        'reversal of an unknown payment was skipped',
      )
    }
  }
  return changed
}

/** Returns the time of the latest change, but not later than `now`. */
function latestChange(
  since: string | null,
  response: SanitizedReversals,
  now: string,
): string | null {
  const times = response.reversals.map(({ changed }) => (changed < now ? changed : now))
  return times.reduce<string | null>((last, time) => (time > (last ?? '') ? time : last), since)
}

/** Stores how far was read, unless another process has read later. */
async function storeRead(
  db: Db,
  { instance_id, processor, now }: ReadContext,
  read: Pick<ReversalReadsTable, 'since' | 'next_read' | 'next_change'>,
): Promise<void> {
  const row = { instance_id, processor, ...read, last_read: formatInstant(now) }
  await db
    .insertInto('reversal_reads')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['instance_id', 'processor'])
        .doUpdateSet({ ...read, last_read: row.last_read })
        .where(sql<boolean>`reversal_reads.last_read <= excluded.last_read`),
    )
    .execute()
}
