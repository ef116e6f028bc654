import { formatInstant } from '../../shared/rules/time.ts'
import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import { nextChargeOfContract } from '../charges/recurring-charges.ts'
import { createCharge } from '../charges/create.ts'
import { reserveOnCharge } from '../charges/allocations.ts'
import { lockCharges } from '../charges/update-charge.ts'
import { createContract } from '../contracts/create.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import type { ReserveKey } from '../http/idempotency.ts'
import { ApiError, invalid } from '../errors.ts'
import type { Instance } from '../instances/store.ts'
import { callProcessor, callFrom } from './call-processor.ts'
import type { AttemptRow } from './attempts.ts'
import { resolveMethod, type ResolvedMethod, lockResolvedMethod } from './payment-method.ts'
import { type PaymentOrder, parsePaymentRequest } from './parse-request.ts'
import { type Payer, parsePayer } from './payer.ts'
import { newPayment } from './new-rows.ts'
import { schedulePayment } from './schedule-payment.ts'
import { getPaymentRow, type PaymentRow } from './store.ts'
import { chargesOf, type Part, storeOperation } from './operation.ts'

/** Who asks, and the claim on the request's idempotency key to make with the first row. */
export interface PaymentInput {
  by: string
  claim: ReserveKey
}

interface Beginning extends PaymentInput {
  instance: Instance
  request: PaymentRequest
  order: PaymentOrder
  method: ResolvedMethod
  now: number
}

/**
 * Takes or reserves money with a merchant's request, or plans to (specification: `POST /payments`;
 * contract section 10.1). What will be asked of the processor is stored before it is asked, under
 * the key that the processor recognises, so a lost answer can be fetched and never doubled.
 *
 * Answers the payment as it stands: SUCCESS or DECLINE, or what is true where neither is known.
 */
export async function createPayment(
  deps: Deps,
  instance: Instance,
  request: PaymentRequest,
  asked: PaymentInput,
): Promise<PaymentRow> {
  const now = deps.now()
  const order = parsePaymentRequest(request, instance.default_currency, now)
  const method = await resolveMethod(deps, instance, request.payment_method, order)
  const from: Beginning = { ...asked, instance, request, order, method, now }
  const begun = await inTransaction(deps.db, (tx) => begin(deps, tx, from))
  if (begun.attempt) {
    deps.failpoint('attempt-stored')
    const answer = await callForPayment(deps, begun.attempt, from)
    deps.failpoint('processor-answered')
    await deps.settle(begun.attempt.id, answer)
    deps.failpoint('outcome-stored')
  }
  return getPaymentRow(deps.db, instance.id, begun.payment.id)
}

interface Begun {
  payment: PaymentRow
  attempt?: AttemptRow
}

async function begin(deps: Deps, tx: Tx, from: Beginning): Promise<Begun> {
  const { instance, request, order, now } = from
  const fresh = newPayment(
    {
      instance_id: instance.id,
      type: order.type,
      amount: order.amount,
      currency: order.currency,
      alt_key: request.alt_key ?? null,
      description: request.description ?? request.reason ?? null,
      source: request.source ?? (order.recurring ? 'RECURRING' : 'ECOMMERCE'),
      channel: request.channel ?? null,
      metadata: JSON.stringify(request.metadata ?? {}),
      payment_method_id: from.method.stored?.id ?? null,
      due: order.due,
    },
    now,
  )
  await from.claim(tx, fresh.id)
  await lockResolvedMethod(tx, instance, from.method, now)
  const payer = await parsePayer({ ...deps, db: tx }, from)
  const owed = await makeCharge(tx, from, payer, fresh)
  const payment = { ...fresh, account_id: payer.accountId, ...owed.ids }
  if (order.due !== null) {
    return { payment: await schedulePayment(tx, payment, payment.charge_id as string, now) }
  }
  await lockCharges(tx, instance.id, chargesOf(owed.parts))
  for (const [at, part] of owed.parts.entries()) {
    await hold(tx, payment, part, order.recurring ? 'payment' : `payment.parts.${at}`, now)
  }
  const kind = order.type === 'AUTH' ? 'AUTHORISE' : 'PAY'
  const attempt = await storeOperation(tx, payment, owed.parts, {
    ...callFrom(deps, now),
    kind,
    processor: from.method.processor.name,
    method_type: from.method.type,
    saved_method_id: from.method.stored?.id ?? null,
    save: from.method.save ? 1 : 0,
    reusable: from.method.save ? 1 : 0,
  })
  deps.failpoint('attempt-begun')
  return { payment, attempt }
}

