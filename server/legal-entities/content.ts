import { createHash } from 'node:crypto'
import type { LegalEntityRow } from '../db/tables/legal-entities.ts'
import type { LegalEntityRecord } from '../../shared/schemas/legal-entity.ts'
import { fromJson } from '../db/json.ts'

/** The members that are stored as one JSON text. */
export type LegalEntityDetails = Pick<
  LegalEntityRecord,
  | 'registration_number'
  | 'registered_at'
  | 'tax_ids'
  | 'address'
  | 'email'
  | 'phone'
  | 'url'
  | 'statement_descriptor'
  | 'receipt_footer'
  | 'terms_url'
  | 'privacy_url'
  | 'logo'
>

export const NO_DETAILS: LegalEntityDetails = {
  registration_number: null,
  registered_at: null,
  tax_ids: [],
  address: null,
  email: null,
  phone: null,
  url: null,
  statement_descriptor: null,
  receipt_footer: null,
  terms_url: null,
  privacy_url: null,
  logo: null,
}

/** What payers see of an entity, and what their statements show. */
export interface LegalEntityContent extends LegalEntityDetails {
  /** Of the entity. */
  id: string
  legal_name: string
  country: string
}

export function parseDetails(row: Pick<LegalEntityRow, 'details'>): LegalEntityDetails {
  return { ...NO_DETAILS, ...(JSON.parse(row.details) as Partial<LegalEntityDetails>) }
}

export function parseCurrencies(row: Pick<LegalEntityRow, 'currencies'>): string[] | null {
  return fromJson<string[]>(row.currencies)
}

type Shown = Pick<LegalEntityRow, 'id' | 'legal_name' | 'country' | 'details'>

/** Returns the JSON of the content and its key, which is the same for the same content. */
export function contentVersion(row: Shown): { key: string; content: string } {
  const { id, legal_name, country } = row
  const content: LegalEntityContent = { id, legal_name, country, ...parseDetails(row) }
  const json = JSON.stringify(content)
  const digest = createHash('sha256').update(json).digest('base64url')
  return { key: digest.slice(0, 22), content: json }
}

/** Returns what strings call an entity; the merchant's name for none. */
export function legalNames(
  content: LegalEntityContent | undefined,
  merchant: string,
): { legal_name: string; vat: string } {
  const vat = content?.tax_ids.find(({ type }) => type === 'VAT')
  return { legal_name: content?.legal_name ?? merchant, vat: vat?.value ?? '' }
}
