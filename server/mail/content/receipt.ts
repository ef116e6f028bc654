import { payUrl } from '../../payment-links/serialize.ts'
import { getPaymentRow } from '../../payments/store.ts'
import { filledRows, NO_RECIPIENT, type WriteMail } from './content.ts'
import { partRows, payerEmail, purchaseRows } from './payment-rows.ts'
import { paidMethodText } from './stored-method.ts'

/** The receipt of a payment, for its payer. */
export const writeReceipt: WriteMail = async (context) => {
  const { deps, mail, wording } = context
  const { t, merchant, money, dateTime } = wording
  const payment = await getPaymentRow(deps.db, mail.instance_id, mail.record_id)
  const to = await payerEmail(deps, payment)
  if (to === null) return NO_RECIPIENT
  return {
    to,
    subject: t('email.receipt_subject', { merchant }),
    title: t('receipt.title'),
    amount: money(payment.amount, payment.currency),
    paragraphs: [t('receipt.thanks', { merchant })],
    rows: [
      ...(await purchaseRows(context, payment)),
      ...(await partRows(context, payment)),
      ...filledRows([
        [t('receipt.method'), await paidMethodText(context, payment)],
        [t('receipt.date'), dateTime(payment.processed ?? payment.created)],
      ]),
    ],
    ...(payment.payment_link_id !== null && {
      action: {
        label: t('email.receipt_button'),
        url: payUrl(deps.config.baseUrl, payment.payment_link_id),
      },
    }),
  }
}
