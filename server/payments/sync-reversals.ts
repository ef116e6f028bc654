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
  for (const processor of deps.processors.values()) {
    if (processor.reversals) changed += await syncProcessor(deps, processor, moved)
  }
  return changed
}

async function syncProcessor(deps: Deps, processor: Processor, moved?: string): Promise<number> {
  for (let changed = 0; ;) {
    const due = await listDueReads(deps, processor, moved)
    const counts = await mapConcurrently(due, (read) => syncInstance(deps, processor, read))
    changed += counts.reduce((sum, count) => sum + count, 0)
    if (due.length < BATCH) return changed
  }
}

interface DueRead {
  instanceId: string
  since: string | null
  next_change: string | null
}

/** An instance whose test clock is moving is always due: the clock stops at every dispute. */
async function listDueReads(
  { db, now }: Deps,
  { name, test }: Processor,
  moved: string | undefined,
): Promise<DueRead[]> {
  return db
    .selectFrom('instances')
    .leftJoin('reversal_reads as read', (join) =>
      join.onRef('read.instance_id', '=', 'instances.id').on('read.processor', '=', name),
    )
    .select(['instances.id as instanceId', 'read.since', 'read.next_change'])
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

async function syncInstance(deps: Deps, processor: Processor, read: DueRead): Promise<number> {
  const now = deps.now()
  const at = { instance_id: read.instanceId, processor: processor.name, now }
  try {
    const response = await queryReversals(deps, processor, read)
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
    deps.log.warn({ err: error, instance: read.instanceId }, 'reversals were not read')
    // The next read starts at the same time, so nothing is skipped.
    const next_read = formatInstant(now + RETRY_MS)
    const { since, next_change } = read
    await storeRead(deps.db, at, { since, next_read, next_change })
    return 0
  }
}

async function queryReversals(
  { config, log }: Deps,
  processor: Processor,
  { instanceId, since }: DueRead,
): Promise<SanitizedReversals> {
  const from = since === null ? null : formatInstant(Date.parse(since) - OVERLAP_MS)
  const request = processor.reversals?.({ merchant: instanceId, since: from })
  const late = () => new Error('no response in time')
  const response = sanitizeReversals(
    await withTimeout(Promise.resolve(request), config.processorTimeoutMs, late),
  )
  for (const err of response.invalid) {
    log.error({ err, instance: instanceId }, 'an invalid reversal was skipped')
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
