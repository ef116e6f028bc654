import type { AttemptRow } from '../db/tables/payments.ts'
import type { TestedMethod } from '../card-testing/declines.ts'
import type { SettledAttempt } from '../deps.ts'
import type { PayerAttempt } from '../payments/attempts.ts'
import type { TrialSetup } from './submission.ts'

/** What has become of a submit: of a payer's attempt to pay, or of the set-up of a free trial. */
export interface SettledSubmit extends TestedMethod {
  state: AttemptRow['state']
  set_aside: number
  method_type: string
  processor: string
  decline_code: string | null
}

export function settledPayment({
  attempt,
  payment: { status, gateway_status },
}: SettledAttempt & { attempt: PayerAttempt }): SettledSubmit {
  return { ...attempt, status, gateway_status }
}

/** A set-up that was approved after its payer had left it counts as canceled, not as declined. */
export function settledTrial(setup: TrialSetup): SettledSubmit {
  const isLeft = setup.status === 'DECLINE' && setup.gateway_status === 'APPROVED'
  return {
    ...setup,
    checkout_id: setup.session_id,
    status: isLeft ? 'CANCELLED' : setup.status,
  }
}
