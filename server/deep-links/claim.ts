import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { LinkRow, SessionLink } from '../db/tables/payment-links.ts'
import type { Tx } from '../db/tables.ts'
import { claimLink } from '../payment-links/claim.ts'
import { optionColumns, parseLinkContent } from '../payment-links/content.ts'
import { getLinkWithHistory } from '../payment-links/queries.ts'
import { type LinkEvent, recordLinkEvent } from '../payment-links/events.ts'
import { insertLink } from '../payment-links/store.ts'
import { releaseUse, reserveUse } from './uses.ts'

interface SessionClaim {
  attemptId: string
  /** The version of the options that the payer agreed to. */
  optionsVersion: number
  /** A stored instant. */
  now: string
}

/**
 * Claims the link of a session for an attempt and returns it, or undefined when it cannot be paid. On a
 * deep link this reserves a use first, and stores the payment link if `isNew`.
 */
export async function claimSessionLink(
  tx: Tx,
  { link, isNew }: { link: LinkRow; isNew: boolean },
  claim: SessionClaim,
): Promise<LinkRow | undefined> {
  const { deep_link_id: id } = link
  if (id === null) return claimLink(tx, { ...claim, linkId: link.id })
  const { optionsVersion, now } = claim
  const deepLink = await reserveUse(tx, { id, optionsVersion, now })
  if (!deepLink) return undefined
  if (isNew) {
    const made = { ...link, claim: claim.attemptId, created: now, updated: now }
    await insertLink(tx, made)
    return made
  }
  await takeTerms(tx, link, deepLink)
  const claimed = await claimLink(tx, { ...claim, linkId: link.id })
  if (!claimed) await releaseUse(tx, id)
  return claimed
}

/** Writes the present terms of a deep link to a payment link without a payment in progress. */
async function takeTerms(tx: Tx, link: LinkRow, { expires }: DeepLinkRow): Promise<void> {
  await tx
    .updateTable('payment_links')
    .set({
      ...optionColumns(parseLinkContent(link).options),
      options_v: link.options_v,
      expires,
      expiry_told: 0,
    })
    .where('id', '=', link.id)
    .where('status', '=', 'ACTIVE')
    .where('claim', 'is', null)
    .execute()
}

/** Records `payment_link.created` for a link that a claim has stored, once its session names it. */
export async function recordMadeLink(context: LinkEvent, link: LinkRow): Promise<void> {
  const made = await getLinkWithHistory(context.tx, link.instance_id, link.id)
  await recordLinkEvent(context, 'payment_link.created', made)
}

/** Returns a session's link with the id under which a submit stores it. */
export function withId(link: SessionLink, newId: () => string): { link: LinkRow; isNew: boolean } {
  const isNew = link.id === null
  return { link: { ...link, id: link.id ?? newId() }, isNew }
}
