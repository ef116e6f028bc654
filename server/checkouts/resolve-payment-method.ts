import type { Instance } from '../db/tables/instances.ts'
import type { PaymentMethodRow } from '../db/tables/payment-methods.ts'
import {
  type MethodTraits,
  saveCardView,
  saveChoice,
  saveDecision,
} from '../../shared/rules/save-card.ts'
import type { OfferedMethod } from '../../shared/page-model.ts'
import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import { invalid, type ApiError } from '../errors.ts'
import { findPaymentMethod, lockActivePaymentMethod } from '../payment-methods/store.ts'
import { amountProblem, capabilitiesOf, offeredMethods } from '../processors/offered.ts'
import type { MethodCapabilities, MethodToCharge, Processor } from '../processors/port.ts'
import { checkRequiredDetails, knownDetails } from './required-details.ts'
import type { ResolvedTerms } from './resolve-terms.ts'
import { listSavedMethods } from './saved-methods.ts'
import { usableProcessors } from './usable-processors.ts'

export interface SubmittedMethod {
  processor: string
  type: string
  charge: MethodToCharge
  savedMethodId: string | null
  save: boolean
  reusable: boolean
  /** String id of the consent that the payer gave; null when the method is not saved. */
  consentId: string | null
  brand: string | null
  last4: string | null
}

/** `through` is the only processor that may take the payment; null for any. */
type MethodTerms = Pick<ResolvedTerms, 'currency' | 'amount'> & { through: string | null }

/**
 * Returns the submitted method. Throws INVALID_REQUEST for one that the link does not offer, or not for
 * the amount.
 */
export async function resolveSubmittedMethod(
  deps: Deps,
  instance: Instance,
  options: PaymentLinkOptions,
  { currency, amount, through }: MethodTerms,
  request: SubmitBody,
): Promise<SubmittedMethod> {
  const { id } = request.payment_method
  if (id === undefined) {
    return newMethod(deps, instance, options, { currency, amount, through }, request)
  }
  const offered = await listSavedMethods(deps, instance, options, { currency, through })
  if (!offered.some((method) => method.id === id)) throw notSaved()
  const isForAmount = (
    await listSavedMethods(deps, instance, options, { currency, amount, through })
  ).some((method) => method.id === id)
  if (!isForAmount) throw invalid('payment_method.id', 'is not offered for this amount')
  return savedMethod(deps, instance, request, id)
}

async function savedMethod(
  deps: Deps,
  instance: Instance,
  request: SubmitBody,
  id: string,
): Promise<SubmittedMethod> {
  const row = await findPaymentMethod(deps.db, instance.id, id, deps.now())
  if (!row) throw notSaved()
  if (request.save_card === true) throw invalid('save_card', 'requires a new payment method')
  const code = securityCode(request, await cscOf(deps, row))
  return {
    processor: row.processor,
    type: row.type,
    charge: {
      kind: 'STORED',
      type: row.type,
      token: row.processor_token,
      ...code,
    },
    savedMethodId: row.id,
    save: false,
    reusable: false,
    consentId: null,
    brand: row.brand,
    last4: row.last4,
  }
}

/** Returns how a payment with a saved method takes the security code. */
async function cscOf(deps: Deps, row: PaymentMethodRow): Promise<MethodCapabilities['csc']> {
  if (row.type !== 'CARD') return 'NONE'
  const processor = await deps.processors.get(row)
  return (processor && capabilitiesOf(processor, row.type))?.csc ?? 'RAW'
}

/** Returns the submitted security code in the form that the method takes. Throws INVALID_REQUEST. */
function securityCode(
  { payment_method: { csc, csc_token } }: SubmitBody,
  taken: MethodCapabilities['csc'],
): { csc?: string; csc_token?: string } {
  if (csc !== undefined && taken !== 'RAW') {
    throw invalid('payment_method.csc', 'is not taken by this payment method')
  }
  if (csc_token !== undefined && taken !== 'TOKEN') {
    throw invalid('payment_method.csc_token', 'is not taken by this payment method')
  }
  if (taken === 'RAW') {
    if (csc === undefined) throw invalid('payment_method.csc', 'is required')
    return { csc }
  }
  if (taken === 'NONE') return {}
  if (csc_token === undefined) throw invalid('payment_method.csc_token', 'is required')
  return { csc_token }
}

function notSaved(): ApiError {
  return invalid('payment_method.id', 'is not a saved method of this checkout')
}

/**
 * Locks a saved method until the transaction ends. Throws INVALID_REQUEST when it was removed after it
 * was resolved. `now` is in epoch milliseconds.
 */
export async function lockSubmittedMethod(
  tx: Tx,
  instance: Pick<Instance, 'id'>,
  { savedMethodId }: SubmittedMethod,
  now: number,
): Promise<void> {
  if (savedMethodId === null) return
  await lockActivePaymentMethod(tx, instance.id, savedMethodId, now, notSaved)
}

async function newMethod(
  deps: Deps,
  instance: Instance,
  options: PaymentLinkOptions,
  { currency, amount, through }: MethodTerms,
  request: SubmitBody,
): Promise<SubmittedMethod> {
  const { type = 'CARD', processor, token, csc, csc_token } = request.payment_method
  if (csc !== undefined) throw invalid('payment_method.csc', 'requires a saved payment method')
  if (csc_token !== undefined) {
    throw invalid('payment_method.csc_token', 'requires a saved payment method')
  }
  const processors = await usableProcessors(deps, instance, through)
  const details = await knownDetails(deps, instance, options, processors)
  const offered = offeredMethods(processors, instance.mode, options, currency, { details }).filter(
    (each) => each.type === type && (processor ?? each.processor) === each.processor,
  )
  const isForAmount = (each: OfferedMethod) => {
    const used = processors.find(({ id }) => id === each.processor)
    const capabilities = used && capabilitiesOf(used, type)
    return capabilities && amountProblem(capabilities, amount, currency) === undefined
  }
  const method = offered.find(isForAmount)
  if (!method) {
    const problem = offered.length > 0 ? 'for this amount' : 'by this checkout'
    throw invalid('payment_method.type', `is not offered ${problem}`)
  }
  const used = processors.find(({ id }) => id === method.processor) as Processor
  const { redirect, fields, needs, token_form } = capabilitiesOf(used, type) as MethodCapabilities
  if (!redirect && token === undefined) throw invalid('payment_method.token', 'is required')
  if (fields === 'NONE' && token !== undefined) {
    throw invalid('payment_method.token', 'is not taken by this payment method')
  }
  if (token !== undefined && token_form?.test(token) === false) {
    throw invalid('payment_method.token', 'is not a token of the processor')
  }
  checkRequiredDetails(needs, options, request)
  const decision = saveDecision(options, method, request.save_card)
  if (!decision.ok) throw invalid('save_card', 'is not offered by this checkout')
  return {
    processor: method.processor,
    type,
    charge: { kind: 'NEW', type, ...(token === undefined ? {} : { token }) },
    savedMethodId: null,
    save: decision.save,
    reusable: decision.reusable,
    consentId: decision.save ? consentId(options, method) : null,
    brand: null,
    last4: null,
  }
}

/** Returns the id of the consent that the page shows for a method. */
function consentId(options: PaymentLinkOptions, method: MethodTraits): string {
  const choice = saveChoice(saveCardView(options), method)
  if (choice.consent) return 'consent.sentence'
  return choice.locked ? 'consent.save_needed' : 'consent.save'
}
