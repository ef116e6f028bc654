import type { CheckoutRow } from '../db/tables/checkouts.ts'
import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { Instance } from '../db/tables/instances.ts'
import type { LinkRow, SessionLink } from '../db/tables/payment-links.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import type { Db } from '../db/tables.ts'
import { fromJson } from '../db/json.ts'
import { getInstance } from '../instances/store.ts'
import { newLinkRow } from '../payment-links/new-link.ts'
import { payUrl } from '../payment-links/serialize.ts'
import { findLinkAndInstance } from '../payment-links/store.ts'
import { payableOptions } from './payable-options.ts'
import type { Prefill } from './prefill.ts'
import { deepLinkPath } from './serialize.ts'
import { findDeepLink, findDeepLinkById } from './store.ts'

/** What a payer's address leads to. */
export interface PayerLink {
  link: SessionLink
  instance: Instance
  /** The deep link of `link`. */
  deepLink?: DeepLinkRow | undefined
}

/** A payment link by its id, or a deep link by its id or slug, with what the address fills in. */
export type LinkAddress = { paymentLink: string } | { deepLink: string; prefill?: Prefill | null }

/** Finds the link of an address. Deep links to the task of an account have no payment page. */
export async function findPayerLink(db: Db, address: LinkAddress): Promise<PayerLink | undefined> {
  if ('paymentLink' in address) return findPaymentLink(db, address.paymentLink, null)
  const deepLink = await findDeepLink(db, address.deepLink)
  return payable(db, deepLink, address.prefill ?? null)
}

/** Finds the link of a session. */
export async function findSessionLink(
  db: Db,
  session: Pick<CheckoutRow, 'payment_link_id' | 'deep_link_id' | 'prefill'>,
): Promise<PayerLink | undefined> {
  const prefill = fromJson<Prefill>(session.prefill) ?? null
  if (session.payment_link_id !== null) {
    return findPaymentLink(db, session.payment_link_id, prefill)
  }
  if (session.deep_link_id === null) return undefined
  return payable(db, await findDeepLinkById(db, session.deep_link_id), prefill)
}

/** Returns the path of the page. */
export function payerPath({ link, deepLink }: PayerLink): string {
  return link.id === null && deepLink ? deepLinkPath(deepLink) : payUrl('', link.id ?? '')
}

async function payable(
  db: Db,
  deepLink: DeepLinkRow | undefined,
  prefill: Prefill | null,
): Promise<PayerLink | undefined> {
  if (!deepLink || !isPayable(deepLink)) return undefined
  const instance = await getInstance(db, deepLink.instance_id)
  const options = await payableOptions(db, deepLink, instance, prefill)
  return { link: unstoredLink(deepLink, options), instance, deepLink }
}

async function findPaymentLink(
  db: Db,
  id: string,
  prefill: Prefill | null,
): Promise<PayerLink | undefined> {
  const found = await findLinkAndInstance(db, id)
  if (!found || found.link.deep_link_id === null) return found
  const deepLink = await findDeepLinkById(db, found.link.deep_link_id)
  if (!deepLink) return found
  const options = () => payableOptions(db, deepLink, found.instance, prefill)
  return { ...found, link: await underPresentTerms(found.link, deepLink, options), deepLink }
}

/** Whether a deep link leads to a payment page. The others lead to the task of a customer. */
export const isPayable = ({ action }: Pick<DeepLinkRow, 'action'>): boolean =>
  action === 'PAY' || action === 'PAY_CHARGES'

/** Returns the payment link that a first submit will store. */
export function unstoredLink(deepLink: DeepLinkRow, options: PaymentLinkOptions): SessionLink {
  const { id, instance_id, expires, options_v, created } = deepLink
  const content = { expires, options, state: null }
  return {
    ...newLinkRow({ instanceId: instance_id, content, created }),
    id: null,
    deep_link_id: id,
    options_v,
    // The session that makes it has opened it.
    opening_told: 1,
  }
}

/**
 * Returns a payment link of a deep link with the terms that its next payment has: those of the deep
 * link, unless a payment has been made or is under way.
 */
async function underPresentTerms(
  link: LinkRow,
  { expires, options_v }: DeepLinkRow,
  readOptions: () => Promise<PaymentLinkOptions>,
): Promise<LinkRow> {
  if (link.status !== 'ACTIVE' || link.claim !== null) return link
  if (link.options_v === options_v) return { ...link, expires }
  return { ...link, expires, options: JSON.stringify(await readOptions()), options_v }
}
