import type { Instance } from '../db/tables/instances.ts'
import type { LinkRow } from '../db/tables/payment-links.ts'
import type { PaymentLink } from '../../shared/schemas/payment-link-record.ts'
import type { PaymentLinkChange, UpdateMode } from '../../shared/schemas/payment-link.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Tx } from '../db/tables.ts'
import { retryOnConflict } from '../db/optimistic.ts'
import { inTransaction } from '../db/transaction.ts'
import type { Deps } from '../deps.ts'
import { expectVersion } from '../http/if-match.ts'
import { invalidState } from '../errors.ts'
import { readPayableOptions, resolveCharges } from './charges.ts'
import {
  contentColumns,
  type LinkContent,
  parseLinkContent,
  requireAccount,
  requireEntity,
} from './content.ts'
import { changedMembers, editLink, linkRules, validateLink } from './edit.ts'
import { requirePaymentMethod } from './require-method.ts'
import { serializePaymentLink } from './serialize.ts'
import { getLinkWithHistory } from './queries.ts'
import { getLink, updateLink } from './store.ts'
import { recordLinkEvent } from './events.ts'

export interface LinkChange {
  change: PaymentLinkChange
  mode: UpdateMode
  /** The version that the caller expects; any other is a CONFLICT. */
  ifMatch: number | undefined
}

/**
 * Changes a link and records `payment_link.updated`. A request that changes nothing keeps the
 * version and `updated`, and records no event.
 */
export async function changeLink(
  deps: Deps,
  instance: Instance,
  id: string,
  request: LinkChange,
): Promise<PaymentLink> {
  const { baseUrl } = deps.config
  return inTransaction(deps.db, async (tx) => {
    const now = deps.now()
    const changed = await saveChange(deps, tx, instance, id, { ...request, now })
    const link = await getLinkWithHistory(tx, instance.id, id)
    return changed
      ? recordLinkEvent({ tx, baseUrl, now }, 'payment_link.updated', link)
      : serializePaymentLink(link, { now, baseUrl })
  })
}

/** Returns whether a change could make the legal entity of a link wrong. */
function namesPayee({ options }: PaymentLinkChange): boolean {
  return options?.legal_entity != null || options?.currency !== undefined
}

/** Returns whether anything changed. Starts over when another request writes after the read. */
async function saveChange(
  deps: Pick<Deps, 'processors'>,
  tx: Tx,
  instance: Instance,
  id: string,
  request: LinkChange & { now: number },
): Promise<boolean> {
  const { now } = request
  return retryOnConflict('Payment link', async () => {
    const stored = await getLink(tx, instance.id, id)
    expectVersion('Payment link', stored, request.ifMatch)
    const before = parseLinkContent(stored)
    const edited = editLink(before, request.change, request.mode)
    validateLink(edited, request.change, linkRules(instance, now))
    const after = await resolveCharges(tx, instance, before, edited)
    const changed = changedMembers(before, after)
    if (changed.length === 0) return false
    requireChangeable(stored, changed)
    if (changed.includes('options')) {
      const payable = await readPayableOptions(tx, instance.id, after.options)
      await requirePaymentMethod({ ...deps, db: tx }, instance, payable)
      await requireAccount(tx, instance, after)
      // One that was archived since does not keep other options from being changed.
      if (namesPayee(request.change)) await requireEntity(tx, instance, after)
    }
    const edit = {
      ...contentColumns(after),
      expiry_told: changed.includes('expires') ? 0 : stored.expiry_told,
      options_v: stored.options_v + (changed.includes('options') ? 1 : 0),
      updated: formatInstant(now),
      v: stored.v + 1,
    }
    return (await updateLink(tx, stored, edit)) ? true : undefined
  })
}

/** Throws INVALID_STATE for a change that the link's status forbids. `state` is free data. */
function requireChangeable(stored: LinkRow, changed: (keyof LinkContent)[]): void {
  if (stored.archived !== null) throw invalidState('Payment link is archived')
  if (stored.status !== 'ACTIVE' && changed.some((member) => member !== 'state')) {
    throw invalidState('Payment link is paid or awaits payment; only its state can change')
  }
  if (stored.deep_link_id !== null && changed.some((member) => member !== 'state')) {
    throw invalidState('Payment link belongs to a deep link, whose terms it takes')
  }
  // The payer has agreed to the present options.
  if (stored.claim !== null && changed.includes('options')) {
    throw invalidState(
      'Payment link is being paid right now; its options can change when that ends',
    )
  }
}
