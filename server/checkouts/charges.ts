import type { CheckoutRow } from '../db/tables/checkouts.ts'
import type { SessionLink } from '../db/tables/payment-links.ts'
import type { PaymentLinkOptions } from '../../shared/schemas/payment-link.ts'
import { listChargesByIds } from '../charges/store.ts'
import { lockEachCharge } from '../charges/update-charge.ts'
import type { Db, Tx } from '../db/tables.ts'
import type { Deps } from '../deps.ts'
import type { Part } from '../payments/parts.ts'
import { type DueCharge, findLinkCharges, withSum } from '../payment-links/charges.ts'
import { parseLinkContent } from '../payment-links/content.ts'
import { setCharges } from './store.ts'

/**
 * The charges that a link pays. What the payer was shown of them is stored with the session, and only
 * that is paid: a charge that was paid, changed or written off since is new terms.
 */

export interface PayableTerms {
  /** With the sum of the charges as the fixed amount, where the link pays charges. */
  options: PaymentLinkOptions
  /** Undefined for a link that names no charges; empty when none is left to pay. */
  charges?: { due: DueCharge[]; isBusy: boolean }
}

interface ChargedSession {
  link: SessionLink
  checkout: CheckoutRow
}

/** Returns the terms that a payer is shown: those of their session, else those of this moment. */
export async function readTerms(
  db: Db | Tx,
  link: SessionLink,
  checkout?: CheckoutRow,
): Promise<PayableTerms> {
  const { options } = parseLinkContent(link)
  const charges = await findLinkCharges(db, link.instance_id, options)
  if (!charges) return { options }
  const { currency } = charges
  const shown = checkout && parseCharges(checkout)
  const due = shown ? await withRows(db, link.instance_id, shown) : charges.due
  return {
    options: withSum(options, currency, due),
    charges: { due, isBusy: due.length === 0 && charges.isBusy },
  }
}

async function withRows(
  db: Db | Tx,
  instanceId: string,
  parts: readonly Part[],
): Promise<DueCharge[]> {
  const rows = await listChargesByIds(
    db,
    instanceId,
    parts.map(({ charge }) => charge),
  )
  return parts.flatMap(({ charge: id, amount }) => {
    const charge = rows.find((row) => row.id === id)
    return charge ? [{ charge, amount }] : []
  })
}

/** Returns what the payer of a session was shown; null when the link named no charges then. */
export function parseCharges({ charges }: CheckoutRow): Part[] | null {
  return charges === null ? null : (JSON.parse(charges) as Part[])
}

/** The inverse of `parseCharges`. */
export function chargesColumn({ charges }: PayableTerms): string | null {
  return charges ? JSON.stringify(toParts(charges.due)) : null
}

function toParts(due: readonly DueCharge[]): Part[] {
  return due.map(({ charge, amount }) => ({ charge: charge.id, amount }))
}

/**
 * Reads the charges of an open session's link again and stores them as shown. What is being paid is
 * left as it is. Returns the session as it is now.
 */
export async function refreshCharges<T extends ChargedSession>(
  deps: Pick<Deps, 'db'>,
  session: T,
): Promise<T> {
  const { link, checkout } = session
  if (checkout.status !== 'OPEN' || link.status !== 'ACTIVE' || link.claim !== null) return session
  const charges = chargesColumn(await readTerms(deps.db, link))
  if (charges === checkout.charges) return session
  await setCharges(deps.db, checkout.id, charges)
  return { ...session, checkout: { ...checkout, charges } }
}

/**
 * Locks the charges of a link until the transaction ends and returns the parts to pay; none for a link
 * that names no charges. Returns undefined when they are not what the session showed. Settlement locks
 * charges before links too.
 */
export async function lockShownCharges(
  tx: Tx,
  { link, checkout }: ChargedSession,
): Promise<Part[] | undefined> {
  const { charges: ids } = parseLinkContent(link).options
  if (ids == null) return []
  await lockEachCharge(tx, link.instance_id, ids)
  const terms = await readTerms(tx, link)
  const isAsShown = terms.charges?.due.length !== 0 && chargesColumn(terms) === checkout.charges
  return isAsShown ? (parseCharges(checkout) ?? []) : undefined
}
