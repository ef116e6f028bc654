import { rhythmText } from '../../../shared/rules/recurring-text.ts'
import type { PaymentLinkOptions } from '../../../shared/schemas/payment-link.ts'
import { serializeDueCharge } from '../../checkouts/charge-lines.ts'
import { readTerms } from '../../checkouts/charges.ts'
import { fixedAmount, resolveCurrency } from '../../checkouts/resolve-terms.ts'
import { isSendable } from '../sendable-link.ts'
import { payUrl } from '../../payment-links/serialize.ts'
import { getLink } from '../../payment-links/store.ts'
import type { MailWording } from '../wording.ts'
import { filledRows, NO_RECIPIENT, OBSOLETE, type WriteMail } from './content.ts'
import { chargeRows } from './payment-rows.ts'

/** A merchant's request to pay a link. */
export const writePaymentLink: WriteMail = async ({ deps, instance, mail, wording }) => {
  const { t, merchant, money, dateTime } = wording
  if (mail.recipient === null) return NO_RECIPIENT
  const link = await getLink(deps.db, mail.instance_id, mail.record_id)
  if (!(await isSendable(deps, link, instance))) return OBSOLETE
  const { options, charges } = await readTerms(deps.db, link)
  const currency = resolveCurrency(instance, options, undefined)
  const fixed = fixedAmount(options, currency)
  const amount = fixed === undefined ? undefined : money(fixed, currency)
  const trial = options.recurring && trialTexts(wording, options.recurring, amount)
  const shown = trial?.price ?? amount
  const url = payUrl(deps.config.baseUrl, link.id)
  return {
    to: mail.recipient,
    subject: trial?.title ?? t('email.link_subject', { merchant }),
    title: trial?.title ?? t('checkout.pay_merchant', { merchant }),
    ...(shown !== undefined && { amount: shown }),
    paragraphs: [
      trial?.after ??
        (amount === undefined
          ? t('email.link_intro_open', { merchant })
          : t('email.link_intro', { merchant, amount })),
      ...(link.expires === null ? [] : [t('checkout.expires', { date: dateTime(link.expires) })]),
    ],
    rows: [
      ...filledRows([
        [t('receipt.name'), options.name === merchant ? null : options.name],
        [t('checkout.reference'), options.alt_key],
        [t('checkout.comment'), options.description],
      ]),
      ...chargeRows(wording, charges?.due.map(serializeDueCharge) ?? [], currency),
    ],
    action: {
      label: t('email.link_button'),
      // The page is in the language of the mail.
      url: mail.language === 'default' ? url : `${url}?lang=${mail.language}`,
    },
  }
}

/** Returns what a mail says of a link that begins with a free trial; undefined for other links. */
function trialTexts(
  { t, merchant }: MailWording,
  recurring: NonNullable<PaymentLinkOptions['recurring']>,
  price: string | undefined,
): { title: string; price: string; after: string } | undefined {
  const { trial_days: count } = recurring
  if (count == null) return undefined
  const amount = price ?? t('consent.chosen_amount')
  return {
    title: t('checkout.trial_merchant', { merchant }),
    price: t('checkout.trial', { count }),
    after: t('checkout.trial_then', { amount, rhythm: rhythmText(t, recurring) }),
  }
}
