import type { z } from 'zod'
import { brokenBound } from '../../shared/rules/amount-choice.ts'
import { currencyDigits } from '../../shared/rules/currency.ts'
import { parseAmount } from '../../shared/rules/money.ts'
import { altKey, positiveAmount } from '../../shared/schemas/common.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'

/** What the address of a deep link fills into the form: `?amount=20.00&reference=INV-7`. */
export interface Prefill {
  amount?: string
  reference?: string
}

/** Returns the parts of a query that a form can take; null for none. Invalid ones are ignored. */
export function parsePrefill(query: { amount?: string; reference?: string }): Prefill | null {
  const prefill = {
    ...validPart('amount', positiveAmount, query.amount),
    ...validPart('reference', altKey, query.reference),
  }
  return Object.keys(prefill).length === 0 ? null : prefill
}

function validPart<Name extends keyof Prefill>(
  name: Name,
  schema: z.ZodType<string>,
  value: string | undefined,
): { [key in Name]?: string } {
  const { success, data } = schema.safeParse(value)
  return success ? ({ [name]: data } as { [key in Name]: string }) : {}
}

/**
 * Returns the options of a link with what its address fills in, where the payer could type the same.
 * Fixed terms stay, because an address can be changed by anyone. An amount that the currency cannot
 * express or that breaks a bound of the link is ignored.
 */
export function withPrefill(
  options: PaymentLinkOptions,
  prefill: Prefill | null,
  defaultCurrency: string,
): PaymentLinkOptions {
  const { amount, reference } = prefill ?? {}
  const mayRefer = options.alt_key == null && options.default_alt_key != null
  return {
    ...options,
    ...(amount !== undefined &&
      canType(options, amount, defaultCurrency) && { default_amount: amount }),
    ...(reference !== undefined && mayRefer && { default_alt_key: reference }),
  }
}

function canType(options: PaymentLinkOptions, amount: string, defaultCurrency: string): boolean {
  const isFixed = [options.amount, options.unit_amount, options.charges].some((set) => set != null)
  if (isFixed) return false
  const digits = currencyDigits(options.currency ?? defaultCurrency) ?? 2
  const parsed = parseAmount(amount, digits)
  const bounds = {
    amount_min: options.amount_min ?? undefined,
    amount_max: options.amount_max ?? undefined,
  }
  return parsed.ok && brokenBound(bounds, parsed.minor, digits) === undefined
}
