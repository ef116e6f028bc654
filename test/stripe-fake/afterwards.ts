import { createRefund, emit, type FakeClock, findIntent, newStripeId } from './actions.ts'
import { chargeAnswer, disputeAnswer, refundAnswer } from './answers.ts'
import type { Account, Charge, Dispute, Refund } from './objects.ts'

/** What happens to money after a payment. Amounts are Stripe's minor units. */
export interface Afterwards {
  /** The payer contests a payment, or a part of it. */
  dispute(intent: string, amount?: number): Dispute
  closeDispute(id: string, status: 'won' | 'lost' | 'warning_closed' | 'under_review'): void
  /** The bank returns a debit. */
  returnDebit(intent: string): Dispute
  /** A refund that succeeded does not arrive. */
  failRefund(id: string): void
  /** The merchant refunds in the dashboard. */
  refundInDashboard(intent: string, amount?: number): Refund
  /** Stripe books a charge, so its fee is known. */
  bookFees(intent: string): void
}

export function createAfterwards(account: Account, clock: FakeClock): Afterwards {
  const seconds = () => Math.floor(clock.now() / 1000)

  function chargeOf(intent: string): Charge {
    const charge = account.charges.get(findIntent(account, intent).latest_charge ?? '')
    if (!charge?.captured) throw new Error(`${intent} took no money`)
    return charge
  }

  function open(intent: string, given: Partial<Dispute>): Dispute {
    const charge = chargeOf(intent)
    charge.disputed = true
    const dispute: Dispute = {
      id: newStripeId('du'),
      charge: charge.id,
      payment_intent: intent,
      amount: charge.amount_captured,
      currency: charge.currency,
      created: seconds(),
      livemode: clock.livemode,
      reason: 'fraudulent',
      status: 'needs_response',
      due_by: seconds() + 7 * 86_400,
      ...given,
    }
    account.disputes.set(dispute.id, dispute)
    tell('created', dispute)
    return dispute
  }

  function tell(what: string, dispute: Dispute): void {
    emit(account, clock, `charge.dispute.${what}`, disputeAnswer(account, dispute, []))
  }

  return {
    dispute: (intent, amount) => open(intent, amount === undefined ? {} : { amount }),
    closeDispute(id, status) {
      const dispute = account.disputes.get(id) as Dispute
      Object.assign(dispute, { status, due_by: null })
      tell(status === 'under_review' ? 'updated' : 'closed', dispute)
    },
    returnDebit(intent) {
      const reason = 'insufficient_funds'
      const dispute = open(intent, { status: 'lost', reason, due_by: null })
      tell('closed', dispute)
      return dispute
    },
    failRefund(id) {
      const refund = account.refunds.get(id) as Refund
      Object.assign(refund, { status: 'failed', failure_reason: 'expired_or_canceled_card' })
      const charge = account.charges.get(refund.charge) as Charge
      charge.amount_refunded -= refund.amount
      emit(account, clock, 'refund.updated', refundAnswer(refund))
      emit(account, clock, 'refund.failed', refundAnswer(refund))
    },
    refundInDashboard: (intent, amount) =>
      createRefund(account, clock, {
        payment_intent: intent,
        ...(amount !== undefined && { amount: String(amount) }),
      }),
    bookFees(intent) {
      const charge = chargeOf(intent)
      charge.balance_transaction = newStripeId('txn')
      charge.booked = seconds()
      emit(account, clock, 'charge.updated', chargeAnswer(account, charge, false))
    },
  }
}
