import { formatInstant } from '../../shared/rules/time.ts'
import { findOrCreateActorSession, SYSTEM } from '../actor-sessions/store.ts'
import { withClockOf } from '../clock.ts'
import type { ProcessorConnectionRow } from '../db/tables/processor-connections.ts'
import { inTransaction } from '../db/transaction.ts'
import { getInstance } from '../instances/store.ts'
import { type ConnectionDeps, recordChange } from './record-change.ts'
import { addFailure, clearFailures, findConnection, updateConnection } from './store.ts'

/** So many refused calls in a row mean that the key is not valid any more. */
const FAILURES_MAX = 5

/**
 * Returns what counts the calls that a processor refuses to authenticate. After five in a row the
 * connection is broken: it takes no new payments, and its open ones are still asked about. A success
 * writes only after a failure. Errors are logged, because the outcome of the call stands.
 */
export function createAuthenticationRecorder(deps: () => ConnectionDeps) {
  /** The connections with failures that this process knows of. */
  const failing = new Set<string>()
  return async function recordAuthentication(
    { id, failures }: Pick<ProcessorConnectionRow, 'id' | 'failures'>,
    accepted: boolean,
  ): Promise<void> {
    const { db, log } = deps()
    try {
      if (accepted) {
        if (!failing.delete(id) && failures === 0) return
        await clearFailures(db, id)
        return
      }
      failing.add(id)
      if ((await addFailure(db, id)) >= FAILURES_MAX) await breakConnection(deps(), id)
    } catch (error) {
      log.error({ err: error, processor: id }, 'the state of a processor could not be recorded')
    }
  }
}

async function breakConnection(deps: ConnectionDeps, id: string): Promise<void> {
  const read = await findConnection(deps.db, id)
  if (!read) return
  const instance = await getInstance(deps.db, read.instance_id)
  await withClockOf(instance, async () => {
    const updated_session = await findOrCreateActorSession(deps, instance.id, SYSTEM)
    await inTransaction(deps.db, async (tx) => {
      const stored = await findConnection(tx, id)
      if (stored?.status !== 'ACTIVE') return
      const columns = {
        status: 'BROKEN' as const,
        updated: formatInstant(deps.now()),
        updated_session,
      }
      if (!(await updateConnection(tx, stored, columns))) return
      await recordChange(deps, tx, 'processor.broken', { ...stored, ...columns, v: stored.v + 1 })
    })
  })
  deps.log.error({ processor: id }, 'a processor refuses its key and takes no more payments')
}
