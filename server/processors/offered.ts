import type { OfferedMethod } from '../../shared/page-model.ts'
import { isMethodOffered } from '../../shared/rules/save-card.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Processor } from './port.ts'

type Mode = 'TEST' | 'LIVE'

/** TEST instances use test processors only, LIVE instances real ones only. */
export function serves(processor: Processor, mode: Mode, currency: string): boolean {
  const { currencies } = processor.capabilities
  const isOfMode = processor.test === (mode === 'TEST')
  return isOfMode && (currencies === 'ANY' || currencies.includes(currency))
}

/** The error message when no processor serves the mode. */
export function noProcessor(mode: Mode): string {
  return `No payment processor of this server takes ${mode} payments; set one up, or use an instance in ${
    mode === 'LIVE' ? 'TEST' : 'LIVE'
  } mode`
}

/** Returns the methods that a link offers, in the order of the processors. */
export function offeredMethods(
  processors: readonly Processor[],
  mode: Mode,
  options: PaymentLinkOptions,
  currency: string,
): OfferedMethod[] {
  return processors
    .filter((processor) => serves(processor, mode, currency))
    .flatMap(({ id, capabilities }) =>
      capabilities.methods
        .filter((method) => isMethodOffered(options, method))
        .filter(({ currencies }) => currencies?.includes(currency) ?? true)
        .map(({ type, storable, token_first, async, fields }) => ({
          type,
          processor: id,
          storable,
          token_first,
          async,
          ...(fields !== 'OWN' && { fields }),
        })),
    )
}
