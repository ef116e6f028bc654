import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { DeepLinkStatus } from '../../shared/schemas/deep-link.ts'

/**
 * Returns the status of a deep link at `now` (epoch ms). It is computed and not stored, so it depends
 * on no timer, and raising `max_uses` or `expires` makes a link usable again.
 */
export function deepLinkStatus(
  link: Pick<DeepLinkRow, 'uses' | 'max_uses' | 'expires'>,
  now: number,
): DeepLinkStatus {
  if (link.max_uses !== null && link.uses >= link.max_uses) return 'EXHAUSTED'
  return link.expires !== null && Date.parse(link.expires) <= now ? 'EXPIRED' : 'ACTIVE'
}
