import { getRefund } from '../../payments/refunds.ts'
import { getPaymentRow } from '../../payments/store.ts'
import { filledRows, NO_RECIPIENT, OBSOLETE, type WriteMail } from './content.ts'
import { payerEmail, purchaseRows } from './payment-rows.ts'

/** The receipt of a refund, for the payer of its payment. */
export const writeRefund: WriteMail = async (context) => {
  const { deps, mail, wording } = context
  const { t, merchant, money, dateTime } = wording
  const refund = await getRefund(deps.db, mail.instance_id, mail.record_id)
  if (refund.failed_later === 1) return OBSOLETE
  const payment = await getPaymentRow(deps.db, mail.instance_id, refund.refunded_id)
  const to = await payerEmail(deps, payment)
  if (to === null) return NO_RECIPIENT
  const amount = money(refund.amount, refund.currency)
  return {
    to,
    subject: t('email.refund_subject', { merchant }),
    title: t('email.refund_title'),
    amount,
    paragraphs: [t('email.refund_intro', { merchant, amount })],
    rows: [
      ...(await purchaseRows(context, payment)),
      ...filledRows([[t('receipt.date'), dateTime(refund.processed ?? refund.created)]]),
    ],
  }
}
