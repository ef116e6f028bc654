import type { ChargeRow } from '../db/rows.ts'
import { amountText, currencyDigits } from '../../shared/rules/currency.ts'
import { parseAmount } from '../../shared/rules/money.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { ChargeChange } from '../../shared/schemas/charge.ts'
import type { Db, Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import { expectVersion } from '../http/if-match.ts'
import { invalid, invalidState } from '../errors.ts'
import { methodToCollect } from './collection-schedule.ts'
import { outstanding } from './serialize.ts'
import { lockWithContract, updateChargeAndRecord } from './update-charge.ts'
import { lookupCharge } from './store.ts'

/**
 * Brings the payment that is scheduled for a charge up to date with it. Payments stand to the right
 * of charges, so `payments/scheduled.ts` is handed in.
 */
export type FollowCharge = (tx: Tx, charge: ChargeRow, now: number) => Promise<void>

/**
 * Changes a charge (specification: `PUT /charges/{charge_id}`; contract section 11) and plans its
 * collection, which the worker begins: a due time that has passed means now. A change that changes
 * nothing leaves version and plan as they are. `by` is the caller's session.
 */
export async function changeCharge(
  { db, now }: { db: Db; now: () => number },
  { instanceId, named }: { instanceId: string; named: string },
  { change, by, ifMatch }: { change: ChargeChange; by: string; ifMatch: number | undefined },
  follow: FollowCharge,
): Promise<ChargeRow> {
  return inTransaction(db, async (tx) => {
    const held = await lockWithContract(tx, await lookupCharge(tx, instanceId, named))
    expectVersion('Charge', held.charge, ifMatch)
    const edited = editCharge(held.charge, change)
    if (isSame(held.charge, edited)) return held.charge
    const at = { now: now(), by }
    const next_attempt = await nextAttempt(tx, { ...held.charge, ...edited }, at.now)
    const written = await updateChargeAndRecord(tx, held, { ...edited, next_attempt }, at)
    await follow(tx, written, at.now)
    return written
  })
}

type Edited = Pick<ChargeRow, 'amount' | 'due' | 'status' | 'cancelling'>

/**
 * The members of a charge after a change: the amount first, then the due time, then the status, and
 * last what the amounts decide. Throws a 400 ApiError that names the member, or says what state is
 * in the way (contract section 11).
 */
export function editCharge(stored: ChargeRow, change: ChargeChange): Edited {
  const isNamed = Object.values(change).some((value) => value !== undefined)
  if (stored.status === 'CANCELLED' && isNamed) {
    throw invalidState('Charge is cancelled with its contract and cannot change')
  }
  const amount = change.amount === undefined ? stored.amount : newAmount(stored, change.amount)
  const open = outstanding({ ...stored, amount }) > 0
  const status = derived(newStatus(stored.status, change.status, open), open)
  const isBack = stored.status === 'WRITTENOFF' && status === 'ACTIVE'
  const keepsDue = change.due === undefined || (isBack && change.due === null)
  const due = keepsDue ? stored.due : newDue(change.due ?? null)
  return { amount, due, status, cancelling: isBack ? 0 : stored.cancelling }
}

function newAmount(stored: ChargeRow, text: string): number {
  const { currency, paid_amount: paid, in_flight_amount: held } = stored
  const parsed = parseAmount(text, currencyDigits(currency) ?? 2)
  if (!parsed.ok) {
    const rule =
      parsed.problem === 'DECIMALS' ? 'has too many decimal places for' : 'is too large for'
    throw invalid('charge.amount', `${rule} ${currency}`)
  }
  const said = (minor: number) => `${amountText(minor, currency)} ${currency}`
  if (parsed.minor < paid) {
    throw invalid('charge.amount', `must be at least the amount already paid (${said(paid)})`)
  }
  if (parsed.minor < paid + held) {
    throw invalidState(
      `charge.amount must be at least ${said(paid + held)} while a payment is under way`,
    )
  }
  return parsed.minor
}

function newDue(due: string | null): string | null {
  return due === null ? null : formatInstant(Date.parse(due))
}

function newStatus(
  stored: ChargeRow['status'],
  wanted: ChargeChange['status'],
  open: boolean,
): ChargeRow['status'] {
  if (stored !== 'PAID') return wanted ?? stored
  if (wanted === 'WRITTENOFF') throw invalidState('Charge is paid and cannot be written off')
  if (wanted === 'ACTIVE' && !open) {
    throw invalidState('Charge is paid; only a higher amount makes it active again')
  }
  return stored
}

/** Nothing outstanding means paid, whatever else it would be; and only that does. */
function derived(status: ChargeRow['status'], open: boolean): ChargeRow['status'] {
  if (status === 'CANCELLED') return status
  if (!open) return 'PAID'
  return status === 'PAID' ? 'ACTIVE' : status
}

function isSame(stored: ChargeRow, edited: Edited): boolean {
  return (
    stored.amount === edited.amount &&
    stored.due === edited.due &&
    stored.status === edited.status &&
    stored.cancelling === edited.cancelling
  )
}

/** When the worker may take money for a charge that its merchant has changed. */
async function nextAttempt(tx: Tx, charge: ChargeRow, now: number): Promise<string | null> {
  if (charge.status !== 'ACTIVE' || charge.due === null) return null
  const method = await methodToCollect(tx, charge, now)
  // An expired card may have been renewed by then; a method that was removed does not come back.
  if (method === undefined || method.status_at === 'REMOVED') return null
  const present = formatInstant(now)
  return charge.due > present ? charge.due : present
}
