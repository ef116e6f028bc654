import type { PayerAction } from '../../shared/page-model.ts'
import type { Deps } from '../deps.ts'
import type { PayerAttempt } from '../payments/attempts.ts'

/**
 * Returns the redirect that an attempt requires, or null. `in_frame` only where the processor declares
 * that its bank pages may be framed; otherwise an embedded payer would see an empty frame.
 */
export async function serializePayerAction(
  deps: Deps,
  attempt: PayerAttempt,
): Promise<PayerAction | null> {
  const { method_type, action_url } = attempt
  if (action_url === null) return null
  const methods = (await deps.processors.get(attempt))?.capabilities.methods ?? []
  const framed = methods.find(({ type }) => type === method_type)?.framed ?? false
  return { type: 'REDIRECT', url: action_url, ...(framed ? { in_frame: true } : {}) }
}
