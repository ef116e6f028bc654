import type { CheckoutView } from '../../shared/page-model.ts'
import { intlLanguage } from '../../shared/rules/wording.ts'
import type { LegalEntityContent } from '../legal-entities/content.ts'

/** Countries in whose addresses the state or province stands behind the city. */
const WITH_STATE = new Set(['AU', 'BR', 'CA', 'IN', 'MX', 'US'])

/** Returns what payers see of a legal entity. */
export function serializeShownEntity(
  content: LegalEntityContent,
  language: string,
): NonNullable<CheckoutView['legal_entity']> {
  const { registration_number, registered_at } = content
  return {
    legal_name: content.legal_name,
    address: addressLines(content, language),
    registration: [registered_at, registration_number].filter(Boolean).join(', ') || null,
    tax_ids: content.tax_ids.map(({ type, value }) => ({ type, value })),
    email: content.email,
    phone: content.phone,
    url: content.url,
    terms_url: content.terms_url,
    privacy_url: content.privacy_url,
    receipt_footer: content.receipt_footer,
  }
}

/** Returns an address as it is written on an envelope, with the country in the payer's language. */
function addressLines({ address, country }: LegalEntityContent, language: string): string[] {
  const { line1, line2, line3, line4: city, line5: postCode, line6 } = address ?? {}
  const land = address?.country ?? country
  const place = WITH_STATE.has(land)
    ? [[city, line6?.slice(3)].filter(Boolean).join(', '), postCode]
    : [postCode, city]
  const names = new Intl.DisplayNames([intlLanguage(language), 'en'], { type: 'region' })
  return [line1, line2, line3, place.filter(Boolean).join(' '), names.of(land)].filter(
    (line): line is string => !!line,
  )
}
