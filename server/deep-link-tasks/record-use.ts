import { sql } from 'kysely'
import { formatInstant } from '../../shared/rules/time.ts'
import type { DeepLinkUse } from '../../shared/schemas/deep-link.ts'
import { recordDeepLinkEvent } from '../deep-links/events.ts'
import type { LinkEvent } from '../payment-links/events.ts'

/** Counts a use of a link to a task, and records `deep_link.used` with what was done. */
export async function recordUse(
  { tx, baseUrl, now }: LinkEvent,
  id: string,
  used: DeepLinkUse,
): Promise<void> {
  const at = formatInstant(now)
  const link = await tx
    .updateTable('deep_links')
    .set({
      uses: sql<number>`uses + 1`,
      last_use: JSON.stringify(used),
      last_used: at,
      updated: at,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordDeepLinkEvent({ tx, baseUrl, now }, 'deep_link.used', link)
}
