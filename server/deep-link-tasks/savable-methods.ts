import type { OfferedMethod } from '../../shared/page-model.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { Processor } from '../processors/port.ts'

/** Returns the methods that an instance's processors can save without a payment. */
export function savableMethods(
  processors: readonly Processor[],
  { mode }: Pick<Instance, 'mode'>,
): OfferedMethod[] {
  return processors
    .filter((processor) => processor.setup && processor.test === (mode === 'TEST'))
    .flatMap(({ id, capabilities }) =>
      capabilities.methods
        // The page asks for no details of the customer.
        .filter(({ setup, needs }) => setup === true && needs.length === 0)
        .map(({ type, storable, token_first, async, fields }) => ({
          type,
          processor: id,
          storable,
          token_first,
          async,
          ...(fields === 'FRAMES' && { fields }),
        })),
    )
}