/** What the payment is for: named charges, or the one that its schedule or contract makes. */
async function makeCharge(
  tx: Tx,
  { instance, request, order, method, by, now }: Beginning,
  payer: Payer,
  payment: PaymentRow,
): Promise<{ ids: { charge_id?: string; contract_id?: string }; parts: Part[] }> {
  if (!order.recurring && order.due === null) return { ids: {}, parts: order.parts }
  const { amount, currency, due } = order
  const paymentMethodId = method.stored?.id ?? null
  const scheduledPaymentId = due === null ? null : payment.id
  if (!order.recurring) {
    const charge = await createCharge(tx, {
      instanceId: instance.id,
      accountId: payer.accountId,
      amount,
      currency,
      due,
      altKey: request.alt_key ?? null,
      description: request.description ?? request.reason ?? null,
      paymentMethodId,
      scheduledPaymentId,
      by,
      now,
    })
    return { ids: { charge_id: charge.id }, parts: [{ charge: charge.id, amount }] }
  }
  if (payer.accountId === null) throw invalid('payment.account', 'is required when recurring')
  const contract = await createContract(tx, {
    instanceId: instance.id,
    accountId: payer.accountId,
    paymentMethodId,
    amount,
    currency,
    description: request.description ?? request.reason ?? null,
    altKey: request.alt_key ?? null,
    recurring: order.recurring,
    anchor: due ?? formatInstant(now),
    timezone: payer.timezone ?? instance.timezone ?? 'UTC',
    by,
    now,
  })
  const charge = await nextChargeOfContract(tx, contract, { by, now, scheduledPaymentId })
  if (!charge) throw invalid('payment.recurring', 'ends before it begins')
  return {
    ids: { charge_id: charge.id, contract_id: contract.id },
    parts: [{ charge: charge.id, amount }],
  }
}

async function hold(
  tx: Tx,
  payment: PaymentRow,
  part: Part,
  member: string,
  now: number,
): Promise<void> {
  try {
    await reserveOnCharge(tx, payment.instance_id, {
      chargeId: part.charge,
      amount: part.amount,
      currency: payment.currency,
      accountId: payment.account_id,
      member,
      now,
    })
  } catch (error) {
    // This operation answers 400 and 401 only: what it names and cannot find is a wrong member.
    const isUnknown = error instanceof ApiError && error.type === 'NOT_FOUND'
    throw isUnknown ? invalid(`${member}.charge`, 'does not exist') : error
  }
}

function callForPayment(deps: Deps, attempt: AttemptRow, { order, method, request }: Beginning) {
  const { processor } = method
  const wanted = (request.timeout ?? Infinity) * 1000
  const waitMs = Math.min(wanted, deps.config.processorTimeoutMs)
  const operation = {
    operation: attempt.id,
    merchant: attempt.instance_id,
    amount: order.amount,
    currency: order.currency,
    method: method.charge,
    store: method.save,
    // Nobody is at a browser, so there is nowhere to send a payer to and from.
    return_url: '',
  }
  const call = () =>
    order.type === 'AUTH' ? processor.authorise(operation) : processor.pay(operation)
  return callProcessor(deps, attempt.id, call, waitMs)
}
