import type { Instance, LinkRow } from '../db/rows.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { linkPayability } from '../payment-links/payability.ts'
import { resolveCurrency } from '../checkouts/resolve-terms.ts'

/**
 * Returns whether a link may be sent to a payer at `now` (epoch ms): it can be paid, or is being paid
 * by someone whose payment may still fail.
 */
export function isSendable(link: LinkRow, instance: Instance, now: number): boolean {
  const currency = resolveCurrency(instance, parseLinkContent(link).options, undefined)
  return ['PAYABLE', 'CLAIMED'].includes(linkPayability({ link, instance }, { now, currency }))
}
