import type { Processor } from '../server/processors/port.ts'

/**
 * Returns a processor of which `cancel` ends nothing that the payer can still confirm, as those of
 * banks' pages. `isUnendable` says of which operations, by their keys; of all when left out.
 */
export function unendable(
  real: Processor,
  isUnendable: (operation: string) => Promise<boolean> = async () => true,
): Processor {
  return {
    ...real,
    async cancel(operation) {
      const present = await real.query(operation)
      const goesOn = present.status === 'ACTION' || present.status === 'PENDING'
      return goesOn && (await isUnendable(operation)) ? present : real.cancel(operation)
    },
  }
}
