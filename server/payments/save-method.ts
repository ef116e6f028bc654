import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import { fromJson } from '../db/json.ts'
import type { Tx } from '../db/tables.ts'
import type { Consent } from '../payment-methods/consent.ts'
import { savePaymentMethod } from '../payment-methods/save.ts'
import type { ProcessorResponse } from '../processors/port.ts'

/** `now` is epoch milliseconds. */
interface PaidAttempt {
  attempt: AttemptRow
  payment: PaymentRow
  response: ProcessorResponse
  now: number
}

type Approved = Extract<ProcessorResponse, { status: 'APPROVED' }>

export function willSaveMethod({ attempt, payment, response }: PaidAttempt): boolean {
  const maySave = attempt.saved_method_id === null && attempt.save === 1
  return (
    maySave && payment.account_id !== null && response.status === 'APPROVED' && !!response.stored
  )
}

/**
 * Returns the id of the stored method that paid: the charged one, or the new one when the payer allowed
 * it and the payment succeeded; null for neither. A removed method stays removed, so that its collections
 * do not start again.
 */
export async function savePaidMethod(tx: Tx, paid: PaidAttempt): Promise<string | null> {
  const { attempt, payment, response, now } = paid
  if (!willSaveMethod(paid)) return attempt.saved_method_id
  const kept = {
    instanceId: attempt.instance_id,
    accountId: payment.account_id as string,
    processor: attempt.processor,
    type: attempt.method_type ?? 'CARD',
    reusable: attempt.reusable === 1,
    // A merchant who saves a method by API has their own text of consent.
    consent: fromJson<Consent>(attempt.consent) ?? undefined,
    agreed: attempt.created,
    checkout: attempt.checkout_id,
  }
  return savePaymentMethod(tx, kept, response as Approved, now)
}
