import type { LinkWithHistory } from '../db/tables/payment-links.ts'
import type { PaymentLink } from '../../shared/schemas/payment-link-record.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializePaymentLink } from './serialize.ts'

export interface LinkEvent {
  /** The transaction that changes the link. */
  tx: Tx
  baseUrl: string
  /** Epoch milliseconds. */
  now: number
}

/** Records an event about a link and returns the link as the event carries it. */
export async function recordLinkEvent(
  { tx, baseUrl, now }: LinkEvent,
  type: Extract<EventType, `payment_link.${string}`>,
  link: LinkWithHistory,
): Promise<PaymentLink> {
  const record = serializePaymentLink(link, { now, baseUrl })
  const data = { payment_link: record }
  await recordEvent(tx, { instanceId: link.instance_id, type, data, now })
  return record
}
