import type { Account } from '../../../shared/schemas/account.ts'
import type { PaymentLink } from '../../../shared/schemas/payment-link-record.ts'
import type { Payment } from '../../../shared/schemas/payment.ts'
import type { InstanceAddress } from '../../address.ts'
import { formatMoney } from '../../ui/Money.tsx'
import { t } from './links-words.ts'

/** A link as the list asks for it. */
export type ListedLink = Omit<PaymentLink, 'account' | 'payment'> & {
  account: Account | null
  payment: Payment | null
}

/** Returns the amount of a link with its currency, or that the payer chooses it. */
export function linkAmount(
  { options }: Pick<PaymentLink, 'options'>,
  { currency }: InstanceAddress,
): string {
  return options.amount
    ? formatMoney(options.amount, options.currency ?? currency)
    : t('payer_chooses')
}
