import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import type { LegalEntityRecord } from '../../shared/schemas/legal-entity.ts'
import { parseCurrencies, parseDetails } from './content.ts'

export function serializeLegalEntity(row: LegalEntityRow): LegalEntityRecord {
  const details = parseDetails(row)
  return {
    id: row.id,
    alt_key: row.alt_key,
    name: row.name,
    legal_name: row.legal_name,
    type: row.type,
    registration_number: details.registration_number,
    registered_at: details.registered_at,
    tax_ids: details.tax_ids,
    address: details.address,
    country: row.country,
    email: details.email,
    phone: details.phone,
    url: details.url,
    statement_descriptor: details.statement_descriptor,
    receipt_footer: details.receipt_footer,
    terms_url: details.terms_url,
    privacy_url: details.privacy_url,
    logo: details.logo,
    currencies: parseCurrencies(row),
    default: row.is_default === 1,
    status: row.status,
    created_session: row.created_session,
    updated_session: row.updated_session,
    created: row.created,
    updated: row.updated,
    v: row.v,
  }
}
