import { formatInstant } from '../../shared/rules/time.ts'
import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import { createCharge } from '../charges/create.ts'
import type { AttemptRow, PaymentRow } from '../db/tables/payments.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Tx } from '../db/tables.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import type { ReserveKey } from '../http/idempotency.ts'
import { lockActiveEntity } from '../legal-entities/require.ts'
import type { Payee } from '../legal-entity-routes/resolve.ts'
import { newCall } from './call-processor.ts'
import { createContractCharge, type Owed } from './contract-charge.ts'
import { newPayment } from './new-rows.ts'
import { runOperation } from './operation.ts'
import { operationPayer } from './operation-payer.ts'
import { resolveRequestedPayee } from './payee.ts'
import { type ParsedPaymentRequest, parsePaymentRequest } from './parse-request.ts'
import { type Payer, resolvePayer } from './payer.ts'
import { lockResolvedMethod, type ResolvedMethod, resolveMethod } from './payment-method.ts'
import { reserveParts } from './reserve-parts.ts'
import { schedulePayment } from './schedule-payment.ts'
import { storeOperation } from './store-operation.ts'
import { getPaymentRow } from './store.ts'

/** Who runs an operation, and how its idempotency key is reserved with the first row. */
export interface Caller {
  /** The id of the caller's actor session. */
  by: string
  reserveKey: ReserveKey
}

interface CreateContext {
  instance: Instance
  request: PaymentRequest
  parsed: ParsedPaymentRequest
  /** Undefined while the instance has no legal entities. */
  payee: Payee | undefined
  method: ResolvedMethod
  caller: Caller
  now: number
}

/**
 * Charges a payment method, authorizes an amount or schedules the payment, as the request asks.
 * Returns the payment, whose status is SUCCESS, DECLINE, PENDING, UNRESOLVED or
 * SCHEDULED.
 */
export async function createPayment(
  deps: Deps,
  instance: Instance,
  request: PaymentRequest,
  caller: Caller,
): Promise<PaymentRow> {
  const now = deps.now()
  const parsed = parsePaymentRequest(request, instance.default_currency, now)
  const payee = await resolveRequestedPayee(deps, instance, request, parsed)
  const through = payee?.processor ?? null
  const method = await resolveMethod(deps, instance, request.payment_method, parsed, through)
  const context: CreateContext = { instance, request, parsed, payee, method, caller, now }
  const { stored } = await runOperation(deps, {
    name: 'payment',
    store: () => inTransaction(deps.db, (tx) => storePayment(deps, tx, context)),
    call: ({ attempt, payment }, signal) =>
      chargeMethod(deps, { attempt, payment }, context, signal),
    timeoutMs: Math.min((request.timeout ?? Infinity) * 1000, deps.config.processorTimeoutMs),
  })
  return getPaymentRow(deps.db, instance.id, stored.payment.id)
}

type StoredPayment =
  | { payment: PaymentRow; attempt: AttemptRow }
  /** Scheduled: the processor is called when it is due. */
  | { payment: PaymentRow; attempt?: undefined }

async function storePayment(deps: Deps, tx: Tx, context: CreateContext): Promise<StoredPayment> {
  const { instance, request, parsed, payee, method, caller, now } = context
  const fresh = newPayment(
    {
      instance_id: instance.id,
      type: parsed.type,
      amount: parsed.amount,
      currency: parsed.currency,
      alt_key: request.alt_key ?? null,
      description: request.description ?? request.reason ?? null,
      source: request.source ?? (parsed.recurring ? 'RECURRING' : 'ECOMMERCE'),
      channel: request.channel ?? null,
      metadata: JSON.stringify(request.metadata ?? {}),
      payment_method_id: method.stored?.id ?? null,
      legal_entity_id: payee?.entity.id ?? null,
      legal_entity_version: payee?.entity.version ?? null,
      due: parsed.due,
    },
    now,
  )
  await caller.reserveKey(tx, fresh.id)
  if (payee && parsed.recurring) await lockActiveEntity(tx, payee.entity.id)
  const payer = await resolvePayer(
    { ...deps, db: tx },
    { instance, request, method, by: caller.by },
  )
  const owed = await createOwedCharge(tx, context, payer, fresh)
  const payment = { ...fresh, account_id: payer.accountId, ...owed.ids }
  const member = parsed.recurring ? 'payment' : 'payment.parts'
  if (parsed.due === null) await reserveParts(tx, payment, owed.parts, { member, now })
  // Every transaction locks account, charges and method in this order.
  await lockResolvedMethod(tx, instance, method, now)
  if (parsed.due !== null) {
    return { payment: await schedulePayment(tx, payment, payment.charge_id as string, now) }
  }
  const kind = parsed.type === 'AUTH' ? 'AUTHORISE' : 'PAY'
  const attempt = await storeOperation(tx, payment, owed.parts, {
    ...newCall(deps, now),
    kind,
    processor: method.processor.id,
    method_type: method.type,
    saved_method_id: method.stored?.id ?? null,
    save: method.save ? 1 : 0,
    reusable: method.save ? 1 : 0,
  })
  deps.failpoint('attempt-begun')
  return { payment, attempt }
}

/** Returns the charges that the payment is for: the requested ones, or a new one. */
async function createOwedCharge(
  tx: Tx,
  { instance, request, parsed, method, caller: { by }, now }: CreateContext,
  payer: Payer,
  payment: PaymentRow,
): Promise<Owed> {
  if (!parsed.recurring && parsed.due === null) return { ids: {}, parts: parsed.parts }
  const { amount, currency, due } = parsed
  const paymentMethodId = method.stored?.id ?? null
  const scheduledPaymentId = due === null ? null : payment.id
  if (!parsed.recurring) {
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
      legalEntityId: payment.legal_entity_id,
      by,
      now,
    })
    return { ids: { charge_id: charge.id }, parts: [{ charge: charge.id, amount }] }
  }
  if (payer.accountId === null) throw invalid('payment.account', 'is required when recurring')
  return createContractCharge(tx, {
    instanceId: instance.id,
    accountId: payer.accountId,
    paymentMethodId,
    amount,
    currency,
    description: request.description ?? request.reason ?? null,
    altKey: request.alt_key ?? null,
    recurring: parsed.recurring,
    anchor: due ?? formatInstant(now),
    timezone: payer.timezone ?? instance.timezone ?? 'UTC',
    legalEntityId: payment.legal_entity_id,
    scheduledPaymentId,
    by,
    now,
  })
}

async function chargeMethod(
  deps: Deps,
  { attempt, payment }: { attempt: AttemptRow; payment: PaymentRow },
  { parsed, method }: CreateContext,
  signal: AbortSignal,
) {
  const { processor, save } = method
  const operation = {
    ...(await operationPayer(deps, payment, { processor, save })),
    operation: attempt.id,
    merchant: attempt.instance_id,
    amount: parsed.amount,
    currency: parsed.currency,
    method: method.charge,
    store: save,
    // A payment by API has no browser to return to.
    return_url: '',
    signal,
  }
  return parsed.type === 'AUTH' ? processor.authorize(operation) : processor.pay(operation)
}
