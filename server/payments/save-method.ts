import type { AttemptRow, PaymentMethodRow, PaymentRow } from '../db/rows.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { fromJson } from '../db/json.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { newId } from '../ids.ts'
import { forgetLater } from '../payment-methods/forget.ts'
import { findSameMethod, getPaymentMethod, upsertPaymentMethod } from '../payment-methods/store.ts'
import { serializePaymentMethod } from '../payment-methods/serialize.ts'
import type { ProcessorResponse } from '../processors/port.ts'

/** The sentence of consent to save a method, as the payer saw it. */
export interface Consent {
  text: string
  language: string
}

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
 * it and the payment succeeded; null for neither. A card that its account has saved before updates
 * that method. A removed method stays removed, so that its collections do not start again.
 */
export async function savePaidMethod(tx: Tx, paid: PaidAttempt): Promise<string | null> {
  const { attempt, response, now } = paid
  if (!willSaveMethod(paid)) return attempt.saved_method_id
  const row = newPaymentMethod(paid, response as Approved)
  const former = await findSameMethod(tx, row)
  const saved = await upsertPaymentMethod(tx, row)
  if (former && former.processor_token !== saved.processor_token) await forgetLater(tx, former)
  const { instance_id: instanceId, id } = saved
  const type = id === row.id ? 'payment_method.created' : 'payment_method.updated'
  const payment_method = serializePaymentMethod(await getPaymentMethod(tx, instanceId, id, now))
  await recordEvent(tx, { instanceId, type, data: { payment_method }, now })
  return id
}

function newPaymentMethod(
  { attempt, payment, now }: PaidAttempt,
  approved: Approved,
): PaymentMethodRow {
  const created = formatInstant(now)
  const { token, fingerprint, ...stored } = approved.stored as NonNullable<Approved['stored']>
  const method = stored.method ?? approved.method
  return {
    id: newId('pm', now),
    instance_id: attempt.instance_id,
    account_id: payment.account_id as string,
    type: (stored.method?.type || attempt.method_type) ?? 'CARD',
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
      // A merchant who saves a method by API has its own text of consent.
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
