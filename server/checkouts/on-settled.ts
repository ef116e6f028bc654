import type { Tx } from '../db/tables.ts'
import type { Deps, SettledAttempt } from '../deps.ts'
import { isPayerAttempt } from '../payments/attempts.ts'
import { paidRecords } from './paid-records.ts'
import { settleSetAside } from './set-aside.ts'
import { settledPayment } from './settled-submit.ts'
import { settleLink } from './settle-link.ts'
import { settleSubmit } from './settle-submit.ts'

/**
 * Applies the outcome of a payer's attempt to the link, the session and the counters of declines,
 * and records their events. Attempts of a merchant or the scheduler have neither link nor session.
 */
export async function settleCheckout(
  deps: Deps,
  tx: Tx,
  settled: SettledAttempt,
): Promise<(() => Promise<void>) | undefined> {
  const { attempt, payment, now } = settled
  if (!isPayerAttempt(attempt)) return undefined
  const submit = settledPayment({ ...settled, attempt })
  const context = { tx, baseUrl: deps.config.baseUrl, now }
  const { amount } = payment
  if (attempt.set_aside === 1) {
    const isOver = !(await settleSetAside(context, { ...settled, attempt }))
    return settleSubmit(deps, context, submit, { isOver, amount })
  }
  await settleLink(context, submit, () => paidRecords(tx, { attempt, payment }))
  return settleSubmit(deps, context, submit, { isOver: false, amount })
}
