import { sql, type Updateable } from 'kysely'
import type { LinkRow, PaymentLinksTable } from '../db/tables/payment-links.ts'
import { compiledQuery } from '../db/compiled-query.ts'
import type { Db, Tx } from '../db/tables.ts'
import { enabledInstanceOf } from '../instances/store.ts'

// A claim is the right of one attempt to pay a link.

interface Claim {
  linkId: string
  attemptId: string
  /** The version of the options that the payer agreed to. */
  optionsVersion: number
  now: string
}

/**
 * Claims a link for one attempt and returns it, or undefined when it cannot be paid. This single
 * statement decides between concurrent payers. It states the rule of `linkPayability` in SQL.
 */
export async function claimLink(tx: Tx, claim: Claim): Promise<LinkRow | undefined> {
  return (await setClaim(tx, claim)).rows[0]
}

const setClaim = compiledQuery((db: Db, { linkId, attemptId, optionsVersion, now }: Claim) =>
  db
    .updateTable('payment_links')
    .set({ claim: attemptId })
    .where('id', '=', linkId)
    .where('status', '=', 'ACTIVE')
    .where('archived', 'is', null)
    .where((eb) => eb.exists(enabledInstanceOf('payment_links.instance_id')))
    .where('options_v', '=', optionsVersion)
    .where((eb) => eb.or([eb('expires', 'is', null), eb('expires', '>', now)]))
    .where((eb) => eb.or([eb('claim', 'is', null), eb('claim', '=', attemptId)]))
    .returningAll(),
)

/** Frees a link that is not paid from the claim of an attempt. Returns false when it has none. */
export async function releaseClaim(
  tx: Tx,
  { linkId, attemptId }: Pick<Claim, 'linkId' | 'attemptId'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('payment_links')
    .set({ claim: null })
    .where('id', '=', linkId)
    .where('claim', '=', attemptId)
    .where('status', '=', 'ACTIVE')
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Records that an attempt without a claim has paid a link. This single statement decides between it
 * and concurrent payers. Returns false when the link is paid or claimed, or has other terms by now than
 * those of `optionsVersion`.
 */
export async function payFreeLink(
  tx: Tx,
  { linkId, optionsVersion }: { linkId: string; optionsVersion: number | null },
  change: Updateable<PaymentLinksTable>,
): Promise<boolean> {
  const result = await tx
    .updateTable('payment_links')
    .set({ ...change, status: 'PAYMENT_SUCCESS', v: sql<number>`v + 1` })
    .where('id', '=', linkId)
    .where('status', '=', 'ACTIVE')
    .where('claim', 'is', null)
    .where('options_v', '=', optionsVersion)
    .executeTakeFirst()
  return result.numUpdatedRows === 1n
}

/**
 * Updates a link for the attempt that holds its claim. Returns false when another attempt holds it. A
 * successful payment (`paid`) updates the link without the claim, so that no payment is hidden.
 */
export async function updateClaimedLink(
  tx: Tx,
  { id, attemptId, paid }: { id: string; attemptId: string; paid: boolean },
  change: Updateable<PaymentLinksTable>,
): Promise<boolean> {
  const claimant = paid ? undefined : attemptId
  return (await update(tx, { ...change, id, claimant })).numAffectedRows === 1n
}

type ClaimedChange = Updateable<PaymentLinksTable> & { id: string; claimant?: string | undefined }

const update = compiledQuery((db: Db, { id, claimant, ...change }: ClaimedChange) => {
  const query = db
    .updateTable('payment_links')
    .set({ ...change, v: sql<number>`v + 1` })
    .where('id', '=', id)
  return claimant === undefined ? query : query.where('claim', '=', claimant)
})
