import type { Instance, LinkRow } from '../db/rows.ts'
import { productText } from '../../shared/rules/amount-choice.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { parseAmount } from '../../shared/rules/money.ts'
import { ApiError } from '../errors.ts'
import { listAmounts } from './amount-rules.ts'
import { parseLinkContent } from './content.ts'
import { linkStatus } from './status.ts'

/**
 * Whether a link can be paid now, and why not. `CLAIMED` is a link that a payer is paying at this
 * moment. `UNCHARGEABLE` is one whose amount has more decimals than its currency.
 */
export type Payability =
  | 'PAYABLE'
  | 'CLAIMED'
  | 'PAYMENT_PENDING'
  | 'PAYMENT_SUCCESS'
  | 'WITHDRAWN'
  | 'EXPIRED'
  | 'UNCHARGEABLE'

/**
 * Returns whether a link can be paid at `now` (epoch ms). Its amount is checked against `currency`
 * only where one is passed. `claimLink` states the same rule in SQL, where it decides between
 * concurrent payers.
 */
export function linkPayability(
  { link, instance }: { link: LinkRow; instance: Pick<Instance, 'disabled'> },
  { now, currency }: { now: number; currency?: string },
): Payability {
  const status = linkStatus(link, now)
  if (status === 'PAYMENT_PENDING' || status === 'PAYMENT_SUCCESS') return status
  if (isWithdrawn(link, instance)) return 'WITHDRAWN'
  if (status === 'EXPIRED') return 'EXPIRED'
  if (currency !== undefined && !amountFits(link, currency)) return 'UNCHARGEABLE'
  return link.claim === null ? 'PAYABLE' : 'CLAIMED'
}

/** Returns whether a link has no page any more. The page of a paid link shows its receipt. */
export function isUnavailable(payability: Payability): boolean {
  return ['WITHDRAWN', 'EXPIRED', 'UNCHARGEABLE'].includes(payability)
}

/** Archived, or of a disabled instance, whose links payers see as archived. */
export function isWithdrawn(link: LinkRow, instance: Pick<Instance, 'disabled'>): boolean {
  return link.archived !== null || instance.disabled !== null
}

export function linkGone(): ApiError {
  return new ApiError('GONE', 'Payment link is no longer available')
}

function amountFits(link: LinkRow, currency: string): boolean {
  const { options } = parseLinkContent(link)
  const digits = currencyDigits(currency) ?? 2
  const { unit_amount, quantity_max } = options
  return (
    listAmounts(options).every(([, text]) => parseAmount(text, digits).ok) &&
    (unit_amount == null || productText(unit_amount, quantity_max ?? 1, digits) !== undefined)
  )
}
