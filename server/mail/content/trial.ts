import { getTrial } from '../../checkouts/trial-agreement.ts'
import { lookupContract } from '../../contracts/store.ts'
import { rhythmText } from '../../../shared/rules/recurring-text.ts'
import { payUrl } from '../../payment-links/serialize.ts'
import { filledRows, NO_RECIPIENT, type WriteMail } from './content.ts'
import { payerEmail, purchaseRows } from './payment-rows.ts'
import { storedMethodText } from './stored-method.ts'

/** The receipt of a free trial: nothing is taken, and when the first payment is due. */
export const writeTrial: WriteMail = async (context) => {
  const { deps, mail, wording } = context
  const { t, merchant, money, date, dateTime } = wording
  const { setup, agreed } = await getTrial(deps.db, mail.record_id)
  const contract = await lookupContract(deps.db, mail.instance_id, mail.subject)
  const to = await payerEmail(deps, setup)
  if (to === null) return NO_RECIPIENT
  const { description, altKey: alt_key, amount, currency, recurring } = agreed
  const bought = { ...setup, description, alt_key, quantity: null, unit_amount: null, currency }
  return {
    to,
    subject: t('email.receipt_subject', { merchant }),
    title: t('receipt.trial_title'),
    amount: money(0, currency),
    paragraphs: [t('receipt.trial_thanks', { merchant })],
    rows: [
      ...(await purchaseRows(context, { ...bought, reference: null })),
      ...filledRows([
        [t('receipt.method'), await storedMethodText(context, setup)],
        [t('receipt.date'), dateTime(contract.created)],
        [t('checkout.recurring'), `${money(amount, currency)} · ${rhythmText(t, recurring)}`],
        [t('receipt.first_due'), date(contract.anchor)],
      ]),
    ],
    action: {
      label: t('email.receipt_button'),
      url: payUrl(deps.config.baseUrl, setup.payment_link_id),
    },
  }
}
