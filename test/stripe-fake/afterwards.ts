import { chargeAnswer, disputeAnswer, mandateAnswer, refundAnswer } from './answers.ts'
import { emit, type FakeClock, newStripeId } from './events.ts'
import { findIntent } from './intents.ts'
import { detachMethod } from './methods.ts'
import type { Account, Charge, Dispute, Mandate, Method, Refund } from './objects.ts'
import { createRefund } from './refunds.ts'

/** What happens to money after a payment. Amounts are Stripe's minor units. */
export interface Afterwards {
  /** The payer contests a payment, or a part of it. */
  dispute(intent: string, amount?: number): Dispute
  closeDispute(
    id: string,
    status: 'won' | 'lost' | 'warning_closed' | 'under_review' | 'needs_response',
  ): void
  /** The bank returns a debit. */
  returnDebit(intent: string): Dispute
  /** A refund that succeeded does not arrive. */
  failRefund(id: string): void
  /** The merchant refunds in the dashboard. */
  refundInDashboard(intent: string, amount?: number): Refund
  /** The bank asks about a payment, and has withdrawn nothing. */
  inquire(intent: string): Dispute
  /** A method is taken from its customer in the dashboard. */
  detach(method: string): void
  /** The payer or the bank ends the mandate of a debit. */
  endMandate(method: string): void
  /** A customer is deleted in the dashboard, with what is attached to it. */
  deleteCustomer(id: string): void
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
    charge.disputed = !given.status?.startsWith('warning')
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
      if (status === 'needs_response') {
        ;(account.charges.get(dispute.charge) as Charge).disputed = true
      }
      const isOpen = status === 'under_review' || status === 'needs_response'
      tell(isOpen ? 'updated' : 'closed', dispute)
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
    inquire: (intent) => open(intent, { status: 'warning_needs_response' }),
    detach: (id) => detachMethod(account, clock, account.methods.get(id) as Method),
    endMandate(method) {
      const mandate: Mandate = {
        id: newStripeId('mandate'),
        payment_method: method,
        status: 'inactive',
        livemode: clock.livemode,
      }
      account.mandates.set(mandate.id, mandate)
      emit(account, clock, 'mandate.updated', mandateAnswer(mandate), { status: 'active' })
    },
    deleteCustomer(id) {
      for (const method of account.methods.values()) {
        if (method.customer === id) detachMethod(account, clock, method)
      }
      account.customers.delete(id)
    },
    bookFees(intent) {
      const charge = chargeOf(intent)
      charge.balance_transaction = newStripeId('txn')
      charge.booked = seconds()
      emit(account, clock, 'charge.updated', chargeAnswer(account, charge, false))
    },
  }
}
