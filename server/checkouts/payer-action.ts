import type { PayerAction } from '../../shared/page-model.ts'
import type { Deps } from '../deps.ts'
import type { PayerAttempt } from '../payments/attempts.ts'

/**
 * What the payer has to do elsewhere before an attempt can go on; null when there is nothing. Only a
 * processor knows whether its bank pages may be framed: one that refuses would leave the payer of an
 * embedded checkout before an empty frame, with the payment under way.
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
