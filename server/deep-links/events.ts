import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { DeepLink } from '../../shared/schemas/deep-link.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import type { LinkEvent } from '../payment-links/events.ts'
import { serializeDeepLink } from './serialize.ts'

/** Records an event about a deep link and returns the link as the event carries it. */
export async function recordDeepLinkEvent(
  { tx, baseUrl, now }: LinkEvent,
  type: Extract<EventType, `deep_link.${string}`>,
  link: DeepLinkRow,
): Promise<DeepLink> {
  const deep_link = serializeDeepLink(link, { now, baseUrl })
  await recordEvent(tx, { instanceId: link.instance_id, type, data: { deep_link }, now })
  return deep_link
}
