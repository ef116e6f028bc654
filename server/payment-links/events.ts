import type { PaymentLink } from '../../shared/schemas/payment-link.ts'
import type { Tx } from '../db/tables.ts'
import type { EventType } from '../events/event-types.ts'
import { recordEvent } from '../events/record-event.ts'
import { serializePaymentLink } from './serialize.ts'
import type { LinkWithHistory } from './queries.ts'

/** Where and when something happened to a link. */
export interface LinkEvent {
  /** The transaction that makes it happen. */
  tx: Tx
  baseUrl: string
  /** Epoch milliseconds. */
  now: number
}

/**
 * Records that something happened to a link (contract sections 6.2 and 16), and answers the link as
 * the event tells it, which is what its GET answers at this moment.
 */
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
