import { type Kysely, sql } from 'kysely'
import { compiledQuery } from '../../db/compiled-query.ts'
import { scheduleDispute } from './disputes.ts'
import { unsupportedBy } from './scenarios.ts'
import type { LedgerCharge, OperationRow, SandboxTables } from './tables.ts'

type Db = Kysely<SandboxTables>

/**
 * The gateway's ledger, in minor units. One compare-and-set each enforces the limits, so that
 * concurrent calls cannot exceed them.
 */

interface Booking {
  id: string
  operation: string
  amount: number
  currency: string
  created: string
  follows: string | null
}

function booking(row: OperationRow): Booking {
  const { reference: id, operation, amount, currency, updated: created, follows } = row
  if (id === null || amount === null || currency === null) {
    throw new Error(`The operation ${operation} has nothing to book`)
  }
  return { id, operation, amount, currency, created, follows }
}

/** Writes the ledger entry of an approved operation. */
export async function postEntries(trx: Db, row: OperationRow): Promise<void> {
  if (row.kind === 'SETUP') return
  const { follows, ...entry } = booking(row)
  switch (row.kind) {
    case 'PAY':
    case 'CAPTURE': {
      await insertCharge(trx, { ...entry, refunded: 0, disputed: 0 })
      await scheduleDispute(trx, row)
      const isOnlyCapture = unsupportedBy(row.scenario).includes('multiple_captures')
      if (row.kind === 'CAPTURE' && isOnlyCapture) await releaseRemainder(trx, row)
      return
    }
    case 'AUTHORISE': {
      const { amount: reserved, ...rest } = entry
      const authorised_until = row.authorised_until ?? entry.created
      await trx
        .insertInto('sandbox_authorisations')
        .values({ ...rest, reserved, captured: 0, released: 0, authorised_until })
        .execute()
      return
    }
    case 'REFUND':
      await trx
        .insertInto('sandbox_refunds')
        .values({ ...entry, charge: follows ?? '' })
        .execute()
      return
    case 'VOID':
      await trx
        .insertInto('sandbox_voids')
        .values({ ...entry, authorisation: follows ?? '' })
        .execute()
      return
    case 'CANCEL':
      return
  }
}

const insertCharge = compiledQuery((db: Db, row: LedgerCharge) =>
  db.insertInto('sandbox_charges').values(row),
)

/** Releases what the only capture of an authorization left. */
async function releaseRemainder(trx: Db, { follows }: OperationRow): Promise<void> {
  await trx
    .updateTable('sandbox_authorisations')
    .set((eb) => ({ released: eb('reserved', '-', eb.ref('captured')) }))
    .where('id', '=', follows)
    .execute()
}

/**
 * Reserves the amount of a capture, refund or void in the entry that it follows. Returns false for an
 * unknown entry, another currency, too little left, or a method that does not support the operation.
 */
export async function reserveMoney(trx: Db, row: OperationRow, now: string): Promise<boolean> {
  const { amount, currency, follows } = booking(row)
  if (follows === null) return false
  const unsupported = unsupportedBy(row.scenario)
  if (row.kind === 'REFUND') {
    if (unsupported.includes('refund')) return false
    const charge = await trx
      .updateTable('sandbox_charges')
      .set((eb) => ({ refunded: eb('refunded', '+', amount) }))
      .where('id', '=', follows)
      .where('currency', '=', currency)
      .where(sql<boolean>`refunded + disputed + ${amount} <= amount`)
      .$if(unsupported.includes('partial_refund'), (query) => query.where('amount', '=', amount))
      .$if(unsupported.includes('multiple_refunds'), (query) => query.where('refunded', '=', 0))
      .returning('id')
      .executeTakeFirst()
    return charge !== undefined
  }
  if (row.kind === 'VOID' && unsupported.includes('void')) return false
  const isCapture = row.kind === 'CAPTURE'
  const used = isCapture ? 'captured' : 'released'
  const authorisation = await trx
    .updateTable('sandbox_authorisations')
    .set((eb) => ({ [used]: eb(used, '+', amount) }))
    .where('id', '=', follows)
    .where('currency', '=', currency)
    .where(sql<boolean>`captured + released + ${amount} <= reserved`)
    // An expired authorization cannot be captured but may still be voided.
    .$if(isCapture, (query) => query.where('authorised_until', '>', now))
    .$if(isCapture && unsupported.includes('partial_capture'), (query) =>
      query.where('reserved', '=', amount),
    )
    .$if(isCapture && unsupported.includes('multiple_captures'), (query) =>
      query.where('captured', '=', 0),
    )
    .returning('id')
    .executeTakeFirst()
  return authorisation !== undefined
}

/** Releases what a failed capture, refund or void had reserved. */
export async function releaseMoney(trx: Db, row: OperationRow): Promise<void> {
  const { amount, follows } = booking(row)
  if (row.kind === 'REFUND') {
    await trx
      .updateTable('sandbox_charges')
      .set((eb) => ({ refunded: eb('refunded', '-', amount) }))
      .where('id', '=', follows)
      .execute()
  } else if (row.kind === 'CAPTURE' || row.kind === 'VOID') {
    const used = row.kind === 'CAPTURE' ? 'captured' : 'released'
    await trx
      .updateTable('sandbox_authorisations')
      .set((eb) => ({ [used]: eb(used, '-', amount) }))
      .where('id', '=', follows)
      .execute()
  }
}
