import type { Deps } from '../deps.ts'
import type { MethodToCharge, Processor } from '../processors/port.ts'
import { withTimeout } from '../timeout.ts'

/** How long a payer waits for it. */
const WAIT_MS = 4000

/**
 * Returns where a new method was issued, ISO 3166-1 alpha-2. Null where its processor does not tell it
 * before a payment, or not in time, so that no payment fails for it.
 */
export async function findIssuingCountry(
  { log }: Pick<Deps, 'log'>,
  processor: Processor | undefined,
  charge: MethodToCharge,
): Promise<string | null> {
  if (processor?.countryOf === undefined || charge.kind !== 'NEW') return null
  const { token } = charge
  if (token === undefined) return null
  try {
    return await withTimeout(processor.countryOf(token), WAIT_MS, () => new Error('no response'))
  } catch (error) {
    log.warn({ err: error, processor: processor.id }, 'the country of a new method is not known')
    return null
  }
}
