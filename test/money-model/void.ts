import { expect } from 'vitest'
import { authorisationNamed, isBusy, nameAuthorisation } from './capture.ts'
import {
  type Fault,
  followUp,
  recordFirstOutcome,
  type Model,
  openAmount,
  newVoid,
  settleVoid,
} from './model.ts'
import { expectRefusal, type Operation } from './operation.ts'
import { formatAmount } from './world.ts'

/** `POST /payments/{id}/void`. */
export interface VoidRequest {
  kind: 'void'
  target: number
  stray: boolean
  byKey: boolean
  fault: Fault
}

export function planVoid(model: Model, wish: VoidRequest): Operation | undefined {
  const idOrKey = nameAuthorisation(model, wish)
  if (idOrKey === undefined) return undefined
  const aimed = authorisationNamed(model, idOrKey)
  const fault = aimed && isBusy(model, aimed) ? 'none' : wish.fault
  return {
    fault,
    send: ({ paymentsClient }) => paymentsClient.release(idOrKey),
    follow(now, answer) {
      const auth = authorisationNamed(now, idOrKey)
      if (!auth) return expectRefusal(answer, 404, 'NOT_FOUND')
      recordFirstOutcome(now, auth)
      const amount = openAmount(now, auth)
      if (amount === 0) return expectRefusal(answer, 400, 'INVALID_STATE')
      expect(answer.status, answer.text).toBe(200)
      const released = newVoid(now, auth, answer.json.void.id)
      const outcome = followUp(now, fault, auth.card, 'void')
      if (typeof outcome === 'string') settleVoid(now, released, outcome)
      else released.waiting = outcome
      expect(answer.json.void).toMatchObject({
        payment: auth.id,
        amount: formatAmount(amount),
        status: released.status,
      })
    },
  }
}
