import type { OfferedMethod } from '../../shared/page-model.ts'
import { isMethodOffered } from '../../shared/rules/save-card.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { amountText } from '../../shared/rules/currency.ts'
import type { AmountLimits, MethodCapabilities, PayerDetail, Processor } from './port.ts'

type Mode = 'TEST' | 'LIVE'

/** TEST instances use test processors only, LIVE instances real ones only. */
export function serves(processor: Processor, mode: Mode, currency: string): boolean {
  const { currencies } = processor.capabilities
  const isOfMode = processor.test === (mode === 'TEST')
  return isOfMode && (currencies === 'ANY' || currencies.includes(currency))
}

/** The error message when no processor serves the mode. */
export function noProcessor(mode: Mode): string {
  return `No payment processor of this server takes ${mode} payments; set one up, or use an instance in ${
    mode === 'LIVE' ? 'TEST' : 'LIVE'
  } mode`
}

/** Returns what a processor declares of a type of method; undefined when it is switched off. */
export function capabilitiesOf(
  { capabilities }: Processor,
  type: string,
): MethodCapabilities | undefined {
  return capabilities.methods.find((method) => method.type === type)
}

/** Returns whether a method can be charged in a currency. */
export function takesCurrency(method: MethodCapabilities, currency: string): boolean {
  return method.currencies?.includes(currency) ?? true
}

/** Returns why a method cannot be charged with an amount (minor units), or undefined when it can. */
export function amountProblem(
  { amounts = {} }: MethodCapabilities,
  amount: number,
  currency: string,
): string | undefined {
  const { min, max, step }: AmountLimits = amounts[currency] ?? {}
  const text = (minor: number) => `${amountText(minor, currency)} ${currency}`
  if (min !== undefined && amount < min) return `must be at least ${text(min)}`
  if (max !== undefined && amount > max) return `must be at most ${text(max)}`
  if (step !== undefined && amount % step !== 0) return `must be a multiple of ${text(step)}`
  return undefined
}

/** What is known of a payment before its method is chosen. */
export interface KnownTerms {
  /** Minor units; undefined when the payer chooses it. */
  amount?: number | undefined
  /** The details of an account that is fixed; undefined when the payer enters them. */
  details?: readonly PayerDetail[] | undefined
}

/** Returns the methods that a link offers, in the order of the processors. */
export function offeredMethods(
  processors: readonly Processor[],
  mode: Mode,
  options: PaymentLinkOptions,
  currency: string,
  { amount, details }: KnownTerms = {},
): OfferedMethod[] {
  const isPossible = (method: MethodCapabilities) =>
    takesCurrency(method, currency) &&
    (options.recurring == null || method.merchant_initiated) &&
    (options.recurring?.trial_days == null || method.setup === true) &&
    (amount === undefined || amountProblem(method, amount, currency) === undefined) &&
    (details === undefined ||
      method.needs.every((detail) => details.includes(detail) || isEntered(method, detail)))
  return processors
    .filter((processor) => serves(processor, mode, currency))
    .flatMap(({ id, capabilities }) =>
      capabilities.methods
        .filter((method) => isMethodOffered(options, method) && isPossible(method))
        .map(({ type, storable, token_first, async, fields, needs }) => ({
          type,
          processor: id,
          storable,
          token_first,
          async,
          ...(fields === 'FRAMES' && { fields }),
          ...(needs.length > 0 && details === undefined && { needs: [...needs] }),
        })),
    )
}

/** The page of a known customer asks for no detail but the e-mail address beside the account of a direct debit. */
export function isEntered({ type }: MethodCapabilities, detail: PayerDetail): boolean {
  return type === 'DIRECT_DEBIT' && detail === 'email'
}
