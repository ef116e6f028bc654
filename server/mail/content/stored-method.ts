import type { PaymentMethodRow } from '../../db/tables/payment-methods.ts'
import type { StringId } from '../../users/translator.ts'
import type { MailWording } from '../wording.ts'

/** Returns a stored method as a payer knows it: `Card ending in 4242`. */
export function methodText(
  { t }: MailWording,
  { type, last4 }: Pick<PaymentMethodRow, 'type' | 'last4'>,
): string {
  const name = t(`methods.${type.toLowerCase()}` as StringId)
  return last4 === null ? name : t('methods.ending', { name, digits: last4 })
}
