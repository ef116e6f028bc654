import type { OfferedMethod } from '../../shared/page-model.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { MethodCapabilities, Processor } from '../processors/port.ts'

/** Returns the methods that an instance's processors can save without a payment. */
export function savableMethods(
  processors: readonly Processor[],
  { mode }: Pick<Instance, 'mode'>,
): OfferedMethod[] {
  return processors
    .filter((processor) => processor.setup && processor.test === (mode === 'TEST'))
    .flatMap(({ id, capabilities }) =>
      capabilities.methods
        .filter((method) => method.setup === true && isNeedEntered(method))
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

/** The page asks for no details of the customer but the e-mail address beside the account of a direct debit. */
function isNeedEntered({ type, needs }: MethodCapabilities): boolean {
  return needs.every((detail) => detail === 'email' && type === 'DIRECT_DEBIT')
}
