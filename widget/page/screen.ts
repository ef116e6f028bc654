import type {
  CheckoutResult,
  CheckoutView,
  PageView,
  ShownResult,
} from '../../shared/page-model.ts'
import { translatorFor, type StringId } from './translator.ts'

/** A navigation to the bank or to the merchant. */
export interface Redirect {
  url: string
  to: 'BANK' | 'MERCHANT'
  /** The bank allows its page inside a frame. */
  in_frame?: boolean | undefined
}

/**
 * How far the payer is. `submitting`: a submit is under way. `unconfirmed`: the response to a submit
 * was lost. `result`: the checkout's result decides the screen. A redirect is in progress where the
 * step is one.
 */
export type PageStep = Lowercase<PageView> | 'submitting' | 'unconfirmed' | Redirect

/** What the page shows. */
export type Screen =
  | { kind: 'form'; busy: boolean }
  | { kind: 'unconfirmed' }
  | { kind: 'redirecting'; redirect: Redirect }
  | { kind: 'receipt' | 'pending' | 'bank'; result: ShownResult }
  | { kind: 'checking'; result: ShownResult | null }
  | { kind: 'busy' | 'expired' | 'unavailable' | 'settled' }

const RESULT_SCREENS: Readonly<
  Partial<Record<CheckoutResult['outcome'], 'receipt' | 'pending' | 'bank'>>
> = { COMPLETED: 'receipt', PENDING: 'pending', ACTION: 'bank' }

export function screenFor(step: PageStep, checkout: CheckoutView): Screen {
  if (typeof step === 'object') return { kind: 'redirecting', redirect: step }
  if (step === 'form' || step === 'submitting') {
    if (checkout.terms.charges?.length === 0) return { kind: 'settled' }
    return { kind: 'form', busy: step !== 'form' }
  }
  if (step !== 'result') return { kind: step }
  // Only a BUSY result lacks an amount, and its step is `busy`.
  const result = checkout.result as ShownResult | null
  const kind = result && RESULT_SCREENS[result.outcome]
  return kind ? { kind, result } : { kind: 'checking', result }
}

/** The titles of other screens are named after them. */
const TITLES: Partial<Record<string, StringId>> = {
  unconfirmed: 'status.unsure_title',
  receipt: 'receipt.title',
  pending: 'receipt.pending_title',
}

function titleId(kind: Screen['kind']): StringId {
  return TITLES[kind] ?? (`status.${kind}_title` as StringId)
}

/** The document title: the state of the checkout, then the merchant. */
export function screenTitle(screen: Screen, checkout: CheckoutView): string {
  const { merchant, strings, language, terms } = checkout
  const t = translatorFor(strings, language)
  if (screen.kind === 'form') {
    return terms.name === merchant
      ? t('checkout.pay_merchant', { merchant })
      : t('checkout.title', { name: terms.name, merchant })
  }
  const id =
    screen.kind !== 'redirecting'
      ? titleId(screen.kind)
      : screen.redirect.to === 'BANK'
        ? 'status.to_bank_title'
        : 'status.to_merchant_title'
  const name = t(id, { merchant })
  return merchant === '' ? name : t('checkout.title', { name, merchant })
}
