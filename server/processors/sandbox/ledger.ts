import { type Kysely, sql } from 'kysely'
import { compiledQuery } from '../../db/compiled-query.ts'
import { planDispute } from './disputes.ts'
import { unsupportedBy } from './scenarios.ts'
import type { ChargeRow, OperationRow, SandboxTables } from './tables.ts'

type Db = Kysely<SandboxTables>

/**
 * The books: what was taken, set aside, given back and released. Amounts are minor units. The
 * bounds hold by compare-and-set, one statement each, so that two calls at once cannot both pass.
 */

/** An approved operation whose members are all known. */
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

/** Writes the row that an approved operation leaves in the books. */
export async function bookMoney(trx: Db, row: OperationRow): Promise<void> {
  const { follows, ...entry } = booking(row)
  switch (row.kind) {
    case 'PAY':
      await insertCharge(trx, { ...entry, refunded: 0, disputed: 0 })
      await planDispute(trx, row)
      return
    case 'CAPTURE':
      await insertCharge(trx, { ...entry, refunded: 0, disputed: 0 })
      await planDispute(trx, row)
      if (unsupportedBy(row.scenario).includes('multiple_captures')) await releaseRest(trx, row)
      return
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

const insertCharge = compiledQuery((db: Db, row: ChargeRow) =>
  db.insertInto('sandbox_charges').values(row),
)

/** Releases what the only capture of an authorization leaves. */
async function releaseRest(trx: Db, { follows }: OperationRow): Promise<void> {
  await trx
    .updateTable('sandbox_authorisations')
    .set((eb) => ({ released: eb('reserved', '-', eb.ref('captured')) }))
    .where('id', '=', follows)
    .execute()
}

/**
 * Sets aside, in the row that is followed, what a capture, refund or void wants of it. False when
 * there is no such row, its currency is another, it has not that much left, or its method does not
 * support the operation.
 */
export async function claimMoney(trx: Db, row: OperationRow, now: string): Promise<boolean> {
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
    // What has run out can no longer be captured; giving it back stays possible and harmless.
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

/** Returns what a capture, refund or void had claimed that has failed since. */
export async function returnMoney(trx: Db, row: OperationRow): Promise<void> {
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
