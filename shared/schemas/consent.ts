import { z } from 'zod'
import { flag, instantOrNull, recordTextOrNull } from './common.ts'

/** The sentence that a payer agreed to, as it was shown. */
export const consent = z.strictObject({
  given: flag.describe('Whether the payer agreed.'),
  text: recordTextOrNull(
    'The consent text that the payer accepted; null if you stored the method with `POST /payments` and obtained consent yourself.',
  ),
  language: recordTextOrNull('Language of the consent text; null if there is none.', 'fr'),
  at: instantOrNull.describe('When the payer agreed.'),
  checkout: recordTextOrNull(
    'The checkout session in which that happened; null for `POST /payments`.',
  ),
})

export type ConsentRecord = z.output<typeof consent>
