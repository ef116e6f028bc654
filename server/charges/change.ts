import type { ChargeRow } from '../db/tables/charges.ts'
import { amountText } from '../../shared/rules/currency.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { ChargeChange } from '../../shared/schemas/charge.ts'
import type { Db, Tx } from '../db/tables.ts'
import { parseMinorUnits } from '../amount.ts'
import { inTransaction } from '../db/transaction.ts'
import { expectVersion } from '../http/if-match.ts'
import { invalid, invalidState } from '../errors.ts'
import { lockCollectionMethod } from './collection-schedule.ts'
import { outstanding } from './serialize.ts'
import { lockWithContract, updateChargeAndRecord } from './update-charge.ts'
import { lookupCharge } from './store.ts'

/**
 * Updates the payment that is scheduled for a charge. Passed in by `payments/schedule-payment.ts`,
 * which charges must not import.
 */
export type SyncScheduledPayment = (tx: Tx, charge: ChargeRow, now: number) => Promise<void>

/**
 * Changes a charge and schedules its collection; a due time in the past means now. A request that
 * changes nothing keeps the version and the schedule. `by` is the id of the caller's session.
 */
export async function changeCharge(
  { db, now }: { db: Db; now: () => number },
  { instanceId, idOrKey }: { instanceId: string; idOrKey: string },
  { change, by, ifMatch }: { change: ChargeChange; by: string; ifMatch: number | undefined },
  syncPayment: SyncScheduledPayment,
): Promise<ChargeRow> {
  return inTransaction(db, async (tx) => {
    const locked = await lockWithContract(tx, await lookupCharge(tx, instanceId, idOrKey))
    expectVersion('Charge', locked.charge, ifMatch)
    const edited = editCharge(locked.charge, change)
    if (isSame(locked.charge, edited)) return locked.charge
    const at = { now: now(), by }
    const next_attempt = await nextCollection(tx, { ...locked.charge, ...edited }, at.now)
    const schedule = { next_attempt, ...(next_attempt !== null && { retry_advice: null }) }
    const updated = await updateChargeAndRecord(tx, locked, { ...edited, ...schedule }, at)
    await syncPayment(tx, updated, at.now)
    return updated
  })
}

type EditableColumns = Pick<ChargeRow, 'amount' | 'due' | 'status' | 'cancelling'>

/**
 * Returns the columns of a charge after a change: the amount first, then the status, which depends on
 * it. Throws a 400 ApiError for an amount or a status that the present state does not allow.
 */
export function editCharge(stored: ChargeRow, change: ChargeChange): EditableColumns {
  const hasMembers = Object.values(change).some((value) => value !== undefined)
  if (stored.status === 'CANCELLED' && hasMembers) {
    throw invalidState('Charge is cancelled with its contract and cannot change')
  }
  const amount = change.amount === undefined ? stored.amount : newAmount(stored, change.amount)
  const open = outstanding({ ...stored, amount }) > 0
  const status = deriveStatus(newStatus(stored.status, change.status, open), open)
  const isBack = stored.status === 'WRITTENOFF' && status === 'ACTIVE'
  const keepsDue = change.due === undefined || (isBack && change.due === null)
  const due = keepsDue ? stored.due : newDue(change.due ?? null)
  return { amount, due, status, cancelling: isBack ? 0 : stored.cancelling }
}

function newAmount(stored: ChargeRow, text: string): number {
  const { currency, paid_amount: paid, in_flight_amount: inFlight } = stored
  const amount = parseMinorUnits('charge.amount', text, currency)
  const toText = (minor: number) => `${amountText(minor, currency)} ${currency}`
  if (amount < paid) {
    throw invalid('charge.amount', `must be at least the amount already paid (${toText(paid)})`)
  }
  if (amount < paid + inFlight) {
    throw invalidState(
      `charge.amount must be at least ${toText(paid + inFlight)} while a payment is in progress`,
    )
  }
  return amount
}

function newDue(due: string | null): string | null {
  return due === null ? null : formatInstant(Date.parse(due))
}

function newStatus(
  stored: ChargeRow['status'],
  requested: ChargeChange['status'],
  open: boolean,
): ChargeRow['status'] {
  if (stored !== 'PAID') return requested ?? stored
  if (requested === 'WRITTENOFF') throw invalidState('Charge is paid and cannot be written off')
  if (requested === 'ACTIVE' && !open) {
    throw invalidState('Charge is paid; only a higher amount makes it active again')
  }
  return stored
}

/** A charge is PAID exactly when nothing is outstanding, unless it was canceled. */
function deriveStatus(status: ChargeRow['status'], open: boolean): ChargeRow['status'] {
  if (status === 'CANCELLED') return status
  if (!open) return 'PAID'
  return status === 'PAID' ? 'ACTIVE' : status
}

function isSame(stored: ChargeRow, edited: EditableColumns): boolean {
  return (
    stored.amount === edited.amount &&
    stored.due === edited.due &&
    stored.status === edited.status &&
    stored.cancelling === edited.cancelling
  )
}

/** Returns when to collect a charge that its merchant has changed; null for never. */
async function nextCollection(tx: Tx, charge: ChargeRow, now: number): Promise<string | null> {
  if (charge.status !== 'ACTIVE' || charge.due === null) return null
  const method = await lockCollectionMethod(tx, charge, now)
  // An expired card may be renewed by then; a removed method stays removed.
  if (method === undefined || method.status_at === 'REMOVED') return null
  const present = formatInstant(now)
  return charge.due > present ? charge.due : present
}
