import type { ChargeLine } from '../../../shared/page-model.ts'
import { findAccount } from '../../accounts/store.ts'
import { listPaidCharges } from '../../checkouts/charge-lines.ts'
import type { PaymentRow } from '../../db/tables/payments.ts'
import type { Deps } from '../../deps.ts'
import { parseLinkContent } from '../../payment-links/content.ts'
import { findLink } from '../../payment-links/store.ts'
import { serializePayer } from '../../payments/serialize-payer.ts'
import type { MailWording } from '../wording.ts'
import { filledRows, type MailContentRow, type MailContext } from './content.ts'

/** Charges that a mail lists. */
const CHARGES_MAX = 50

/** Returns the address that the payer gave, else that of the account; null if there is neither. */
export async function payerEmail(
  { db }: Pick<Deps, 'db'>,
  {
    instance_id,
    payer_details,
    account_id,
  }: Pick<PaymentRow, 'instance_id' | 'payer_details' | 'account_id'>,
): Promise<string | null> {
  const given = serializePayer(payer_details)?.email
  if (given != null) return given
  const account = account_id === null ? undefined : await findAccount(db, instance_id, account_id)
  return account?.email ?? null
}

type Purchase = Pick<
  PaymentRow,
  'payment_link_id' | 'description' | 'alt_key' | 'currency' | 'quantity' | 'unit_amount'
> & { reference: string | null }

/** Returns what was bought, as the receipt on the page has it. */
export async function purchaseRows(
  { deps, wording }: MailContext,
  payment: Purchase,
): Promise<MailContentRow[]> {
  const { t, merchant } = wording
  const link =
    payment.payment_link_id === null ? undefined : await findLink(deps.db, payment.payment_link_id)
  const name = link && parseLinkContent(link).options.name
  return filledRows([
    [t('receipt.paid_to'), merchant],
    [t('receipt.name'), name === merchant ? null : name],
    [t('checkout.quantity'), quantityText(wording, payment)],
    [t('checkout.comment'), payment.description],
    [t('checkout.reference'), payment.alt_key],
    [t('receipt.reference'), payment.reference],
  ])
}

function quantityText(
  { language, money }: MailWording,
  { currency, quantity, unit_amount }: Purchase,
): string | null {
  if (quantity === null || unit_amount === null) return null
  const count = new Intl.NumberFormat(language).format(quantity)
  return `${count} × ${money(unit_amount, currency)}`
}

/** Returns a row for each charge that a payment paid, with its part of the amount. */
export async function partRows(
  { deps, wording }: MailContext,
  payment: PaymentRow,
): Promise<MailContentRow[]> {
  const charges = await listPaidCharges(deps.db, payment)
  // A collection has the text of its one charge already.
  const isSaid = charges.length === 1 && charges[0]?.name === payment.description
  return isSaid ? [] : chargeRows(wording, charges, payment.currency)
}

/** Returns a row for each charge, with the part of it that is paid. */
export function chargeRows(
  { t, moneyOf }: MailWording,
  charges: readonly ChargeLine[],
  currency: string,
): MailContentRow[] {
  return charges
    .slice(0, CHARGES_MAX)
    .map(({ name, amount }) => [name ?? t('checkout.amount'), moneyOf(amount, currency)])
}
