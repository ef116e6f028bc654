import type { PayerAction } from '../../shared/page-model.ts'
import type { Deps } from '../deps.ts'
import type { PayerAttempt } from '../payments/attempts.ts'

/**
 * Returns the redirect that an attempt requires, or null. `in_frame` only where the processor declares
 * that its bank pages may be framed; otherwise an embedded payer would see an empty frame.
 */
export function serializePayerAction(
  deps: Deps,
  { processor, method_type, action_url }: PayerAttempt,
): PayerAction | null {
  if (action_url === null) return null
  const methods = deps.processors.get(processor)?.capabilities.methods ?? []
  const framed = methods.find(({ type }) => type === method_type)?.framed ?? false
  return { type: 'REDIRECT', url: action_url, ...(framed ? { in_frame: true } : {}) }
}
