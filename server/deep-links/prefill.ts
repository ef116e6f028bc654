import type { z } from 'zod'
import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import { altKey, positiveAmount } from '../../shared/schemas/common.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { parseOptions } from './validate.ts'

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
 * Returns the options of a deep link with what its address fills in, where the payer may change it
 * anyway. Fixed terms stay, because everybody can change an address.
 */
export function withPrefill(
  deepLink: Pick<DeepLinkRow, 'options'>,
  prefill: Prefill | null,
): PaymentLinkOptions {
  const options = parseOptions(deepLink)
  const { amount, reference } = prefill ?? {}
  const mayType = options.amount == null
  const mayRefer = options.alt_key == null && options.default_alt_key != null
  return {
    ...options,
    ...(amount !== undefined && mayType && { default_amount: amount }),
    ...(reference !== undefined && mayRefer && { default_alt_key: reference }),
  }
}
