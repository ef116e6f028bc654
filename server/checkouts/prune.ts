import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { deleteBundles } from './store.ts'

/** Longer than any session lives, counted from the last session that was opened on a bundle. */
const UNUSED_MS = 2 * 86_400_000

/** Removes wording that no living session can still show. */
export async function pruneBundles(deps: Deps): Promise<void> {
  await deleteBundles(deps.db, formatInstant(deps.now() - UNUSED_MS))
}
