import { readTerms } from '../checkouts/charges.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { LinkRow } from '../db/tables/payment-links.ts'
import type { Deps } from '../deps.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { linkPayability } from '../payment-links/payability.ts'
import { resolveCurrency } from '../checkouts/resolve-terms.ts'

/**
 * Returns whether a link may be sent to a payer: it can be paid, or is being paid by someone whose
 * payment may still fail.
 */
export async function isSendable(
  { db, now }: Pick<Deps, 'db' | 'now'>,
  link: LinkRow,
  instance: Instance,
): Promise<boolean> {
  const currency = resolveCurrency(instance, parseLinkContent(link).options, undefined)
  const payability = linkPayability({ link, instance }, { now: now(), currency })
  if (!['PAYABLE', 'CLAIMED'].includes(payability)) return false
  const { charges } = await readTerms(db, link)
  return charges === undefined || charges.due.length > 0
}
