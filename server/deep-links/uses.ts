import { sql } from 'kysely'
import type { DeepLinkRow } from '../db/tables/deep-links.ts'
import type { DeepLinkUse } from '../../shared/schemas/deep-link.ts'
import type { LinkRow } from '../db/tables/payment-links.ts'
import type { Tx } from '../db/tables.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import { enabledInstanceOf } from '../instances/store.ts'
import type { LinkEvent } from '../payment-links/events.ts'
import { getLink } from '../payment-links/store.ts'
import { recordDeepLinkEvent } from './events.ts'
import { lockDeepLink } from './store.ts'

// `uses` is the number of a deep link's payment links that are paid, and of the tasks that its customer has
// done. `reserved_uses` is the number of payment links that an attempt has claimed and that are not paid,
// and of methods that are being saved. Both change in the transaction that changes those records, so their
// sum never exceeds `max_uses` by anything that began within it.

/**
 * Reserves a use of a deep link and returns it, or undefined when it cannot be paid, has none left, or
 * has other options than those of version `optionsVersion`. This single statement decides between
 * concurrent payers. `now` is a stored instant.
 */
export async function reserveUse(
  tx: Tx,
  { id, optionsVersion, now }: { id: string; optionsVersion: number; now: string },
): Promise<DeepLinkRow | undefined> {
  return tx
    .updateTable('deep_links')
    .set({ reserved_uses: sql<number>`reserved_uses + 1` })
    .where('id', '=', id)
    .where('action', 'in', ['PAY', 'PAY_CHARGES'])
    .where('archived', 'is', null)
    .where('options_v', '=', optionsVersion)
    .where((eb) => eb.exists(enabledInstanceOf('deep_links.instance_id')))
    .where((eb) => eb.or([eb('expires', 'is', null), eb('expires', '>', now)]))
    .where((eb) =>
      eb.or([eb('max_uses', 'is', null), sql<boolean>`uses + reserved_uses < max_uses`]),
    )
    .returningAll()
    .executeTakeFirst()
}

/**
 * Reserves a use of a link to a task, in place of `freed` ones that its customer has given up. Returns
 * false when none is left. The caller has locked the deep link.
 */
export async function reserveTaskUse(
  tx: Tx,
  { id, max_uses, uses, reserved_uses }: DeepLinkRow,
  freed: number,
): Promise<boolean> {
  const reserved = reserved_uses - freed
  if (max_uses !== null && uses + reserved >= max_uses) return false
  await tx
    .updateTable('deep_links')
    .set({ reserved_uses: reserved + 1 })
    .where('id', '=', id)
    .execute()
  return true
}

/** Gives a reserved use back. The caller has locked the deep link. */
export async function releaseUse(tx: Tx, id: string): Promise<void> {
  await tx
    .updateTable('deep_links')
    .set({ reserved_uses: sql<number>`reserved_uses - 1` })
    .where('id', '=', id)
    .execute()
}

/**
 * Counts a use and records `deep_link.used`, and `deep_link.exhausted` with the last one. `wasReserved`
 * states whether the use was reserved; `task` is what a customer did, undefined for a payment. The caller
 * has locked the deep link.
 */
export async function countUse(
  context: LinkEvent,
  id: string,
  { wasReserved, task }: { wasReserved: boolean; task?: DeepLinkUse },
): Promise<void> {
  const at = formatInstant(context.now)
  const link = await context.tx
    .updateTable('deep_links')
    .set({
      uses: sql<number>`uses + 1`,
      ...(wasReserved && { reserved_uses: sql<number>`reserved_uses - 1` }),
      ...(task && { last_use: JSON.stringify(task) }),
      last_used: at,
      updated: at,
      v: sql<number>`v + 1`,
    })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
  await recordDeepLinkEvent(context, 'deep_link.used', link)
  if (link.uses === link.max_uses) await recordDeepLinkEvent(context, 'deep_link.exhausted', link)
}

/**
 * Returns a payment link and its deep link, which is locked until the transaction ends. Every
 * transaction locks the deep link before its payment links, so that none of them deadlock.
 */
export async function lockWithDeepLink(
  tx: Tx,
  instanceId: string,
  linkId: string,
): Promise<{ link: LinkRow; deepLink?: DeepLinkRow }> {
  const link = await getLink(tx, instanceId, linkId)
  if (link.deep_link_id === null) return { link }
  const deepLink = await lockDeepLink(tx, link.deep_link_id)
  // Read again: its claim may have changed before the lock.
  return { link: await getLink(tx, instanceId, linkId), deepLink }
}
