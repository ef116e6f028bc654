import { expect } from 'vitest'
import {
  begin,
  type Fault,
  followUp,
  recordFirstOutcome,
  type Model,
  newPayment,
  openAmount,
  type Payment,
} from './model.ts'
import {
  aim,
  expectPayment,
  expectRefusal,
  KEYS,
  type Operation,
  paymentNamed,
  pick,
  withKey,
} from './operation.ts'
import { recordMethodId } from './create-payment.ts'
import { formatAmount } from './world.ts'

/** `POST /payments/{id}/capture`. */
export interface CaptureRequest {
  kind: 'capture'
  /** Which authorisation with something open, or, when it strays, which payment of any kind. */
  target: number
  stray: boolean
  byKey: boolean
  /** All that is open when null. */
  amount: number | null
  final: boolean
  key: number | null
  fault: Fault
}

export function planCapture(model: Model, wish: CaptureRequest): Operation | undefined {
  const idOrKey = nameAuthorisation(model, wish)
  if (idOrKey === undefined) return undefined
  const aimed = authorisationNamed(model, idOrKey)
  // One thing goes wrong at a time.
  const isPending = aimed?.card.startsWith('capture') === true
  const fault = isPending || (aimed && isBusy(model, aimed)) ? 'none' : wish.fault
  const final = wish.final && !isPending
  const altKey = wish.key === null ? undefined : pick(KEYS, wish.key)
  return {
    fault,
    send: ({ paymentsClient }) =>
      paymentsClient.capture(idOrKey, {
        ...(wish.amount === null ? {} : { amount: formatAmount(wish.amount) }),
        ...(final ? { final: true } : {}),
        ...(altKey === undefined ? {} : { alt_key: altKey }),
      }),
    follow(now, answer) {
      const auth = authorisationNamed(now, idOrKey)
      if (!auth) return expectRefusal(answer, 404, 'NOT_FOUND')
      recordFirstOutcome(now, auth)
      const open = openAmount(now, auth)
      const amount = wish.amount ?? open
      if (open === 0 || amount > open) return expectRefusal(answer, 400, 'INVALID_STATE')
      expect(answer.status, answer.text).toBe(200)
      recordMethodId(now, auth, answer.json.capture.payment_method)
      auth.captured += amount
      const capture = newPayment(now, {
        type: 'CAPTURE',
        amount,
        id: answer.json.capture.id,
        authorisation: auth,
        altKey: altKey ?? auth.altKey,
        final,
        method: auth.method,
        card: auth.card,
      })
      begin(now, capture, followUp(now, fault, auth.card, 'capture'))
      expectPayment(now, answer.json.capture, capture)
    },
  }
}

/** What is written into the path: an authorisation's id, a key, or something that is neither. */
export function nameAuthorisation(
  model: Model,
  wish: { target: number; stray: boolean; byKey: boolean },
): string | undefined {
  if (wish.byKey) return pick(KEYS, wish.target)
  return aim(
    model,
    wish,
    (each) => openAmount(model, each) > 0 || (each.type === 'AUTH' && each.waiting !== null),
  )
}

/** The authorisation that a path means, by its id or, by a key, the newest with something open. */
export function authorisationNamed(model: Model, named: string): Payment | undefined {
  if (!KEYS.includes(named)) {
    const payment = paymentNamed(model, named)
    return payment.type === 'AUTH' ? payment : undefined
  }
  return withKey(model, named, ['AUTH']).find((auth) => openAmount(model, auth) > 0)
}

/**
 * Whether something on an authorisation has no answer yet. A second one without an answer would be
 * settled in the same round, in no defined order.
 */
export function isBusy(model: Model, auth: Payment): boolean {
  return (
    model.payments.some((each) => each.authorisation === auth && each.waiting !== null) ||
    model.voids.some((each) => each.authorisation === auth && each.waiting !== null)
  )
}
