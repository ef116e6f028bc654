import type { PaymentMethodRow } from '../../db/tables/payment-methods.ts'
import type { PaymentRow } from '../../db/tables/payments.ts'
import { findPaymentMethod } from '../../payment-methods/store.ts'
import { findPaidAttempt } from '../../payments/attempts.ts'
import type { StringId } from '../../users/translator.ts'
import type { MailWording } from '../wording.ts'
import type { MailContext } from './content.ts'

/** Returns a stored method as a payer knows it: `Card ending in 4242`. */
export function methodText(
  { t }: MailWording,
  { type, last4 }: Pick<PaymentMethodRow, 'type' | 'last4'>,
): string {
  const name = t(`methods.${type.toLowerCase()}` as StringId)
  return last4 === null ? name : t('methods.ending', { name, digits: last4 })
}

/** Returns the method by which a payment was made. */
export async function paidMethodText(
  context: MailContext,
  payment: PaymentRow,
): Promise<string | undefined> {
  const stored = await storedMethodText(context, payment)
  if (stored !== undefined) return stored
  const { method_type: type, method_last4: last4 = null } =
    (await findPaidAttempt(context.deps.db, payment)) ?? {}
  return type == null ? undefined : methodText(context.wording, { type, last4 })
}

/** Returns the stored method of a payment; undefined for a payment without one. */
export async function storedMethodText(
  { deps: { db, now }, wording }: MailContext,
  { instance_id, payment_method_id: id }: Pick<PaymentRow, 'instance_id' | 'payment_method_id'>,
): Promise<string | undefined> {
  const method = id === null ? undefined : await findPaymentMethod(db, instance_id, id, now())
  return method && methodText(wording, method)
}
