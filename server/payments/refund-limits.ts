import type { Role } from '../../shared/rules/roles.ts'
import { parseMinorUnits } from '../amount.ts'
import type { Instance } from '../db/tables/instances.ts'
import { ApiError } from '../errors.ts'

type LimitName = 'step_up_refund' | 'support_refund_max'
type Limits = Pick<Instance, 'mode' | 'default_currency' | LimitName>

/** Returns whether a refund of these minor units is one that the instance wants a fresh proof for. */
export function needsStepUp(
  instance: Omit<Limits, 'support_refund_max'>,
  amount: number,
  currency: string,
): boolean {
  return instance.mode === 'LIVE' && exceeds(instance, 'step_up_refund', amount, currency)
}

/** Throws a 403 ApiError for a support user's refund of these minor units above what they may give back. */
export function requireWithinSupportMax(
  role: Role | undefined,
  instance: Omit<Limits, 'mode' | 'step_up_refund'>,
  amount: number,
  currency: string,
): void {
  if (role !== 'SUPPORT' || !exceeds(instance, 'support_refund_max', amount, currency)) return
  const { support_refund_max: max, default_currency: own } = instance
  throw new ApiError(
    'FORBIDDEN',
    `Users with the role SUPPORT may refund up to ${max} ${own} at once (support_refund_max)`,
    { recordedAs: { event: 'role_refused', limit: 'support_refund_max' } },
  )
}

/** Amounts of another currency cannot be compared with a limit, so they always exceed it. */
function exceeds<Name extends LimitName>(
  instance: Pick<Instance, 'default_currency' | Name>,
  name: Name,
  amount: number,
  currency: string,
): boolean {
  const limit: string | null = instance[name]
  const own: string = instance.default_currency
  if (limit === null) return false
  return currency !== own || amount > parseMinorUnits(`instance.${name}`, limit, own)
}
