import type { Instance } from '../db/tables/instances.ts'
import type { Deps } from '../deps.ts'
import type { Processor } from '../processors/port.ts'

/**
 * Returns the processors that may take a payment: all of the instance, or the one with which the legal
 * entity settles. There is none while that one cannot be used, so that no other entity is paid.
 */
export async function usableProcessors(
  { processors }: Pick<Deps, 'processors'>,
  instance: Instance,
  through: string | null,
): Promise<readonly Processor[]> {
  const all = await processors.ofInstance(instance)
  return through === null ? all : all.filter(({ id }) => id === through)
}
