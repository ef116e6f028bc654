import { listChargesByIds } from '../../charges/store.ts'
import { findAccount } from '../../accounts/store.ts'
import type { PaymentRow } from '../../db/rows.ts'
import type { Deps } from '../../deps.ts'
import { parseLinkContent } from '../../payment-links/content.ts'
import { findLink } from '../../payment-links/store.ts'
import { serializePayer } from '../../payments/serialize-payer.ts'
import { listParts } from '../../payments/store.ts'
import { filledRows, type MailContentRow, type MailContext } from './content.ts'

/** Charges that a mail lists. */
const PARTS_MAX = 50

/** Returns the address that the payer gave, else that of the account; null if there is neither. */
export async function payerEmail(
  { db }: Pick<Deps, 'db'>,
  { instance_id, payer_details, account_id }: PaymentRow,
): Promise<string | null> {
  const given = serializePayer(payer_details)?.email
  if (given != null) return given
  const account = account_id === null ? undefined : await findAccount(db, instance_id, account_id)
  return account?.email ?? null
}

/** Returns what was bought, as the receipt on the page has it. */
export async function purchaseRows(
  { deps, wording }: MailContext,
  payment: PaymentRow,
): Promise<MailContentRow[]> {
  const { t, merchant } = wording
  const link =
    payment.payment_link_id === null ? undefined : await findLink(deps.db, payment.payment_link_id)
  const name = link && parseLinkContent(link).options.name
  return filledRows([
    [t('receipt.paid_to'), merchant],
    [t('receipt.name'), name === merchant ? null : name],
    [t('checkout.reference'), payment.alt_key],
    [t('receipt.reference'), payment.reference],
    [t('email.description'), payment.description],
  ])
}

/** Returns a row for each charge that a payment paid, with its part of the amount. */
export async function partRows(
  { deps: { db }, wording }: MailContext,
  payment: PaymentRow,
): Promise<MailContentRow[]> {
  const parts = (await listParts(db, [payment.id])).slice(0, PARTS_MAX)
  if (parts.length === 0) return []
  const ids = parts.map(({ charge_id }) => charge_id)
  const charges = await listChargesByIds(db, payment.instance_id, ids)
  return parts.map(({ charge_id, amount }) => {
    const charge = charges.find(({ id }) => id === charge_id)
    const label = charge?.description ?? charge?.alt_key ?? wording.t('checkout.amount')
    return [label, wording.money(amount, payment.currency)]
  })
}
