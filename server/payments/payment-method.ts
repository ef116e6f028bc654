import type { Instance, PaymentMethodRow } from '../db/rows.ts'
import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import type { Db, Tx } from '../db/tables.ts'
import { invalid, invalidState } from '../errors.ts'
import {
  findPaymentMethod,
  lockPaymentMethod,
  type PaymentMethodWithStatus,
} from '../payment-methods/store.ts'
import { noProcessor, serves, servesMode } from '../processors/offered.ts'
import type { MethodToCharge, Processor } from '../processors/port.ts'
import type { PaymentOrder } from './parse-request.ts'

/** What a merchant's request charges, and through whom. */
export interface ResolvedMethod {
  processor: Processor
  type: string
  charge: MethodToCharge
  /** The stored method that was named; undefined for a new one. */
  stored: PaymentMethodRow | undefined
  save: boolean
}

interface Needs {
  db: Db
  now: () => number
  processors: ReadonlyMap<string, Processor>
}

/**
 * Finds the method that a request names: a stored one by its id, or a new one by the token of its
 * processor's browser half (contract section 10.1). A request that will be charged later, or again
 * and again, needs one that is kept. Throws a 400 ApiError that names the member.
 */
export async function resolveMethod(
  deps: Needs,
  instance: Instance,
  given: PaymentRequest['payment_method'],
  order: PaymentOrder,
): Promise<ResolvedMethod> {
  const chosen =
    typeof given === 'string'
      ? await storedMethod(deps, instance, given, order.currency)
      : newMethod(deps, instance, given, order.currency)
  const kept = chosen.stored !== undefined || chosen.save
  if (order.due !== null && !chosen.stored) {
    throw invalid('payment.payment_method', 'must be a stored method when the payment is due later')
  }
  if (order.recurring && !kept) {
    throw invalid('payment.payment_method.save', 'must be true for a recurring payment')
  }
  return chosen
}

async function storedMethod(
  deps: Needs,
  instance: Instance,
  id: string,
  currency: string,
): Promise<ResolvedMethod> {
  const stored = await findPaymentMethod(deps.db, instance.id, id, deps.now())
  if (!stored) throw invalid('payment.payment_method', 'does not exist')
  refuseUnusable(stored)
  if (stored.reusable !== 1) {
    throw invalid('payment.payment_method', 'was kept for one payment only')
  }
  const processor = deps.processors.get(stored.processor)
  if (!processor) throw invalid('payment.payment_method', 'is of a processor that is gone')
  if (!serves(processor, instance.mode, currency)) {
    throw invalid('payment.payment_method', `cannot be charged in ${currency}`)
  }
  return { processor, type: stored.type, charge: chargeOf(stored), stored, save: false }
}

/**
 * Makes sure, in the transaction that stores what will be asked, that the stored method which was
 * chosen before may still be charged at `now` (epoch ms), and is not removed until it ends.
 */
export async function lockResolvedMethod(
  tx: Tx,
  instance: Pick<Instance, 'id'>,
  { stored }: Pick<ResolvedMethod, 'stored'>,
  now: number,
): Promise<void> {
  if (stored) refuseUnusable(await lockPaymentMethod(tx, instance.id, stored.id, now))
}

/** Throws a 400 ApiError for a stored method that was removed or has expired. */
function refuseUnusable(stored: PaymentMethodWithStatus | undefined): void {
  if (stored?.status_at === 'ACTIVE') return
  const problem = stored?.status_at === 'EXPIRED' ? 'has expired' : 'has been removed'
  throw invalid('payment.payment_method', problem)
}

/** A stored method as a processor takes it when its payer is not there. */
export function chargeOf(stored: PaymentMethodRow): MethodToCharge {
  return { kind: 'STORED', type: stored.type, token: stored.processor_token }
}

function newMethod(
  deps: Needs,
  instance: Instance,
  given: Exclude<PaymentRequest['payment_method'], string>,
  currency: string,
): ResolvedMethod {
  const { token } = given
  const isServed = [...deps.processors.values()].some((one) => servesMode(one, instance.mode))
  if (!isServed) throw invalidState(noProcessor(instance.mode))
  const type = given.type ?? 'CARD'
  const save = given.save ?? false
  for (const processor of deps.processors.values()) {
    if (!serves(processor, instance.mode, currency)) continue
    const able = processor.capabilities.methods.find((method) => method.type === type)
    const wanted = (given.processor ?? processor.name) === processor.name
    // A method that sends the payer to another page needs a payer.
    if (!able || able.redirect || !wanted) continue
    if (save && !able.storable) {
      throw invalid('payment.payment_method.save', `is not possible for ${type}`)
    }
    if (!save && able.token_first) {
      throw invalid('payment.payment_method.save', `must be true for ${type}`)
    }
    return { processor, type, charge: { kind: 'NEW', type, token }, stored: undefined, save }
  }
  throw invalid('payment.payment_method.type', `is not offered for ${currency}`)
}
