import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import type { VoidRow } from '../db/tables/voids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { ApiError, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Processor } from '../processors/port.ts'
import { insertAttempt } from './attempts.ts'
import { auditOperation } from './audit-operation.ts'
import { newCall } from './call-processor.ts'
import { paymentCapabilities } from './capabilities.ts'
import type { Caller } from './create-payment.ts'
import { requireGatewayReference, requireProcessor, runOperation } from './operation.ts'
import { openAmount } from './serialize.ts'
import { newOperation } from './store-operation.ts'
import { getPaymentRow, insertTransaction, updatePaymentIfUnchanged } from './store.ts'
import { getVoid, insertVoid } from './voids.ts'

/** The server voids without a session. */
type VoidCaller = Pick<Caller, 'reserveKey'> & Partial<Pick<Caller, 'by'>>

/**
 * Voids the open amount of an authorization and returns the void. Without a capture the authorization
 * becomes VOIDED; captured amounts stay captured.
 *
 * Throws INVALID_STATE when nothing is open, and NOT_SUPPORTED when the processor has no voids.
 */
export async function voidAuthorization(
  deps: Deps,
  authorization: PaymentRow,
  caller: VoidCaller,
): Promise<VoidRow> {
  const processor = await requireProcessor(deps, authorization)
  if (!paymentCapabilities(processor, authorization).void) {
    throw new ApiError('NOT_SUPPORTED', `${processor.name} cannot void an authorization`)
  }
  const { stored } = await runOperation(deps, {
    name: 'void',
    store: () =>
      inTransaction(deps.db, (tx) => storeVoid(deps, tx, { authorization, processor, caller })),
    call: ({ attempt, reference, row: { amount, currency } }, signal) =>
      processor.void({ operation: attempt.id, reference, amount, currency, signal }),
  })
  return getVoid(deps.db, authorization.instance_id, stored.row.id)
}

async function storeVoid(
  deps: Deps,
  tx: Tx,
  input: { authorization: PaymentRow; processor: Processor; caller: VoidCaller },
): Promise<{ row: VoidRow; attempt: AttemptRow; reference: string }> {
  const { processor } = input
  const id = newId('vo', deps.now())
  // First, so that a repeated request returns its record instead of an error about the first one.
  await input.caller.reserveKey(tx, id)
  return retryOnConflict('Payment', async () => {
    const now = deps.now()
    const { instance_id, id: authorizationId } = input.authorization
    const authorization = await getPaymentRow(tx, instance_id, authorizationId)
    const amount = amountToVoid(authorization, processor, now)
    const updated = formatInstant(now)
    const released_amount = authorization.released_amount + amount
    const change = { released_amount, updated }
    if (!(await updatePaymentIfUnchanged(tx, authorization, change))) return undefined
    const { transaction, attempt } = newOperation(
      { ...authorization, type: 'VOID', id, amount },
      {
        ...newCall(deps, now),
        kind: 'VOID',
        payment_id: authorizationId,
        void_id: id,
        processor: processor.id,
      },
    )
    const row: VoidRow = {
      id,
      instance_id,
      payment_id: authorizationId,
      transaction_id: transaction.id,
      amount,
      currency: authorization.currency,
      status: 'PENDING',
      gateway_status: null,
      gateway_message: null,
      processed: null,
      created: updated,
      updated,
      v: 1,
    }
    await insertTransaction(tx, transaction)
    await insertVoid(tx, row)
    await insertAttempt(tx, attempt)
    await auditOperation(deps, tx, {
      action: 'payment.voided',
      by: input.caller.by,
      instanceId: instance_id,
      id,
      payment: authorizationId,
      amount,
      currency: authorization.currency,
    })
    return { row, attempt, reference: requireGatewayReference(authorization) }
  })
}

function amountToVoid(authorization: PaymentRow, processor: Processor, now: number): number {
  const amount = openAmount(authorization, now)
  if (amount === 0) throw invalidState('Authorization has no open amount')
  const { multiple_captures } = paymentCapabilities(processor, authorization)
  if (!multiple_captures && authorization.captured_amount > 0) {
    throw invalidState(
      `Authorization is being captured, after which ${processor.name} releases the remainder`,
    )
  }
  return amount
}
