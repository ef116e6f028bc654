import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { PaymentRow } from '../db/rows.ts'
import type { Tx } from '../db/tables.ts'
import { recordEvent } from '../events/record-event.ts'
import { REFUND_OR_VOID_STATUS, VOID_EVENTS } from './operation-events.ts'
import { gatewayColumns } from './outcome.ts'
import type { SettleContext } from './settle-payment.ts'
import { lockPayment, releaseAmount, serializePayments, updatePayment } from './store.ts'
import { serializeVoid, sumVoided } from './voids.ts'

/** Records the outcome of a void. A failed one gives its amount back to the authorization. */
export async function settleVoid(tx: Tx, context: SettleContext): Promise<PaymentRow> {
  const { attempt, payment: auth, outcome } = context
  const now = formatInstant(context.now)
  const { gateway_reference: _ours, ...gateway } = gatewayColumns(outcome)
  const row = await tx
    .updateTable('voids')
    .set({
      status: REFUND_OR_VOID_STATUS[outcome.status],
      ...gateway,
      processed: outcome.final ? now : null,
      updated: now,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', attempt.void_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const event = VOID_EVENTS[row.status]
  if (event) {
    await recordEvent(tx, {
      instanceId: row.instance_id,
      type: event,
      data: { void: serializeVoid(row) },
      now: context.now,
    })
  }
  if (!outcome.final) return auth
  if (outcome.status !== 'SUCCESS') {
    return releaseAmount(tx, auth.id, { sum: 'released_amount', amount: row.amount }, now)
  }
  await lockPayment(tx, auth.id)
  const all = (await sumVoided(tx, auth.id)) === auth.amount
  const settled = await updatePayment(tx, auth.id, {
    ...(all ? { status: 'VOIDED' } : {}),
    updated: now,
  })
  const [record] = await serializePayments(tx, [settled], context.now)
  await recordEvent(tx, {
    instanceId: auth.instance_id,
    type: 'payment.voided',
    data: { payment: record },
    now: context.now,
  })
  return settled
}
