import { parseMinorUnits } from '../amount.ts'
import type { Instance } from '../db/tables/instances.ts'

/**
 * Returns whether a refund of these minor units is one that the instance wants a fresh proof for. Amounts
 * of another currency cannot be compared with the setting, so they always are.
 */
export function needsStepUp(
  instance: Pick<Instance, 'mode' | 'default_currency' | 'step_up_refund'>,
  amount: number,
  currency: string,
): boolean {
  const { mode, default_currency: own, step_up_refund: limit } = instance
  if (mode !== 'LIVE' || limit === null) return false
  return currency !== own || amount > parseMinorUnits('instance.step_up_refund', limit, own)
}
