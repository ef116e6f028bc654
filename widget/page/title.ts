import type { CheckoutView } from '../../shared/page-model.ts'
import type { Face } from './screen.ts'
import { type StringId, translator } from './translator.ts'

const STATES: Readonly<Record<Exclude<Face, 'FORM'>, StringId>> = {
  TO_BANK: 'status.to_bank_title',
  TO_MERCHANT: 'status.to_merchant_title',
  UNSURE: 'status.unsure_title',
  RECEIPT: 'receipt.title',
  PENDING: 'receipt.pending_title',
  CHECKING: 'status.checking_title',
  BANK: 'status.bank_title',
  BUSY: 'status.busy_title',
  EXPIRED: 'status.expired_title',
  UNAVAILABLE: 'status.unavailable_title',
}

/** The title of the window: what is so, then whose page it is. */
export function titleOf(checkout: CheckoutView, face: Face): string {
  const { merchant, strings, language, terms } = checkout
  const t = translator(strings, language)
  if (face === 'FORM') {
    return terms.name === merchant
      ? t('checkout.pay_merchant', { merchant })
      : t('checkout.title', { name: terms.name, merchant })
  }
  const state = t(STATES[face], { merchant })
  return merchant === '' ? state : t('checkout.title', { name: state, merchant })
}
