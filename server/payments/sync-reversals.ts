import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { ReversalReadsTable } from '../db/tables/reversals.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { withTimeout } from '../timeout.ts'
import { onTestClock } from '../instances/test-clock-store.ts'
import type { Processor } from '../processors/port.ts'
import { removeDetachedMethod } from '../payment-methods/remove.ts'
import { type Recorded, recordFees, recordReversal } from './record-reversal.ts'
import { sanitizeReversals, type SanitizedReversals } from './reversals-response.ts'

const BATCH = 50
/** Read again each time, because the processor's clock may differ. */
const OVERLAP_MS = 3_600_000
/** Delay after a failure. */
const RETRY_MS = 60_000

/**
 * Reads reversals and fees from every processor that has them, for the instances that are due. With `moved`,
 * only for the instance with that id, whose test clock was moved. Several processes may run this at
 * once: a state is recorded once. Returns the number of changed records.
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
  /** When this read was due; null for the first. */
  next_read: string | null
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
      'read.next_read',
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
      'read.next_read',
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
  const at = { instance_id, processor, now, due: read.next_read }
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
  /** When the read was due. */
  due: string | null
}

/**
 * Records each reversal, each fee and each removed method in its own transaction. Returns the number of new
 * or changed reversals and fees.
 */
async function recordAll(
  deps: Deps,
  { instance_id: instanceId, processor, now }: ReadContext,
  { reversals, fees: booked, removed }: SanitizedReversals,
): Promise<number> {
  let changed = 0
  const record = async (
    { operation }: { operation: string },
    what: string,
    work: (tx: Tx) => Promise<Recorded>,
  ) => {
    const recorded = await inTransaction(deps.db, work)
    if (recorded === 'RECORDED') changed += 1
    if (recorded === 'UNKNOWN') {
      deps.log.error(
        { operation, instance: instanceId },
        `${what} of an unknown payment was skipped`,
      )
    }
  }
  for (const reversal of reversals) {
    const reported = { instanceId, processor, reversal, now }
    await record(reversal, 'reversal', (tx) => recordReversal(tx, reported))
  }
  for (const fees of booked) {
    await record(fees, 'fee', (tx) => recordFees(tx, { instanceId, processor, fees, now }))
  }
  for (const processor_token of removed) {
    await removeDetachedMethod(deps, { instance_id: instanceId, processor, processor_token })
  }
  return changed
}

/** Returns the time of the latest change or the end of what was read, but not later than `now`. */
function latestChange(
  since: string | null,
  response: SanitizedReversals,
  now: string,
): string | null {
  const reported = [...response.reversals.map(({ changed }) => changed), response.read_until ?? '']
  const times = reported.map((time) => (time < now ? time : now))
  return times.reduce<string | null>((last, time) => (time > (last ?? '') ? time : last), since)
}

/**
 * Stores how far was read, unless another process has read later. A notification that came during the
 * read may be about something that it did not see, so the time that it asked for stays.
 */
async function storeRead(
  db: Db,
  { instance_id, processor, now, due }: ReadContext,
  read: Pick<ReversalReadsTable, 'since' | 'next_read' | 'next_change'>,
): Promise<void> {
  const row = { instance_id, processor, ...read, last_read: formatInstant(now) }
  await db
    .insertInto('reversal_reads')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['instance_id', 'processor'])
        .doUpdateSet({
          ...read,
          next_read: sql<string>`case
            when reversal_reads.next_read <> ${due ?? ''}
              and reversal_reads.next_read < excluded.next_read
            then reversal_reads.next_read else excluded.next_read end`,
          last_read: row.last_read,
        })
        .where(sql<boolean>`reversal_reads.last_read <= excluded.last_read`),
    )
    .execute()
}

/**
 * Makes the next read from a connection due now, because of its notification. `now` is epoch
 * milliseconds.
 */
export async function expediteRead(
  tx: Tx,
  connection: { id: string; instance_id: string },
  now: number,
): Promise<void> {
  await tx
    .updateTable('reversal_reads')
    .set({ next_read: formatInstant(now) })
    .where('instance_id', '=', connection.instance_id)
    .where('processor', '=', connection.id)
    .execute()
}
