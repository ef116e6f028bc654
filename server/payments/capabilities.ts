import type { PaymentRow } from '../db/tables/payments.ts'
import { fromJson } from '../db/json.ts'
import type { Capabilities, PaymentCapability, Processor } from '../processors/port.ts'

/**
 * Returns what can be done with one payment: the processor's capabilities without those that its
 * approval excluded.
 */
export function paymentCapabilities(
  { capabilities }: Pick<Processor, 'capabilities'>,
  { unsupported }: Pick<PaymentRow, 'unsupported'>,
): Capabilities {
  const excluded = fromJson<PaymentCapability[]>(unsupported) ?? []
  return { ...capabilities, ...Object.fromEntries(excluded.map((name) => [name, false])) }
}
