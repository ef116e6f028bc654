import { findAccount } from '../../accounts/store.ts'
import { findContract } from '../../contracts/store.ts'
import { findPaymentMethod } from '../../payment-methods/store.ts'
import { expiringCard } from '../expiring-card.ts'
import { unsubscribeUrl } from '../unsubscribe-token.ts'
import { NO_RECIPIENT, OBSOLETE, UNSUBSCRIBED, type WriteMail } from './content.ts'
import { methodAction } from './method-action.ts'
import { methodText } from './stored-method.ts'

/** Says to a customer that a stored card expires before it is charged again. */
export const writeCardExpiring: WriteMail = async (context) => {
  const { deps, mail, wording } = context
  const { t, merchant, money, date } = wording
  const contract = await findContract(deps.db, mail.instance_id, mail.record_id)
  if (contract?.status !== 'ACTIVE' || contract.next_due === null) return OBSOLETE
  const methodId = contract.payment_method_id
  const card =
    methodId === null
      ? undefined
      : await findPaymentMethod(deps.db, mail.instance_id, methodId, deps.now())
  if (!card || card.status === 'REMOVED' || expiringCard(contract.id, card) !== mail.subject)
    return OBSOLETE
  const account = await findAccount(deps.db, mail.instance_id, contract.account_id)
  if (account?.email == null) return NO_RECIPIENT
  if (account.mail_notices === 0) return UNSUBSCRIBED
  const action = await methodAction(context, contract.id)
  const until = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`
  return {
    to: account.email,
    subject: t('email.card_subject', { merchant }),
    title: t('email.card_title'),
    paragraphs: [
      t('email.card_intro', {
        merchant,
        card: methodText(wording, card),
        until,
        amount: money(contract.amount, contract.currency),
        date: date(contract.next_due),
      }),
      ...(action ? [] : [t('email.method_contact', { merchant })]),
    ],
    ...(action && { action }),
    unsubscribe: unsubscribeUrl(deps, account.id),
  }
}
