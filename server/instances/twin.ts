import type { Instance } from '../db/tables/instances.ts'
import type { Tx } from '../db/tables.ts'
import { lockRow } from '../db/row-locks.ts'
import { ApiError, invalid } from '../errors.ts'
import { findInstance } from './store.ts'

/** Whether the caller may change another instance of the merchant. */
export type MayChange = (tx: Tx, other: Instance) => Promise<boolean>

/**
 * Locks an instance, its twin and the one that becomes its twin, in the order of their ids, so that two
 * changes of a pair do not wait for each other. Returns the latter; undefined for none.
 * Throws a 400 ApiError that names the member for one that cannot be the twin.
 */
export async function lockTwins(
  tx: Tx,
  instance: Instance,
  key: string | null,
  mayChange: MayChange,
): Promise<Instance | undefined> {
  const [next, former] = await Promise.all([
    key === null ? undefined : findInstance(tx, instance.merchant_id, key),
    instance.twin === null ? undefined : findInstance(tx, instance.merchant_id, instance.twin),
  ])
  const visible = next && (await mayChange(tx, next)) ? next : undefined
  if (key !== null && !visible) throw invalid('instance.twin', 'does not exist')
  if (former && former.id !== next?.id && !(await mayChange(tx, former))) {
    throw new ApiError('FORBIDDEN', 'The present twin is not among your instances')
  }
  const ids = [instance, next, former].flatMap((one) => (one ? [one.id] : []))
  for (const id of [...new Set(ids)].toSorted()) await lockRow(tx, 'instances', id)
  if (!next) return undefined
  const locked = await lockRow(tx, 'instances', next.id)
  if (locked.mode === instance.mode) throw invalid('instance.twin', 'must be of the other mode')
  if (locked.twin !== null && locked.twin !== instance.key) {
    throw invalid('instance.twin', `is the twin of ${locked.twin} already`)
  }
  return locked
}

/**
 * Makes `next` name the instance as its twin, and the former twin name none. `now` is an ISO time. Returns
 * the ids of the instances that changed.
 */
export async function writeTwin(
  tx: Tx,
  { key, merchant_id: merchantId, twin: formerKey }: Instance,
  next: Instance | undefined,
  now: string,
): Promise<string[]> {
  const former =
    formerKey === null || formerKey === next?.key
      ? undefined
      : await findInstance(tx, merchantId, formerKey)
  const changed = [
    ...(former?.twin === key ? [{ id: former.id, twin: null }] : []),
    ...(next && next.twin !== key ? [{ id: next.id, twin: key }] : []),
  ]
  for (const { id, twin } of changed) {
    await tx
      .updateTable('instances')
      .set((eb) => ({ twin, updated: now, v: eb('v', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }
  return changed.map(({ id }) => id)
}
