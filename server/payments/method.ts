import type { PaymentRequest } from '../../shared/schemas/payment-request.ts'
import type { Db, Tx } from '../db/tables.ts'
import { invalid } from '../http/refusal.ts'
import type { Refusal } from '../http/refusal.ts'
import type { Instance } from '../instances/store.ts'
import { findPaymentMethod, holdActiveMethod } from '../payment-methods/store.ts'
import type { PaymentMethodRow } from '../payment-methods/store.ts'
import type { MethodToCharge, Processor } from '../processors/port.ts'
import type { Order } from './order.ts'

/** What a merchant's request charges, and through whom. */
export interface ChosenMethod {
  processor: Processor
  type: string
  charge: MethodToCharge
  /** The stored method that was named; undefined for a new one. */
  stored: PaymentMethodRow | undefined
  save: boolean
}

interface Needs {
  db: Db
  processors: ReadonlyMap<string, Processor>
}

/**
 * Finds the method that a request names: a stored one by its id, or a new one by the token of its
 * processor's browser half (contract section 10.1). A request that will be charged later, or again
 * and again, needs one that is kept. Throws a 400 Refusal that names the member.
 */
export async function chooseMethod(
  deps: Needs,
  instance: Instance,
  given: PaymentRequest['payment_method'],
  order: Order,
): Promise<ChosenMethod> {
  const chosen =
    typeof given === 'string'
      ? await storedMethod(deps, instance, given)
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

async function storedMethod(deps: Needs, instance: Instance, id: string): Promise<ChosenMethod> {
  const stored = await findPaymentMethod(deps.db, instance.id, id)
  if (!stored) throw invalid('payment.payment_method', 'does not exist')
  if (stored.status !== 'ACTIVE') throw removed()
  if (stored.reusable !== 1) {
    throw invalid('payment.payment_method', 'was kept for one payment only')
  }
  const processor = deps.processors.get(stored.processor)
  if (!processor) throw invalid('payment.payment_method', 'is of a processor that is gone')
  return { processor, type: stored.type, charge: chargeOf(stored), stored, save: false }
}

/**
 * Makes sure, in the transaction that stores what will be asked, that the stored method which was
 * chosen before has not been removed since, and is not until it ends.
 */
export async function keepChosen(
  tx: Tx,
  instance: Pick<Instance, 'id'>,
  { stored }: Pick<ChosenMethod, 'stored'>,
): Promise<void> {
  if (stored && !(await holdActiveMethod(tx, instance.id, stored.id))) throw removed()
}

function removed(): Refusal {
  return invalid('payment.payment_method', 'has been removed')
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
): ChosenMethod {
  const { token } = given
  const type = given.type ?? 'CARD'
  const save = given.save ?? false
  for (const processor of deps.processors.values()) {
    const { currencies, methods } = processor.capabilities
    const able = methods.find((method) => method.type === type)
    const usable = currencies === 'ANY' || currencies.includes(currency)
    const wanted = (given.processor ?? processor.name) === processor.name
    // A method that sends the payer to another page needs a payer.
    if (!able || able.redirect || !usable || !wanted) continue
    if (processor.test !== (instance.mode === 'TEST')) continue
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
