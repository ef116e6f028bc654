import { type Reads, ReadTooLarge, ReadTooSlow } from '../db/reads.ts'
import type { Tables } from '../db/tables.ts'
import type { ListReads, ListTurn } from '../deps.ts'
import { invalid, type ApiError, tooManyRequests } from '../errors.ts'
import type { SecurityEvents } from '../observe/security-events.ts'
import { QUEUE_TIMEOUT_MS, FairQueueFull, createFairQueue } from '../fair-queue.ts'

/** Waiting lists of one instance. */
const WAITING_MAX = 100

/** How the caller can narrow the query, by parameter. */
const NARROWER = {
  criteria: 'add a condition on created or id, or name exact values',
  replay: 'narrow it with from and to',
  from: 'ask for fewer days',
  q: 'use longer words',
  of: 'ask for a record with less history',
}

/**
 * Creates the turns. One instance may use half of the connections, so that others always find one;
 * up to `waitingMax` of its lists may wait.
 */
export function createListReads(
  reads: Reads<Tables>,
  { security }: { security: SecurityEvents },
  { waitingMax = WAITING_MAX } = {},
): ListReads {
  const { slots } = reads
  const turns = createFairQueue({
    slots,
    slotsPerKey: Math.max(1, Math.floor(slots / 2)),
    waitingMax,
  })

  const turnOf = (instanceId: string): ListTurn => ({
    async read(member, work) {
      try {
        return await reads.read(work)
      } catch (error) {
        if (error instanceof ReadTooSlow) {
          security.record('list_too_slow', { instance: instanceId })
          throw invalid(member, `takes the database more than 2 s; ${NARROWER[member]}`)
        }
        if (error instanceof ReadTooLarge) throw tooLarge(security, instanceId)
        throw error
      }
    },
  })

  return {
    async inTurn(instanceId, work) {
      try {
        return await turns.run(instanceId, () => work(turnOf(instanceId)))
      } catch (error) {
        if (!(error instanceof FairQueueFull)) throw error
        security.record('lists_waiting', { instance: instanceId })
        throw tooManyRequests('Too many lists at once; try again later', QUEUE_TIMEOUT_MS)
      }
    },
  }
}

/** Maximum size of the JSON of one list. */
export const LIST_BYTES_MAX = 10_000_000

/** Records a list that is too large and returns the error. */
export function tooLarge(security: SecurityEvents, instanceId: string): ApiError {
  security.record('list_too_large', { instance: instanceId })
  return invalid('limit', 'would return more than 10 MB; lower limit or expand less')
}
