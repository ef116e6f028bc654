import type { OfferedMethod } from '../../shared/page-model.ts'
import { isMethodOffered } from '../../shared/rules/save-card.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Processor } from './port.ts'

type Processors = ReadonlyMap<string, Processor>
type Mode = 'TEST' | 'LIVE'

export function serves(processor: Processor, mode: Mode, currency: string): boolean {
  const { currencies } = processor.capabilities
  return servesMode(processor, mode) && (currencies === 'ANY' || currencies.includes(currency))
}

/** TEST instances use test processors only, LIVE instances real ones only. */
export function servesMode(processor: Processor, mode: Mode): boolean {
  return processor.test === (mode === 'TEST')
}

/** The error message when no processor serves the mode. */
export function noProcessor(mode: Mode): string {
  return `No payment processor of this server takes ${mode} payments; set one up, or use an instance in ${
    mode === 'LIVE' ? 'TEST' : 'LIVE'
  } mode`
}

/** Returns the methods that a link offers, in the order of the processors. */
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
        .filter((method) => isMethodOffered(options, method))
        .map(({ type, storable, token_first, async }) => ({
          type,
          processor: name,
          storable,
          token_first,
          async,
        })),
    )
}
