import { ReadTooLarge, ReadTooSlow } from '../db/reads.ts'
import type { Reads } from '../db/reads.ts'
import type { Db, Tables } from '../db/tables.ts'
import { invalid, tooManyRequests } from '../http/refusal.ts'
import type { Refusal } from '../http/refusal.ts'
import type { SecurityEvents } from '../observe/security-events.ts'
import { LINE_WAIT_MS, TurnTooFar, createTurns } from './turns.ts'
import type { Turns } from './turns.ts'

/** What lists and searches may take of the database, so that no merchant slows another. */
export interface Lists {
  /**
   * Runs `work` in one transaction that only reads, when it is the instance's turn. Throws a
   * Refusal: 400 when the database needs longer than it may (`member` is what the caller can narrow)
   * or the rows are too large, 429 when the instance has too many reads waiting.
   */
  read<R>(
    asked: { instanceId: string; member: 'criteria' | 'replay' },
    work: (db: Db) => Promise<R>,
  ): Promise<R>
  /**
   * Runs `work`, which writes the answer to a list, when it is the instance's turn: what it does in
   * one piece holds up everybody, so that few may be at it at once. Throws a 429 Refusal as above.
   */
  write<R>(instanceId: string, work: () => Promise<R>): Promise<R>
}

/** Of one instance; beyond them it asks faster than it is answered. */
const WAITING_MAX = 100

/** How a caller makes the database work less, by the member that says what it works on. */
const NARROWER = {
  criteria: 'add a condition on created or id, or name exact values',
  replay: 'narrow it by from and to',
}

/** Answers that may be written at once, of as many instances. */
const WRITING_MAX = 2

/**
 * One instance may have half of what is read at once, so that there is always a place for another.
 */
export function createLists(
  reads: Reads<Tables>,
  { security }: { security: SecurityEvents },
): Lists {
  const reading = createTurns({
    places: reads.places,
    each: Math.max(1, Math.floor(reads.places / 2)),
    waitingMax: WAITING_MAX,
  })
  const writing = createTurns({ places: WRITING_MAX, each: 1, waitingMax: WAITING_MAX })

  async function inTurn<R>(turns: Turns, instanceId: string, work: () => Promise<R>): Promise<R> {
    try {
      return await turns.take(instanceId, work)
    } catch (error) {
      if (!(error instanceof TurnTooFar)) throw error
      security.record('lists_waiting', { instance: instanceId })
      throw tooManyRequests('Too many lists at once; try again later', LINE_WAIT_MS)
    }
  }

  return {
    write: (instanceId, work) => inTurn(writing, instanceId, work),
    async read({ instanceId, member }, work) {
      try {
        return await inTurn(reading, instanceId, () => reads.read(work))
      } catch (error) {
        if (error instanceof ReadTooSlow) {
          security.record('list_too_slow', { instance: instanceId })
          throw invalid(member, `needs more than 2 s of the database; ${NARROWER[member]}`)
        }
        if (error instanceof ReadTooLarge) throw tooLarge(security, instanceId)
        throw error
      }
    },
  }
}

/** Bytes that the records of one list may have as JSON, in all. */
export const LIST_BYTES_MAX = 10_000_000

/** Records and answers a list that would be larger than it may. */
export function tooLarge(security: SecurityEvents, instanceId: string): Refusal {
  security.record('list_too_large', { instance: instanceId })
  return invalid('limit', 'asks for more than 10 MB; lower limit, or expand less')
}
