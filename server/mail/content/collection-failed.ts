import { findAccount } from '../../accounts/store.ts'
import { findCharge } from '../../charges/store.ts'
import { getPaymentRow } from '../../payments/store.ts'
import { filledRows, NO_RECIPIENT, OBSOLETE, type WriteMail } from './content.ts'
import { storedMethodText } from './stored-method.ts'
import { methodAction } from './method-action.ts'

/** Says to a customer that a charge could not be collected from the stored method. */
export const writeCollectionFailed: WriteMail = async (context) => {
  const { deps, mail, wording } = context
  const { t, merchant, money, date } = wording
  const { db } = deps
  const payment = await getPaymentRow(db, mail.instance_id, mail.record_id)
  const charge =
    payment.charge_id === null
      ? undefined
      : await findCharge(db, mail.instance_id, payment.charge_id)
  if (charge?.status !== 'ACTIVE') return OBSOLETE
  const account =
    payment.account_id === null
      ? undefined
      : await findAccount(db, mail.instance_id, payment.account_id)
  if (account?.email == null) return NO_RECIPIENT
  const retry = charge.next_attempt
  const action = await methodAction(context, payment.contract_id)
  return {
    to: account.email,
    subject: t('email.failed_subject', { merchant }),
    title: t('email.failed_title'),
    amount: money(payment.amount, payment.currency),
    paragraphs: [
      t('email.failed_intro', { merchant }),
      ...(retry === null ? [] : [t('email.failed_retry', { date: date(retry) })]),
      ...(action ? [] : [t('email.method_contact', { merchant })]),
    ],
    rows: filledRows([
      [t('receipt.paid_to'), merchant],
      [t('checkout.reference'), payment.alt_key],
      [t('receipt.reference'), payment.reference],
      [t('checkout.comment'), payment.description],
      [t('receipt.method'), await storedMethodText(context, payment)],
    ]),
    ...(action && { action }),
  }
}
