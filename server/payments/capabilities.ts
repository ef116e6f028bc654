import type { PaymentRow } from '../db/rows.ts'
import { fromJson } from '../db/json.ts'
import type { Capabilities, PaymentCapability, Processor } from '../processors/port.ts'

/**
 * Returns what can be done with one payment: what its processor can do, less what the processor said
 * it cannot do with this one.
 */
export function capabilitiesOf(
  { capabilities }: Pick<Processor, 'capabilities'>,
  { unsupported }: Pick<PaymentRow, 'unsupported'>,
): Capabilities {
  const without = fromJson<PaymentCapability[]>(unsupported) ?? []
  return { ...capabilities, ...Object.fromEntries(without.map((name) => [name, false])) }
}
