import { PAYMENT_LINK_ID } from '../../shared/rules/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { getLinkWithHistory } from './queries.ts'
import { archiveLinkRow, getLink, lockLink } from './store.ts'
import { recordLinkEvent } from './events.ts'

/**
 * Archives a link and records `payment_link.archived`. Archiving it again changes nothing. Throws
 * 404 for an unknown link.
 */
export async function archiveLink(deps: Deps, instanceId: string, id: string): Promise<void> {
  if (!PAYMENT_LINK_ID.test(id)) throw notFound('Payment link')
  await inTransaction(deps.db, async (tx) => {
    const now = deps.now()
    await lockLink(tx, instanceId, id)
    if (await archiveLinkRow(tx, instanceId, id, formatInstant(now))) {
      const link = await getLinkWithHistory(tx, instanceId, id)
      const at = { tx, baseUrl: deps.config.baseUrl, now }
      await recordLinkEvent(at, 'payment_link.archived', link)
    } else {
      await getLink(tx, instanceId, id)
    }
  })
}
