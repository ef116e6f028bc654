import { expect } from 'vitest'
import {
  addMonths,
  type Fault,
  followUp,
  recordFirstOutcome,
  type Model,
  type Payment,
  type Refund,
  settleRefund,
} from './model.ts'
import {
  aim,
  expectRefusal,
  KEYS,
  type Operation,
  paymentNamed,
  pick,
  withKey,
} from './operation.ts'
import { formatAmount } from './world.ts'

/** `POST /payments/{id}/refund`. */
export interface RefundRequest {
  kind: 'refund'
  target: number
  stray: boolean
  byKey: boolean
  /** All that is left when null. */
  amount: number | null
  offline: boolean
  fault: Fault
}

const AMBIGUOUS_MONTHS = 6

export function planRefund(model: Model, wish: RefundRequest): Operation | undefined {
  const idOrKey = wish.byKey ? pick(KEYS, wish.target) : aim(model, wish, isRefundable)
  if (!idOrKey) return undefined
  // One thing goes wrong at a time.
  const isPending = paymentsNamed(model, idOrKey).some(({ card }) => card.startsWith('refund'))
  const fault = wish.offline || isPending ? 'none' : wish.fault
  return {
    fault,
    send: ({ paymentsClient }) =>
      paymentsClient.refund(idOrKey, {
        ...(wish.amount === null ? {} : { amount: formatAmount(wish.amount) }),
        ...(wish.offline ? { offline: true } : {}),
      }),
    follow(now, answer) {
      const found = refundable(now, idOrKey)
      if (found === 'DUPLICATE') {
        expectRefusal(answer, 400, 'DUPLICATE')
        expect(answer.json.error.message).toBe('Duplicate alt_key')
        return
      }
      if (!found) return expectRefusal(answer, 404, 'NOT_FOUND')
      recordFirstOutcome(now, found)
      const left = found.status === 'SUCCESS' ? found.amount - found.refunded : 0
      const amount = wish.amount ?? left
      if (left === 0 || amount > left) return expectRefusal(answer, 400, 'INVALID_STATE')
      expect(answer.status, answer.text).toBe(200)
      const refund = give(now, found, { id: answer.json.refund.id, amount, wish, fault })
      expect(answer.json.refund).toMatchObject({
        payment: (found.authorisation ?? found).id,
        amount: formatAmount(amount),
        status: refund.status,
        offline: wish.offline,
        parts: refund.parts.map((part) => ({
          charge: part.charge.id,
          amount: formatAmount(part.amount),
        })),
      })
    },
  }
}

/** Every payment that a path could mean by the time that it is read. */
function paymentsNamed(model: Model, named: string): Payment[] {
  return KEYS.includes(named)
    ? withKey(model, named, ['PAYMENT', 'CAPTURE'])
    : [paymentNamed(model, named)]
}

function isRefundable({ type, status, amount, refunded }: Payment): boolean {
  return type !== 'AUTH' && status !== 'DECLINE' && refunded < amount
}

/** What a path means to a refund: the newest that did not fail, unless it could be another one. */
function refundable(model: Model, named: string): Payment | 'DUPLICATE' | undefined {
  if (!KEYS.includes(named)) {
    const payment = paymentNamed(model, named)
    return payment.type === 'AUTH' ? undefined : payment
  }
  const [newest, ...others] = withKey(model, named, ['PAYMENT', 'CAPTURE']).filter(
    ({ status }) => status !== 'DECLINE' && status !== 'CANCELLED',
  )
  const since = addMonths(model.now, -AMBIGUOUS_MONTHS)
  return others.some(({ created }) => created >= since) ? 'DUPLICATE' : newest
}

function give(
  model: Model,
  payment: Payment,
  as: { id: string; amount: number; wish: RefundRequest; fault: Fault },
): Refund {
  let left = as.amount
  const parts: Refund['parts'] = []
  for (const part of payment.parts.toReversed()) {
    const taken = Math.min(left, part.amount - part.refunded)
    if (taken === 0) continue
    part.refunded += taken
    left -= taken
    parts.push({ charge: part.charge, amount: taken })
  }
  payment.refunded += as.amount
  const refund: Refund = {
    id: as.id,
    payment,
    amount: as.amount,
    status: 'UNRESOLVED',
    offline: as.wish.offline,
    parts,
    waiting: null,
  }
  model.refunds.push(refund)
  const outcome = as.wish.offline ? 'SUCCESS' : followUp(model, as.fault, payment.card, 'refund')
  if (typeof outcome === 'string') settleRefund(refund, outcome)
  else {
    refund.waiting = outcome
    if (outcome.knownAt > model.now) refund.status = 'PENDING'
  }
  return refund
}
