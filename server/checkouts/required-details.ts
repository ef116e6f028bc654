import { serializeAccount } from '../accounts/serialize.ts'
import { findAccount } from '../accounts/store.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { SubmitBody } from '../../shared/schemas/checkout-request.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Deps } from '../deps.ts'
import { invalid } from '../errors.ts'
import type { PayerDetail, Processor } from '../processors/port.ts'

/** The details of the payer that a method needs, such as an e-mail address for a direct debit. */

/**
 * Returns which details the fixed account of a link has; undefined when the payer enters them, or no
 * method of the processors needs any.
 */
export async function knownDetails(
  { db }: Pick<Deps, 'db'>,
  instance: Pick<Instance, 'id'>,
  { account: id }: PaymentLinkOptions,
  processors: readonly Processor[],
): Promise<readonly PayerDetail[] | undefined> {
  const isNeeded = processors.some(({ capabilities }) =>
    capabilities.methods.some(({ needs }) => needs.length > 0),
  )
  if (typeof id !== 'string' || !isNeeded) return undefined
  const account = await findAccount(db, instance.id, id)
  return detailsOf(account && serializeAccount(account))
}

/**
 * Throws INVALID_REQUEST, naming the member, for a detail that a method needs and neither the payer nor
 * the link's account has.
 */
export function checkRequiredDetails(
  needs: readonly PayerDetail[],
  options: PaymentLinkOptions,
  request: SubmitBody,
): void {
  // The methods that a fixed account lacks a detail for are not offered.
  if (typeof options.account === 'string') return
  const known = [...detailsOf(options.account), ...detailsOf(request.account)]
  const missing = needs.find((detail) => !known.includes(detail))
  if (missing === undefined) return
  throw invalid(MEMBERS[missing], `is required for ${request.payment_method.type ?? 'CARD'}`)
}

const MEMBERS: Record<PayerDetail, string> = {
  name: 'account.last_name',
  email: 'account.email',
  country: 'account.address.country',
}

interface Person {
  first_name?: string | null | undefined
  last_name?: string | null | undefined
  email?: string | null | undefined
  address?: { country?: string | null | undefined } | null | undefined
}

function detailsOf(person: Person | null | undefined): PayerDetail[] {
  return [
    ...(person?.first_name || person?.last_name ? (['name'] as const) : []),
    ...(person?.email ? (['email'] as const) : []),
    ...(person?.address?.country ? (['country'] as const) : []),
  ]
}
