import { expect } from 'vitest'
import { type Charge, DAY_MS, follow, inFlight, type Model } from './model.ts'
import { chargeNamed, expectRefusal, type Operation, pick } from './operation.ts'
import { formatAmount } from './world.ts'

/** `PUT /charges/{id}`: written off, taken up again, another amount, another time. */
export interface ChargeChangeRequest {
  kind: 'change'
  charge: number
  status: 'ACTIVE' | 'WRITTENOFF' | null
  amount: number | null
  /** From now, also back; `NEVER` clears it, null leaves it. */
  days: number | 'NEVER' | null
}

export function planChange(model: Model, wish: ChargeChangeRequest): Operation | undefined {
  const id = pick(model.charges, wish.charge)?.id
  if (!id) return undefined
  const due =
    typeof wish.days === 'number'
      ? model.now + wish.days * DAY_MS
      : wish.days === 'NEVER'
        ? null
        : 0
  return {
    fault: 'none',
    send: ({ merchant }) =>
      merchant.api(`/charges/${id}`, {
        method: 'PUT',
        body: {
          charge: {
            ...(wish.status === null ? {} : { status: wish.status }),
            ...(wish.amount === null ? {} : { amount: formatAmount(wish.amount) }),
            ...(due === 0 ? {} : { due: due === null ? null : new Date(due).toISOString() }),
          },
        },
      }),
    follow(now, answer) {
      const charge = chargeNamed(now, id)
      const isNamed = wish.status !== null || wish.amount !== null || due !== 0
      const problem = isNamed ? refusalOf(now, charge, wish) : undefined
      if (problem !== undefined) return expectRefusal(answer, 400, problem)
      expect(answer.status, answer.text).toBe(200)
      if (isNamed) change(now, charge, { ...wish, due: due === 0 ? charge.due : due })
      expect(answer.json.charge).toMatchObject(shownCharge(charge))
    },
  }
}

function refusalOf(model: Model, charge: Charge, wish: ChargeChangeRequest): string | undefined {
  if (charge.status === 'CANCELLED') return 'INVALID_STATE'
  const amount = wish.amount ?? charge.amount
  if (amount < charge.paid) return 'INVALID_REQUEST'
  if (amount < charge.paid + inFlight(model, charge)) return 'INVALID_STATE'
  if (charge.status !== 'PAID' || wish.status === null) return undefined
  const isOwed = amount > charge.paid
  return wish.status === 'ACTIVE' && isOwed ? undefined : 'INVALID_STATE'
}

function change(
  model: Model,
  charge: Charge,
  to: ChargeChangeRequest & { due: number | null },
): void {
  const before = JSON.stringify([charge.amount, charge.due, charge.status])
  charge.amount = to.amount ?? charge.amount
  const requested = to.status ?? (charge.status === 'PAID' ? 'ACTIVE' : charge.status)
  const status = charge.amount === charge.paid ? 'PAID' : requested
  // One that is taken up again and given no time keeps the one that it had.
  const isBack = charge.status === 'WRITTENOFF' && status === 'ACTIVE'
  if (!isBack || to.due !== null) charge.due = to.due
  charge.status = status
  if (JSON.stringify([charge.amount, charge.due, charge.status]) === before) return
  const isPlanned = charge.status === 'ACTIVE' && charge.due !== null
  charge.nextAttempt = isPlanned ? Math.max(charge.due as number, model.now) : null
  follow(model, charge)
}

/** The members of a charge's record in the model. */
export function shownCharge(charge: Charge): Record<string, unknown> {
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
  return {
    id: charge.id,
    status: charge.status,
    amount: formatAmount(charge.amount),
    paid_amount: formatAmount(charge.paid),
    outstanding_amount: formatAmount(charge.amount - charge.paid),
    refunded_amount: formatAmount(charge.refunded),
    due: instant(charge.due),
    next_attempt: instant(charge.nextAttempt),
    attempts: charge.attempts,
    alt_key: charge.altKey,
    contract: charge.contract?.id ?? null,
    payment_method: charge.method,
  }
}
