import type { PayerRecord } from '../../shared/schemas/payer.ts'
import { fromJson } from '../db/json.ts'

/** Parses the column `payer_details`: what the payer typed on the page. */
export function serializePayer(details: string | null): PayerRecord | null {
  const typed = fromJson<Partial<PayerRecord>>(details)
  if (typed === null) return null
  const { first_name, last_name, email, phone, address } = typed
  return {
    first_name: first_name ?? null,
    last_name: last_name ?? null,
    email: email ?? null,
    phone: phone ?? null,
    address: address ?? null,
  }
}
