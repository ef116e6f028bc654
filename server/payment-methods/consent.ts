import type { ConsentRecord } from '../../shared/schemas/consent.ts'

/** The sentence that a payer agreed to, as it was shown. */
export interface Consent {
  text: string
  language: string
}

/**
 * Returns a consent as records have it. `at` is the date-time when it was given, `checkout` the session;
 * without `consent` the merchant has a text of their own.
 */
export function consentRecord(
  consent: Consent | null | undefined,
  { at, checkout }: Pick<ConsentRecord, 'at' | 'checkout'>,
): ConsentRecord {
  return { given: true, ...(consent ?? { text: null, language: null }), at, checkout }
}
