import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/tx.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { isPayerAttempt } from '../payments/attempts.ts'
import type { PayerAttempt } from '../payments/attempts.ts'
import { settleAttempt } from '../payments/settle.ts'
import type { Settled } from '../payments/settle.ts'
import type { ProcessorAnswer } from '../processors/port.ts'
import { getCheckout, moveLink, updateCheckout } from './store.ts'
import type { Milestones } from './store.ts'

/**
 * Settles an attempt that a payer made on a link: the payment's records, the link and the session
 * change in one transaction. Does nothing when the attempt was final before.
 */
export async function settleCheckout(
  deps: Deps,
  attemptId: string,
  answer: ProcessorAnswer,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const now = deps.now()
    const settled = await settleAttempt(tx, attemptId, answer, now)
    if (!settled) return
    const { attempt } = settled
    if (!isPayerAttempt(attempt)) return
    await settleLink(tx, { ...settled, attempt }, formatInstant(now))
    await moveCheckout(tx, { ...settled, attempt }, formatInstant(now))
  })
}

type PayerSettled = Settled & { attempt: PayerAttempt }

async function settleLink(tx: Tx, settled: PayerSettled, now: string): Promise<void> {
  const { attempt, payment, outcome } = settled
  const paid = outcome.payment === 'SUCCESS'
  const link = { id: attempt.payment_link_id, attemptId: attempt.id, paid }
  switch (outcome.attempt) {
    // The payer is at their bank: the link stays active and claimed.
    case 'ACTION':
    case 'SENT':
      return
    case 'PENDING':
    case 'UNRESOLVED':
      return moveLink(tx, link, {
        status: 'PAYMENT_PENDING',
        ...relations(settled),
        updated: now,
      })
    case 'DONE':
      return moveLink(
        tx,
        link,
        paid
          ? { status: 'PAYMENT_SUCCESS', ...relations(settled), claim: null, updated: now }
          : { status: 'ACTIVE', ...NO_RELATIONS, claim: null, updated: now },
      )
  }

  function relations({ paymentMethodId }: Settled) {
    return {
      account_id: payment.account_id,
      payment_id: payment.id,
      transaction_id: attempt.transaction_id,
      payment_method_id: paymentMethodId,
    }
  }
}

const NO_RELATIONS = {
  account_id: null,
  payment_id: null,
  transaction_id: null,
  payment_method_id: null,
}

async function moveCheckout(tx: Tx, settled: PayerSettled, now: string): Promise<void> {
  const { attempt, outcome } = settled
  const checkout = await getCheckout(tx, attempt.checkout_id)
  const milestones = JSON.parse(checkout.milestones) as Milestones
  if (outcome.attempt === 'ACTION') milestones.challenged ??= now
  if (outcome.payment === 'SUCCESS') milestones.completed ??= now
  await updateCheckout(tx, attempt.checkout_id, {
    status: checkoutStatus(settled),
    milestones: JSON.stringify(milestones),
    updated: now,
  })
}

function checkoutStatus({ outcome }: Settled): 'OPEN' | 'SUBMITTED' | 'COMPLETED' | 'PENDING' {
  if (outcome.payment === 'SUCCESS') return 'COMPLETED'
  if (outcome.attempt === 'DONE') return 'OPEN'
  return outcome.attempt === 'ACTION' ? 'SUBMITTED' : 'PENDING'
}
