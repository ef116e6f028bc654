import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { newId } from '../ids.ts'
import type { ProcessorResponse } from '../processors/port.ts'
import { type Consent, consentRecord } from './consent.ts'
import { forgetLater } from './forget.ts'
import { serializePaymentMethod } from './serialize.ts'
import { findSameMethod, getPaymentMethod, upsertPaymentMethod } from './store.ts'

/** How a processor came to keep a method. */
export interface KeptMethod {
  instanceId: string
  accountId: string
  processor: string
  type: string
  reusable: boolean
  /** Undefined where the merchant has a text of consent of their own. */
  consent: Consent | undefined
  /** When the payer agreed, date-time. */
  agreed: string
  checkout: string | null
}

type Approved = Extract<ProcessorResponse, { status: 'APPROVED' }>

/**
 * Saves a method that its processor keeps, and records the event. A card that its account has saved before
 * updates that method; the processor forgets the former token. Returns the id of the method. `now` is
 * epoch milliseconds.
 */
export async function savePaymentMethod(
  tx: Tx,
  kept: KeptMethod,
  approved: Approved,
  now: number,
): Promise<string> {
  const row = newPaymentMethod(kept, approved, now)
  const former = await findSameMethod(tx, row)
  const saved = await upsertPaymentMethod(tx, row)
  if (former && former.processor_token !== saved.processor_token) await forgetLater(tx, former)
  const { instance_id: instanceId, id } = saved
  const type = id === row.id ? 'payment_method.created' : 'payment_method.updated'
  const payment_method = serializePaymentMethod(await getPaymentMethod(tx, instanceId, id, now))
  await recordEvent(tx, { instanceId, type, data: { payment_method }, now })
  return id
}

function newPaymentMethod(kept: KeptMethod, approved: Approved, now: number): PaymentMethodRow {
  const created = formatInstant(now)
  const { token, fingerprint, ...stored } = approved.stored as NonNullable<Approved['stored']>
  const method = stored.method ?? approved.method
  return {
    id: newId('pm', now),
    instance_id: kept.instanceId,
    account_id: kept.accountId,
    type: stored.method?.type || kept.type,
    brand: method?.brand ?? null,
    last4: method?.last4 ?? null,
    exp_month: method?.exp_month ?? null,
    exp_year: method?.exp_year ?? null,
    funding: method?.funding ?? null,
    country: method?.country ?? null,
    status: 'ACTIVE',
    reusable: kept.reusable ? 1 : 0,
    consent: JSON.stringify(
      consentRecord(kept.consent, { at: kept.agreed, checkout: kept.checkout }),
    ),
    processor: kept.processor,
    processor_token: token,
    fingerprint,
    dedupe_key: fingerprint,
    created,
    updated: created,
    v: 1,
  }
}
