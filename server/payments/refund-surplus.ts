import { formatInstant } from '../../shared/rules/time.ts'
import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import type { Deps } from '../deps.ts'
import { ApiError } from '../errors.ts'
import { updateAttempt } from './attempts.ts'
import { statusSyncDelay } from './outcome.ts'
import { refundPayment } from './refund.ts'
import { refundableAmount } from './serialize.ts'
import { getPaymentRow } from './store.ts'

/** After a refund that was declined. */
const RETRY_MS = 6 * 60 * 60_000
/** After this the merchant has to refund it another way. */
const GIVE_UP_MS = 72 * 60 * 60_000

const REASONS = {
  SUCCESS: 'The payment link was already paid',
  DECLINE: 'Approved after it had been declined',
}

/**
 * Refunds a surplus payment in full, as an operation of its own. The reconciler calls it until nothing
 * is left. The amount is reserved before the processor is called, so several processes, or a merchant
 * who refunds it too, never refund more than the payment. `attempt` is that of the payment; one whose
 * payment is not surplus is ignored.
 */
export async function refundSurplus(deps: Deps, attempt: AttemptRow): Promise<void> {
  if (attempt.rest !== 'REFUND' || attempt.state !== 'DONE') return
  const { instance_id, payment_id } = attempt
  const read = () => getPaymentRow(deps.db, instance_id, payment_id)
  const payment = await read()
  if (refundableAmount(payment) > 0) await tryToRefund(deps, payment)
  await updateAttempt(deps.db, attempt.id, {
    next_check: await nextCheck(deps, attempt, await read()),
  })
}

async function tryToRefund(deps: Deps, payment: PaymentRow): Promise<void> {
  const { id, instance_id, status } = payment
  const reason = status === 'SUCCESS' ? REASONS.SUCCESS : REASONS.DECLINE
  try {
    await refundPayment(deps, { id: instance_id }, id, { reason }, { reserveKey: async () => {} })
  } catch (error) {
    // Nothing was sent to the processor. Refused, for example, when the merchant is refunding it.
    if (!(error instanceof ApiError)) throw error
    deps.log.warn({ err: error, payment: id }, 'a surplus payment was not refunded')
  }
}

/** Returns a date-time, or null when nothing can or need be refunded any more. */
async function nextCheck(
  deps: Deps,
  { checks, updated }: AttemptRow,
  payment: PaymentRow,
): Promise<string | null> {
  const now = deps.now()
  if (refundableAmount(payment) === 0) {
    if (!(await isRefundOpen(deps, payment.id))) return null
    // It may still fail, and then there is something to refund again.
    return formatInstant(now + statusSyncDelay(checks))
  }
  if (now - Date.parse(updated) < GIVE_UP_MS) return formatInstant(now + RETRY_MS)
  deps.log.error({ payment: payment.id }, 'a surplus payment is not refunded after three days')
  return null
}

/** A manual refund is open until the merchant has made it, and is not looked after. */
async function isRefundOpen({ db }: Deps, paymentId: string): Promise<boolean> {
  const open = await db
    .selectFrom('refunds')
    .select('id')
    .where('refunded_id', '=', paymentId)
    .where('status', 'in', ['PENDING', 'UNRESOLVED'])
    .where('manual', '=', 0)
    .executeTakeFirst()
  return open !== undefined
}
