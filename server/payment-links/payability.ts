import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { SessionLink } from '../db/tables/payment-links.ts'
import { productText } from '../../shared/rules/amount-choice.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { parseAmount } from '../../shared/rules/money.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { ApiError } from '../errors.ts'
import { listAmounts } from './amount-rules.ts'
import { parseLinkContent } from './content.ts'
import { linkStatus } from './status.ts'

/**
 * Whether a link can be paid now, and why not. `CLAIMED` is a link that a payer is paying at this
 * moment. `UNCHARGEABLE` is one whose amount has more decimals than its currency. `EXHAUSTED` is one of a
 * deep link whose uses are all made or reserved.
 */
export type Payability =
  | 'PAYABLE'
  | 'CLAIMED'
  | 'PAYMENT_PENDING'
  | 'PAYMENT_SUCCESS'
  | 'WITHDRAWN'
  | 'EXPIRED'
  | 'UNCHARGEABLE'
  | 'EXHAUSTED'

/** A link of a payer, with its deep link if it has one. */
export interface LinkToPay {
  link: SessionLink
  instance: Pick<Instance, 'disabled'>
  deepLink?: DeepLinkRow | undefined
}

/**
 * Returns whether a link can be paid at `now` (epoch ms). Its amount is checked against `currency`
 * only where one is passed. `claimLink` and `reserveUse` state the same rule in SQL, where they decide
 * between concurrent payers.
 */
export function linkPayability(
  { link, instance, deepLink }: LinkToPay,
  { now, currency }: { now: number; currency?: string },
): Payability {
  const status = linkStatus(link, now)
  if (status === 'PAYMENT_PENDING' || status === 'PAYMENT_SUCCESS') return status
  if (isWithdrawn({ link, instance, deepLink })) return 'WITHDRAWN'
  const { recurring } = parseLinkContent(link).options
  if (status === 'EXPIRED' || hasEnded(recurring, now)) return 'EXPIRED'
  if (currency !== undefined && !amountFits(link, currency)) return 'UNCHARGEABLE'
  // A claim holds a use of its own.
  if (link.claim !== null) return 'CLAIMED'
  return deepLink && isExhausted(deepLink) ? 'EXHAUSTED' : 'PAYABLE'
}

const DAY_MS = 86_400_000

/** Returns whether a contract that would begin at `now` (epoch ms) would end before its first charge. */
export function hasEnded(recurring: PaymentLinkOptions['recurring'], now: number): boolean {
  if (recurring?.until == null) return false
  return Date.parse(recurring.until) <= now + (recurring.trial_days ?? 0) * DAY_MS
}

/** Returns whether a link has no page any more. The page of a paid link shows its receipt. */
export function isUnavailable(payability: Payability): boolean {
  return ['WITHDRAWN', 'EXPIRED', 'UNCHARGEABLE', 'EXHAUSTED'].includes(payability)
}

/** Archived, or of a disabled instance, whose links payers see as archived. */
export function isWithdrawn({ link, instance, deepLink }: LinkToPay): boolean {
  const archived = link.archived ?? deepLink?.archived ?? null
  return archived !== null || instance.disabled !== null
}

/** Returns whether every use of a deep link is made, or reserved by a payment under way. */
export function isExhausted({ max_uses, uses, reserved_uses }: DeepLinkRow): boolean {
  return max_uses !== null && uses + reserved_uses >= max_uses
}

export function linkGone(): ApiError {
  return new ApiError('GONE', 'Payment link is no longer available')
}

function amountFits(link: SessionLink, currency: string): boolean {
  const { options } = parseLinkContent(link)
  const digits = currencyDigits(currency) ?? 2
  const { unit_amount, quantity_max } = options
  return (
    listAmounts(options).every(([, text]) => parseAmount(text, digits).ok) &&
    (unit_amount == null || productText(unit_amount, quantity_max ?? 1, digits) !== undefined)
  )
}
