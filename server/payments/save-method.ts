import type { AttemptRow, PaymentMethodRow, PaymentRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { fromJson } from '../db/json.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { newId } from '../ids.ts'
import { getPaymentMethod, upsertPaymentMethod } from '../payment-methods/store.ts'
import type { ProcessorResponse } from '../processors/port.ts'

/** The sentence under which a payer allowed a method to be kept, as they saw it. */
export interface Consent {
  text: string
  language: string
}

/** A payment that is being settled with the processor's answer; `now` is epoch milliseconds. */
interface Paid {
  attempt: AttemptRow
  payment: PaymentRow
  answer: ProcessorResponse
  now: number
}

type Approved = Extract<ProcessorResponse, { status: 'APPROVED' }>

/** Whether `methodOfPayment` is going to store or update a method. */
export function savesMethod({ attempt, payment, answer }: Paid): boolean {
  const maySave = attempt.saved_method_id === null && attempt.save === 1
  return maySave && payment.account_id !== null && answer.status === 'APPROVED' && !!answer.stored
}

/**
 * Returns the id of the stored method that paid: the one that was charged, or the one that is stored
 * now, when the payer allowed it and the payment succeeded. The same card saved again on an account
 * updates the method that is there, and `payment_method.updated` is recorded; one that was removed
 * stays removed, since what was to be collected from it may not begin again by itself. Null when
 * nothing is stored.
 */
export async function methodOfPayment(tx: Tx, paid: Paid): Promise<string | null> {
  const { attempt, answer, now } = paid
  if (!savesMethod(paid)) return attempt.saved_method_id
  const row = newMethod(paid, answer as Approved)
  const saved = await upsertPaymentMethod(tx, row)
  const { instance_id: instanceId, id } = saved
  const type = id === row.id ? 'payment_method.created' : 'payment_method.updated'
  const payment_method = await getPaymentMethod(tx, instanceId, id, now)
  await recordEvent(tx, { instanceId, type, data: { payment_method }, now })
  return id
}

function newMethod(
  { attempt, payment, now }: Paid,
  { method, stored }: Approved,
): PaymentMethodRow {
  const created = formatInstant(now)
  const { token, fingerprint } = stored as NonNullable<Approved['stored']>
  return {
    id: newId('pm', now),
    instance_id: attempt.instance_id,
    account_id: payment.account_id as string,
    type: attempt.method_type ?? 'CARD',
    brand: method?.brand ?? null,
    last4: method?.last4 ?? null,
    exp_month: method?.exp_month ?? null,
    exp_year: method?.exp_year ?? null,
    funding: method?.funding ?? null,
    country: method?.country ?? null,
    status: 'ACTIVE',
    reusable: attempt.reusable,
    consent: JSON.stringify({
      given: true,
      // A merchant who saves a method by request has asked the payer in words that we never saw.
      ...(fromJson<Consent>(attempt.consent) ?? { text: null, language: null }),
      at: attempt.created,
      checkout: attempt.checkout_id,
    }),
    processor: attempt.processor,
    processor_token: token,
    fingerprint,
    dedupe_key: fingerprint,
    created,
    updated: created,
    v: 1,
  }
}
