/**
 * What a merchant's payments at Stripe should look like, kept in plain objects by rules of its own. What
 * happens at Stripe is known here only once it was read, so the model has both. Amounts are minor units.
 */
export interface StripeModel {
  payments: ModelPayment[]
}

export interface ModelPayment {
  /** At Stripe. */
  intent: string
  amount: number
  status: 'PENDING' | 'SUCCESS' | 'DECLINE'
  /** Its outcome, where it is processing. */
  ending: 'SUCCESS' | 'DECLINE' | null
  /** Another payment of its link was faster. */
  isLeft: boolean
  surplus: boolean
  refunds: ModelRefund[]
  reversals: ModelReversal[]
}

export interface ModelRefund {
  /** At Stripe. */
  id: string
  amount: number
  /** What the processor has told, and what of it has been read. */
  failed: 'NO' | 'UNREAD' | 'READ'
}

export interface ModelReversal {
  id: string
  type: 'DISPUTE' | 'RETURN' | 'EXTERNAL_REFUND'
  amount: number
  status: 'OPEN' | 'WON' | 'LOST'
  /** The status that has been read; null before. */
  read: 'OPEN' | 'WON' | 'LOST' | null
}

export function newPayment(
  members: Pick<ModelPayment, 'intent' | 'amount' | 'status'> & Partial<ModelPayment>,
): ModelPayment {
  return { ending: null, isLeft: false, surplus: false, refunds: [], reversals: [], ...members }
}

const sum = (rows: readonly { amount: number }[]) =>
  rows.reduce((total, { amount }) => total + amount, 0)

export function amountsOf(payment: ModelPayment) {
  const { amount, status, surplus, refunds, reversals } = payment
  const withdrawn = (...types: ModelReversal['type'][]) =>
    sum(
      reversals.filter(
        ({ type, read }) => types.includes(type) && (read === 'OPEN' || read === 'LOST'),
      ),
    )
  const own = sum(refunds.filter(({ failed }) => failed !== 'READ'))
  const refunded = Math.min(amount, own + withdrawn('EXTERNAL_REFUND'))
  const disputed = withdrawn('DISPUTE', 'RETURN')
  const isTaken = status === 'SUCCESS' || surplus
  return { refunded, disputed, refundable: isTaken ? Math.max(0, amount - refunded - disputed) : 0 }
}

/** Reads from Stripe whatever has happened to money there. */
export function readAll({ payments }: StripeModel): void {
  for (const { refunds, reversals } of payments) {
    for (const refund of refunds) if (refund.failed === 'UNREAD') refund.failed = 'READ'
    for (const reversal of reversals) reversal.read = reversal.status
  }
}

/** Ends what is processing. Money that arrives for a link that was paid goes back at once. */
export function settleAll({ payments }: StripeModel, refundOf: (intent: string) => string): void {
  for (const payment of payments) {
    if (payment.ending === null) continue
    payment.status = payment.ending
    payment.ending = null
    payment.surplus = payment.status === 'SUCCESS' && payment.isLeft
    if (!payment.surplus) continue
    const { intent, amount } = payment
    payment.refunds.push({ id: refundOf(intent), amount, failed: 'NO' })
  }
}
