import type { OfferedMethod } from '../../shared/page-model.ts'
import type { Instance } from '../db/tables/instances.ts'
import { isEntered } from '../processors/offered.ts'
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
        .filter(
          (method) =>
            method.setup === true && method.needs.every((detail) => isEntered(method, detail)),
        )
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
