import type { Instance } from '../db/tables/instances.ts'
import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'
import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import type { Db, Tx } from '../db/tables.ts'
import { type ApiError, invalid, invalidState } from '../errors.ts'
import {
  findPaymentMethod,
  lockActivePaymentMethod,
  type PaymentMethodWithStatus,
} from '../payment-methods/store.ts'
import {
  amountProblem,
  capabilitiesOf,
  noProcessor,
  serves,
  takesCurrency,
} from '../processors/offered.ts'
import type { MethodToCharge, Processor } from '../processors/port.ts'
import type { Processors } from '../processors/registry.ts'
import type { ParsedPaymentRequest } from './parse-request.ts'

export interface ResolvedMethod {
  processor: Processor
  type: string
  charge: MethodToCharge
  /** Undefined for a new method. */
  stored: PaymentMethodRow | undefined
  save: boolean
}

interface MethodDeps {
  db: Db
  now: () => number
  processors: Processors
}

/**
 * Returns the method that a request charges: a stored one by its id, or a new one by the token of the
 * processor's browser library. A scheduled payment needs a stored method, a recurring one a method
 * that is stored or saved. With `through`, only that processor takes a new method. Throws a 400 ApiError
 * that names the member.
 */
export async function resolveMethod(
  deps: MethodDeps,
  instance: Instance,
  requested: PaymentRequest['payment_method'],
  parsed: ParsedPaymentRequest,
  through: string | null,
): Promise<ResolvedMethod> {
  const resolved =
    typeof requested === 'string'
      ? await resolveStoredMethod(deps, instance, requested, parsed.currency)
      : await resolveNewMethod(deps, instance, requested, parsed.currency, through)
  checkCapabilities(resolved, parsed)
  const isStored = resolved.stored !== undefined || resolved.save
  if (parsed.due !== null && !resolved.stored) {
    throw invalid('payment.payment_method', 'must be a stored method when the payment is due later')
  }
  if (parsed.recurring && !isStored) {
    throw invalid('payment.payment_method.save', 'must be true for a recurring payment')
  }
  return resolved
}

/**
 * Throws a 400 ApiError, naming the member, for what a type of method cannot do. A stored method of a
 * type that is switched off can still be charged.
 */
function checkCapabilities(
  { processor, type, stored, save }: ResolvedMethod,
  { type: action, amount, currency, due, recurring }: ParsedPaymentRequest,
): void {
  const method = capabilitiesOf(processor, type)
  if (!method) return
  if (action === 'AUTH' && !method.authorize) {
    throw invalid('payment.action', `AUTH is not possible for ${type}`)
  }
  if (stored === undefined && method.mandate) {
    throw invalid(
      'payment.payment_method',
      `must be a stored method: only a payer can allow ${type}`,
    )
  }
  const isAgain = stored !== undefined || due !== null || (save && recurring !== null)
  if (isAgain && !method.merchant_initiated) {
    throw invalid('payment.payment_method', `${type} cannot be charged without the customer`)
  }
  if (!takesCurrency(method, currency)) {
    throw invalid('payment.payment_method', `cannot be charged in ${currency}`)
  }
  const problem = amountProblem(method, amount, currency)
  if (problem !== undefined) throw invalid('payment.amount', `${problem} for ${type}`)
}

async function resolveStoredMethod(
  deps: MethodDeps,
  instance: Instance,
  id: string,
  currency: string,
): Promise<ResolvedMethod> {
  const stored = await findPaymentMethod(deps.db, instance.id, id, deps.now())
  if (!stored) throw invalid('payment.payment_method', 'does not exist')
  if (stored.status_at !== 'ACTIVE') throw unusable(stored)
  if (stored.reusable !== 1) {
    throw invalid('payment.payment_method', 'is limited to one payment')
  }
  const processor = await deps.processors.get(stored)
  if (!processor)
    throw invalid('payment.payment_method', 'belongs to a processor that is not configured')
  if (!serves(processor, instance.mode, currency)) {
    throw invalid('payment.payment_method', `cannot be charged in ${currency}`)
  }
  return { processor, type: stored.type, charge: storedMethodCharge(stored), stored, save: false }
}

/**
 * Checks in the transaction that stores the attempt that a stored method may still be charged at `now`
 * (epoch milliseconds). The method cannot be removed until the transaction ends.
 */
export async function lockResolvedMethod(
  tx: Tx,
  instance: Pick<Instance, 'id'>,
  { stored }: Pick<ResolvedMethod, 'stored'>,
  now: number,
): Promise<void> {
  if (stored) await lockActivePaymentMethod(tx, instance.id, stored.id, now, unusable)
}

function unusable(method: PaymentMethodWithStatus | undefined): ApiError {
  const problem = method?.status_at === 'EXPIRED' ? 'has expired' : 'has been removed'
  return invalid('payment.payment_method', problem)
}

/** A charge without the payer, so without a security code. */
export function storedMethodCharge(stored: PaymentMethodRow): MethodToCharge {
  return { kind: 'STORED', type: stored.type, token: stored.processor_token }
}

async function resolveNewMethod(
  deps: MethodDeps,
  instance: Instance,
  requested: Exclude<PaymentRequest['payment_method'], string>,
  currency: string,
  through: string | null,
): Promise<ResolvedMethod> {
  const { token } = requested
  const processors = await deps.processors.ofInstance(instance)
  if (processors.length === 0) throw invalidState(noProcessor(instance.mode))
  const type = requested.type ?? 'CARD'
  const save = requested.save ?? false
  for (const processor of processors) {
    if (!serves(processor, instance.mode, currency)) continue
    if (through !== null && processor.id !== through) continue
    const capability = capabilitiesOf(processor, type)
    const isRequested = (requested.processor ?? processor.id) === processor.id
    // A method that sends the payer to another page needs a payer.
    if (!capability || capability.redirect || !isRequested) continue
    if (!takesCurrency(capability, currency)) continue
    if (capability.token_form?.test(token) === false) {
      throw invalid('payment.payment_method.token', 'is not a token of the processor')
    }
    if (save && !capability.storable) {
      throw invalid('payment.payment_method.save', `is not possible for ${type}`)
    }
    if (!save && capability.token_first) {
      throw invalid('payment.payment_method.save', `must be true for ${type}`)
    }
    return { processor, type, charge: { kind: 'NEW', type, token }, stored: undefined, save }
  }
  throw invalid('payment.payment_method.type', `is not offered for ${currency}`)
}
