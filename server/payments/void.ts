import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { ApiError, invalidState } from '../errors.ts'
import { newId } from '../ids.ts'
import type { Instance } from '../instances/store.ts'
import type { Processor } from '../processors/port.ts'
import { callProcessor, callFrom } from './call-processor.ts'
import { type AttemptRow, type Call, insertAttempt, newAttempt } from './attempts.ts'
import { capabilitiesOf } from './capabilities.ts'
import { lookupAuthorization } from './lookup.ts'
import { requireProcessor, requireGatewayReference } from './operation-target.ts'
import { gatewayColumns, type Outcome } from './outcome.ts'
import { openAmount } from './serialize.ts'
import { settledFirst } from './sync-status.ts'
import { newTransaction } from './new-rows.ts'
import {
  getPaymentRow,
  lockPayment,
  insertTransaction,
  serializePayments,
  type PaymentRow,
  replacePayment,
  returnAmount,
  updatePayment,
} from './store.ts'
import type { PaymentInput } from './create-payment.ts'
import type { SettleContext } from './settle-payment.ts'
import { getVoid, insertVoid, sumVoided, serializeVoid, type VoidRow } from './voids.ts'

const RACES_MAX = 20

/**
 * Lets go of what an authorisation still reserves (contract section 10.7). With nothing captured it
 * becomes VOIDED; else what was captured stays and the rest is released. Answers the void.
 *
 * Throws 404 `Payment not found` for what is no authorisation, INVALID_STATE when it has nothing
 * open, and NOT_SUPPORTED when the processor cannot.
 */
export async function voidPayment(
  deps: Deps,
  instance: Pick<Instance, 'id'>,
  named: string,
  asked: Pick<PaymentInput, 'claim'>,
): Promise<VoidRow> {
  const found = await lookupAuthorization(deps.db, instance.id, named, deps.now())
  const authorisation = await settledFirst(deps, found)
  const processor = await requireProcessor(deps, authorisation)
  const capabilities = capabilitiesOf(processor, authorisation)
  if (!capabilities.void) {
    throw new ApiError('NOT_SUPPORTED', `${processor.name} cannot void an authorisation`)
  }
  const begun = await inTransaction(deps.db, (tx) =>
    reserve(deps, tx, { authorisation, processor, claim: asked.claim }),
  )
  deps.failpoint('void-stored')
  const answer = await callProcessor(deps, begun.attempt.id, () =>
    processor.void({
      operation: begun.attempt.id,
      reference: begun.reference,
      amount: begun.void.amount,
      currency: begun.void.currency,
    }),
  )
  deps.failpoint('void-answered')
  await deps.settle(begun.attempt.id, answer)
  deps.failpoint('void-settled')
  return getVoid(deps.db, instance.id, begun.void.id)
}

async function reserve(
  deps: Deps,
  tx: Tx,
  from: { authorisation: PaymentRow; processor: Processor; claim: PaymentInput['claim'] },
): Promise<{ void: VoidRow; attempt: AttemptRow; reference: string }> {
  const { processor } = from
  const id = newId('vo', deps.now())
  // Before anything is judged: for a repeat, what the first request did is no reason to refuse.
  await from.claim(tx, id)
  for (let race = 0; race < RACES_MAX; race += 1) {
    const now = deps.now()
    const auth = await getPaymentRow(tx, from.authorisation.instance_id, from.authorisation.id)
    const amount = openAmount(auth, now)
    if (amount === 0) throw invalidState('Authorisation has no amount open')
    if (!capabilitiesOf(processor, auth).multiple_captures && auth.captured_amount > 0) {
      throw invalidState(
        `Authorisation is being captured, after which ${processor.name} releases it`,
      )
    }
    const change = { released_amount: auth.released_amount + amount, updated: formatInstant(now) }
    if (!(await replacePayment(tx, auth, change))) continue
    const stored = await store(tx, { id, auth, amount, processor }, callFrom(deps, now))
    return { ...stored, reference: requireGatewayReference(auth) }
  }
  throw new ApiError('CONFLICT', 'Payment is being changed by others; send the request again')
}

async function store(
  tx: Tx,
  from: { id: string; auth: PaymentRow; amount: number; processor: Processor },
  call: Call,
): Promise<{ void: VoidRow; attempt: AttemptRow }> {
  const { id, auth, amount, processor } = from
  const { now } = call
  const transaction = newTransaction(
    { type: 'VOID', payment_id: id, processor: processor.name, amount },
    auth,
    now,
  )
  const row: VoidRow = {
    id,
    instance_id: auth.instance_id,
    payment_id: auth.id,
    transaction_id: transaction.id,
    amount,
    currency: auth.currency,
    status: 'PENDING',
    gateway_status: null,
    gateway_message: null,
    processed: null,
    created: formatInstant(now),
    updated: formatInstant(now),
    v: 1,
  }
  await insertTransaction(tx, transaction)
  await insertVoid(tx, row)
  const attempt = newAttempt(
    {
      instance_id: auth.instance_id,
      kind: 'VOID',
      payment_id: auth.id,
      transaction_id: transaction.id,
      void_id: id,
      processor: processor.name,
    },
    call,
  )
  await insertAttempt(tx, attempt)
  return { void: row, attempt }
}

const STATUS: Record<Outcome['transaction'], VoidRow['status']> = {
  SUCCESS: 'SUCCESS',
  DECLINE: 'DECLINED',
  PENDING: 'PENDING',
  UNRESOLVED: 'UNRESOLVED',
}

/** A void that succeeded is told by what it makes of its authorization: `payment.voided`. */
const EVENTS: Partial<Record<VoidRow['status'], EventType>> = {
  DECLINED: 'void.declined',
  PENDING: 'void.pending',
  UNRESOLVED: 'void.unresolved',
}

/** Records what became of a void; one that failed leaves the amount open again. */
export async function settleVoid(tx: Tx, settling: SettleContext): Promise<PaymentRow> {
  const { attempt, payment: auth, outcome } = settling
  const now = formatInstant(settling.now)
  const { gateway_reference: _ours, ...gateway } = gatewayColumns(outcome)
  const row = await tx
    .updateTable('voids')
    .set({
      status: STATUS[outcome.transaction],
      ...gateway,
      processed: outcome.final ? now : null,
      updated: now,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', attempt.void_id)
    .returningAll()
    .executeTakeFirstOrThrow()
  const event = EVENTS[row.status]
  if (event) {
    await recordEvent(tx, {
      instanceId: row.instance_id,
      type: event,
      data: { void: serializeVoid(row) },
      now: settling.now,
    })
  }
  if (!outcome.final) return auth
  if (outcome.transaction !== 'SUCCESS') {
    return returnAmount(tx, auth.id, { sum: 'released_amount', amount: row.amount }, now)
  }
  await lockPayment(tx, auth.id)
  const all = (await sumVoided(tx, auth.id)) === auth.amount
  const settled = await updatePayment(tx, auth.id, {
    ...(all ? { status: 'VOIDED' } : {}),
    updated: now,
  })
  const [record] = await serializePayments(tx, [settled], settling.now)
  await recordEvent(tx, {
    instanceId: auth.instance_id,
    type: 'payment.voided',
    data: { payment: record },
    now: settling.now,
  })
  return settled
}
