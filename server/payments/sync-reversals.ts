import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Db, ReversalReadsTable } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { mapConcurrently } from '../bounded-concurrency.ts'
import { withTimeout } from '../timeout.ts'
import { ofClock } from '../instances/test-clock-store.ts'
import type { Processor } from '../processors/port.ts'
import { recordReversal } from './record-reversal.ts'
import { sanitizeReversals, type SanitizedReversals } from './reversals-response.ts'

/** Reading from processors which payments were disputed, and what became of it. */

const BATCH = 50
/** What is read again each time, since the clocks of two servers may differ. */
const OVERLAP_MS = 3_600_000
/** After a failure. */
const AGAIN_MS = 60_000

/**
 * Asks every processor that has reversals about those of the instances that are due; with `moved`,
 * about those of the instance of that id, whose clock was moved. Several processes may do this at the
 * same time: what one has recorded is nothing new for another. Returns how many reversals changed.
 */
export async function syncReversals(deps: Deps, moved?: string): Promise<number> {
  let changed = 0
  for (const processor of deps.processors.values()) {
    if (processor.reversals) changed += await readDue(deps, processor, moved)
  }
  return changed
}

async function readDue(deps: Deps, processor: Processor, moved?: string): Promise<number> {
  for (let changed = 0; ;) {
    const due = await listDue(deps, processor, moved)
    const counts = await mapConcurrently(due, (read) => readOf(deps, processor, read))
    changed += counts.reduce((sum, count) => sum + count, 0)
    if (due.length < BATCH) return changed
  }
}

interface DueRead {
  instanceId: string
  since: string | null
  next_change: string | null
}

/** A clock that is on its way stops at every dispute, so each stop asks what comes next. */
async function listDue(
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
    .where(ofClock('instances.id', moved))
    .orderBy('read.next_read')
    .limit(BATCH)
    .execute()
}

async function readOf(deps: Deps, processor: Processor, read: DueRead): Promise<number> {
  const now = deps.now()
  const at = { instance_id: read.instanceId, processor: processor.name, now }
  try {
    const said = await askAbout(deps, processor, read)
    const changed = await recordAll(deps, at, said)
    const nextRead = Math.min(
      now + said.check_after_ms,
      Date.parse(said.next_change ?? '') || Infinity,
    )
    await keepRead(deps.db, at, {
      since: latest(read.since, said, formatInstant(now)),
      next_read: formatInstant(nextRead),
      next_change: said.next_change,
    })
    return changed
  } catch (error) {
    deps.log.warn({ err: error, instance: read.instanceId }, 'reversals were not read')
    // It goes on from where it was, so nothing is left out.
    const next_read = formatInstant(now + AGAIN_MS)
    const { since, next_change } = read
    await keepRead(deps.db, at, { since, next_read, next_change })
    return 0
  }
}

async function askAbout(
  { config, log }: Deps,
  processor: Processor,
  { instanceId, since }: DueRead,
): Promise<SanitizedReversals> {
  const from = since === null ? null : formatInstant(Date.parse(since) - OVERLAP_MS)
  const asked = processor.reversals?.({ merchant: instanceId, since: from })
  const late = () => new Error('no answer in time')
  const said = sanitizeReversals(
    await withTimeout(Promise.resolve(asked), config.processorTimeoutMs, late),
  )
  for (const err of said.senseless) {
    log.error({ err, instance: instanceId }, 'a reversal makes no sense and was skipped')
  }
  return said
}

interface At {
  instance_id: string
  processor: string
  now: number
}

/** Records each in a transaction of its own. Returns how many were new or changed. */
async function recordAll(
  deps: Deps,
  { instance_id: instanceId, processor, now }: At,
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

/** The time of the latest change that was read: not later than now, whatever a processor says. */
function latest(since: string | null, said: SanitizedReversals, now: string): string | null {
  const times = said.reversals.map(({ changed }) => (changed < now ? changed : now))
  return times.reduce<string | null>((last, time) => (time > (last ?? '') ? time : last), since)
}

/** Notes how far was read, unless another process has read later. */
async function keepRead(
  db: Db,
  { instance_id, processor, now }: At,
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
