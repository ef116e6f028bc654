import { formatInstant } from '../../shared/rules/time.ts'
import type { PaymentRow } from '../db/tables/payments.ts'
import type { Deps } from '../deps.ts'
import { findCheckableAttempts } from './attempts.ts'
import { syncAttempt } from './sync-status.ts'

/**
 * Asks the processor now about a payment and its refunds and voids whose outcome is open, as the
 * reconciler does by itself. Only an answer of the processor settles anything: without one, all stays
 * as it is and is asked again. Skips calls that still run, and payers who are at their bank.
 */
export async function checkPayment(deps: Deps, { id }: Pick<PaymentRow, 'id'>): Promise<void> {
  const attempts = await findCheckableAttempts(deps.db, id, formatInstant(deps.now()))
  await Promise.all(attempts.map((attempt) => syncAttempt(deps, attempt)))
}
