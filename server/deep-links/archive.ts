import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { recordDeepLinkEvent } from './events.ts'
import { archiveDeepLinkRow, lookupDeepLink } from './store.ts'

/**
 * Archives a deep link and records `deep_link.archived`. Archiving it again changes nothing. `by` is the
 * id of the caller's session. Returns the id of the link. Throws 404 for an unknown one.
 */
export async function archiveDeepLink(
  deps: Deps,
  instanceId: string,
  { idOrSlug, by }: { idOrSlug: string; by: string },
): Promise<string> {
  return inTransaction(deps.db, async (tx) => {
    const now = deps.now()
    const { id } = await lookupDeepLink(tx, instanceId, idOrSlug)
    const at = formatInstant(now)
    const change = { archived: at, updated: at, updated_session: by }
    const link = await archiveDeepLinkRow(tx, id, change)
    const context = { tx, baseUrl: deps.config.baseUrl, now }
    if (link) await recordDeepLinkEvent(context, 'deep_link.archived', link)
    return id
  })
}
