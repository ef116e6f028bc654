import { PAYMENT_LINK_ID } from '../../shared/rules/ids.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { notFound } from '../errors.ts'
import { getLinkWithHistory } from './queries.ts'
import { lockLink, getLink, archiveLinkRow } from './store.ts'
import { recordLinkEvent } from './events.ts'

/**
 * Archives a link and records `payment_link.archived`, once; a second time changes nothing
 * (specification: `DELETE /payment_links/{id}`; contract section 6.2). Throws a 404 ApiError for an
 * unknown link.
 */
export async function archiveLink(deps: Deps, instanceId: string, id: string): Promise<void> {
  if (!PAYMENT_LINK_ID.test(id)) throw notFound('Payment link')
  await inTransaction(deps.db, async (tx) => {
    const now = deps.now()
    await lockLink(tx, instanceId, id)
    if (await archiveLinkRow(tx, instanceId, id, formatInstant(now))) {
      const link = await getLinkWithHistory(tx, instanceId, id)
      await recordLinkEvent(
        { tx, baseUrl: deps.config.baseUrl, now },
        'payment_link.archived',
        link,
      )
    } else {
      await getLink(tx, instanceId, id)
    }
  })
}
