import { formatInstant } from '../../shared/rules/time.ts'
import type { ProcessorOperationsTable } from '../db/tables/processor-connections.ts'
import type { Db } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'

/** What is known of an operation before its outcome. */
export interface JournalEntry {
  kind: 'PAY' | 'AUTHORISE' | 'CAPTURE' | 'REFUND' | 'VOID' | 'SETUP'
  /**
   * The processor's reference; null until it is known. For a capture, refund or void that of the
   * payment that it follows.
   */
  reference: string | null
  /** Digest of the request, to reject a key that is used for something else. */
  content_hash: string
  /** Minor units of `currency`. */
  amount: number
  currency: string
  /** Why the operation failed, as the processor's code; null unless it did. */
  reason: string | null
  /** Date-time. */
  created: string
}

/**
 * Durable entries about the operations of one connection, kept by an adapter whose processor takes
 * more than one call for an operation. Every method has committed when it resolves.
 */
export interface Journal {
  /** Stores an entry unless the key has one. Returns the stored one, or CANCELLED. */
  begin(
    operation: string,
    entry: Omit<JournalEntry, 'reason' | 'created'>,
  ): Promise<JournalEntry | 'CANCELLED'>
  /** Adds a reference that was null, or the reason of a failure. */
  amend(operation: string, change: { reference?: string; reason?: string }): Promise<void>
  find(operation: string): Promise<JournalEntry | 'CANCELLED' | undefined>
  /** Returns the key of the payment or authorization with the processor's reference. */
  findByReference(reference: string): Promise<string | undefined>
  /** Returns when the oldest operation began, date-time; undefined without any. */
  findFirst(): Promise<string | undefined>
  /** Prevents an operation that has not begun. Returns the entry of one that has, or CANCELLED. */
  cancel(operation: string): Promise<JournalEntry | 'CANCELLED'>
  /**
   * Returns the keys, oldest first, that were made between two times (epoch milliseconds) and canceled
   * before they began, without those that are marked as clean.
   */
  listCanceled(made: { from: number; to: number }): Promise<string[]>
  /** Marks canceled keys as ones of which the processor has nothing. */
  markClean(operations: readonly string[]): Promise<void>
  /** Marks one that has begun as canceled. Only for a request that can no longer arrive. */
  abandon(operation: string): Promise<void>
}

/** In `reason` of a canceled operation. */
const CLEAN = 'CLEAN'
const CANCELED_MAX = 500

/** Keys of attempts begin with the time at which they were made. */
const keyAt = (ms: number) => `at_${ms}`

/** Operations that were canceled before they began, and of which the processor may have something. */
function canceled(db: Db, { from, to }: { from: number; to: number }) {
  return db
    .selectFrom('processor_operations')
    .where('operation', '>=', keyAt(from))
    .where('operation', '<', keyAt(to))
    .where('kind', '=', 'CANCEL')
    .where('reference', 'is', null)
    .where('reason', 'is', null)
}

export function createJournal(db: Db, connection: string, now: () => number): Journal {
  const read = async (from: Db, operation: string) => {
    const row = await from
      .selectFrom('processor_operations')
      .selectAll()
      .where('connection_id', '=', connection)
      .where('operation', '=', operation)
      .executeTakeFirst()
    return row && toEntry(row)
  }

  /** The first row of an operation stands. */
  const insertOrRead = (
    operation: string,
    columns: Omit<ProcessorOperationsTable, 'connection_id' | 'operation' | 'reason' | 'created'>,
  ) =>
    inTransaction(db, async (tx) => {
      const created = formatInstant(now())
      const row = { connection_id: connection, operation, ...columns, reason: null, created }
      await tx
        .insertInto('processor_operations')
        .values(row)
        .onConflict((conflict) => conflict.columns(['connection_id', 'operation']).doNothing())
        .execute()
      const stands = await read(tx, operation)
      if (!stands) throw new Error(`the entry of ${operation} was not stored`)
      return stands
    })

  return {
    begin: (operation, entry) => insertOrRead(operation, entry),
    cancel: (operation) =>
      insertOrRead(operation, {
        kind: 'CANCEL',
        reference: null,
        content_hash: '',
        amount: 0,
        currency: '',
      }),
    async abandon(operation) {
      await inTransaction(db, (tx) =>
        tx
          .updateTable('processor_operations')
          .set({ kind: 'CANCEL' })
          .where('connection_id', '=', connection)
          .where('operation', '=', operation)
          .execute(),
      )
    },
    async listCanceled(made) {
      const rows = await canceled(db, made)
        .select('operation')
        .where('connection_id', '=', connection)
        .orderBy('operation')
        .limit(CANCELED_MAX)
        .execute()
      return rows.map(({ operation }) => operation)
    },
    async markClean(operations) {
      await inTransaction(db, (tx) =>
        tx
          .updateTable('processor_operations')
          .set({ reason: CLEAN })
          .where('connection_id', '=', connection)
          .where('operation', 'in', [...operations])
          .where('kind', '=', 'CANCEL')
          .execute(),
      )
    },
    find: (operation) => read(db, operation),
    async amend(operation, { reference, reason }) {
      await inTransaction(db, (tx) =>
        tx
          .updateTable('processor_operations')
          .set((eb) => ({
            ...(reference !== undefined && {
              reference: eb.fn.coalesce('reference', eb.val(reference)),
            }),
            ...(reason !== undefined && { reason }),
          }))
          .where('connection_id', '=', connection)
          .where('operation', '=', operation)
          .where('kind', '!=', 'CANCEL')
          .execute(),
      )
    },
    async findFirst() {
      // Keys begin with the time at which they were made.
      const row = await db
        .selectFrom('processor_operations')
        .select('created')
        .where('connection_id', '=', connection)
        .orderBy('operation')
        .limit(1)
        .executeTakeFirst()
      return row?.created
    },
    async findByReference(reference) {
      const row = await db
        .selectFrom('processor_operations')
        .select('operation')
        .where('connection_id', '=', connection)
        .where('reference', '=', reference)
        .where('kind', 'in', ['PAY', 'AUTHORISE'])
        .executeTakeFirst()
      return row?.operation
    },
  }
}

function toEntry(row: ProcessorOperationsTable): JournalEntry | 'CANCELLED' {
  if (row.kind === 'CANCEL') return 'CANCELLED'
  const { kind, reference, content_hash, amount, currency, reason, created } = row
  return { kind, reference, content_hash, amount, currency, reason, created }
}
