import type { LegalEntityChange, LegalEntityRecord } from '../../../shared/schemas/legal-entity.ts'

export const TAX_TYPES = ['VAT', 'GST', 'EIN', 'ABN', 'OTHER'] as const

/**
 * Members that are one line of text, in the groups of the form, each with the id of its label. Empty
 * clears one.
 */
export const GROUPS = {
  place: [
    ['line1', 'line1'],
    ['line5', 'zip'],
    ['line4', 'city'],
  ],
  register: [
    ['registered_at', 'registered_at'],
    ['registration_number', 'registration_number'],
  ],
  contact: [
    ['email', 'email'],
    ['phone', 'phone'],
    ['url', 'url'],
    ['terms_url', 'terms_url'],
    ['privacy_url', 'privacy_url'],
  ],
  own: [
    ['statement_descriptor', 'statement'],
    ['name', 'own_name'],
    ['alt_key', 'alt_key'],
  ],
} as const

export type EntityGroup = keyof typeof GROUPS

type TextMember = (typeof GROUPS)[EntityGroup][number][0]

/** A legal entity as it is typed. */
export interface EntityDraft extends Record<TextMember, string> {
  legal_name: string
  type: LegalEntityRecord['type']
  country: string
  /** The first tax number; others are kept. */
  tax_type: (typeof TAX_TYPES)[number]
  tax_value: string
  /** Codes separated by spaces or commas; empty for all. */
  currencies: string
  receipt_footer: string
  default: boolean
}

/** Returns the form of a legal entity; an empty one for a new one. */
export function draftOf(entity?: LegalEntityRecord): EntityDraft {
  const [tax] = entity?.tax_ids ?? []
  const { address } = entity ?? {}
  return {
    legal_name: entity?.legal_name ?? '',
    type: entity?.type ?? 'ORGANISATION',
    country: entity?.country ?? '',
    tax_type: tax?.type ?? 'VAT',
    tax_value: tax?.value ?? '',
    line1: address?.line1 ?? '',
    line5: address?.line5 ?? '',
    line4: address?.line4 ?? '',
    registered_at: entity?.registered_at ?? '',
    registration_number: entity?.registration_number ?? '',
    email: entity?.email ?? '',
    phone: entity?.phone ?? '',
    url: entity?.url ?? '',
    terms_url: entity?.terms_url ?? '',
    privacy_url: entity?.privacy_url ?? '',
    statement_descriptor: entity?.statement_descriptor ?? '',
    name: entity?.name ?? '',
    alt_key: entity?.alt_key ?? '',
    currencies: entity?.currencies?.join(', ') ?? '',
    receipt_footer: entity?.receipt_footer ?? '',
    default: entity?.default ?? false,
  }
}

/** Whether it can be sent; the server checks the rest. */
export const isDraftReady = ({ legal_name: name, country }: EntityDraft): boolean =>
  name.trim() !== '' && /^[A-Z]{2}$/.test(country)

/**
 * Returns the members to send. What the form has no field for, such as a second tax number, stays.
 */
export function draftBody(draft: EntityDraft, entity?: LegalEntityRecord): LegalEntityChange {
  const text = (value: string) => (value.trim() === '' ? null : value.trim())
  const { line1, line4, line5, tax_type: type, tax_value: number, country } = draft
  const isPlaced = [line1, line4, line5].some((value) => value.trim() !== '')
  const [first, ...otherTaxes] = entity?.tax_ids ?? []
  const taxCountry = first?.country ?? country
  const currencies = draft.currencies.split(/[\s,]+/).filter(Boolean)
  return {
    legal_name: draft.legal_name.trim(),
    type: draft.type,
    country,
    tax_ids: [
      ...(number.trim() === '' ? [] : [{ type, country: taxCountry, value: number.trim() }]),
      ...otherTaxes,
    ],
    address: isPlaced
      ? { ...entity?.address, line1: text(line1), line4: text(line4), line5: text(line5), country }
      : null,
    registered_at: text(draft.registered_at),
    registration_number: text(draft.registration_number),
    email: text(draft.email),
    phone: text(draft.phone),
    url: text(draft.url),
    terms_url: text(draft.terms_url),
    privacy_url: text(draft.privacy_url),
    statement_descriptor: text(draft.statement_descriptor)?.toUpperCase() ?? null,
    name: text(draft.name),
    alt_key: text(draft.alt_key),
    currencies: currencies.length === 0 ? null : currencies,
    receipt_footer: text(draft.receipt_footer),
    ...(draft.default && !entity?.default && { default: true }),
  }
}
