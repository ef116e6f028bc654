import type { OfferedMethod } from '../../shared/page-model.ts'
import { methodOffered } from '../../shared/rules/save-card.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Processor } from './port.ts'

/** Which processors take money for an instance, and which of their methods a link offers. */

type Processors = ReadonlyMap<string, Processor>
type Mode = 'TEST' | 'LIVE'

/** Whether a processor takes this currency (ISO 4217) for instances of this mode. */
export function serves(processor: Processor, mode: Mode, currency: string): boolean {
  const { currencies } = processor.capabilities
  return servesMode(processor, mode) && (currencies === 'ANY' || currencies.includes(currency))
}

/** Whether a processor takes money for instances of this mode: test money for TEST, real for LIVE. */
export function servesMode(processor: Processor, mode: Mode): boolean {
  return processor.test === (mode === 'TEST')
}

/** The sentence for an instance for which no processor takes money, and what to do about it. */
export function noProcessor(mode: Mode): string {
  return `No payment processor of this server takes ${mode} payments; set one up, or use an instance in ${
    mode === 'LIVE' ? 'TEST' : 'LIVE'
  } mode`
}

/** Every processor's methods that a link with these options offers, in the processors' order. */
export function offeredMethods(
  processors: Processors,
  mode: Mode,
  options: PaymentLinkOptions,
  currency: string,
): OfferedMethod[] {
  return [...processors.values()]
    .filter((processor) => serves(processor, mode, currency))
    .flatMap(({ name, capabilities }) =>
      capabilities.methods
        .filter((method) => methodOffered(options, method))
        .map(({ type, storable, token_first, async }) => ({
          type,
          processor: name,
          storable,
          token_first,
          async,
        })),
    )
}
