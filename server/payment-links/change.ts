import type { PaymentLinkChange, UpdateMode } from '../../shared/schemas/payment-link.ts'
import { formatInstant } from '../../shared/rules/time.ts'
import type { Deps } from '../deps.ts'
import { Refusal, wrongState } from '../http/refusal.ts'
import type { Instance } from '../instances/store.ts'
import { checkAccount, contentColumns, linkRules } from './create.ts'
import { changedMembers, checkLink, editLink } from './edit.ts'
import type { LinkContent } from './edit.ts'
import { linkContent } from './record.ts'
import { getLink, updateLink } from './store.ts'
import type { LinkRow } from './store.ts'

const RACES_MAX = 20

/**
 * Changes a link (specification: `PUT /payment_links/{id}`; contract section 6.4). A write that
 * changes nothing leaves version and time as they are. `ifMatch` is the version that the caller
 * has seen, if they said so; another one is a CONFLICT.
 */
export async function changeLink(
  deps: Deps,
  instance: Instance,
  id: string,
  request: { change: PaymentLinkChange; mode: UpdateMode; ifMatch: number | undefined },
): Promise<void> {
  for (let race = 0; race < RACES_MAX; race += 1) {
    const stored = await getLink(deps.db, instance.id, id)
    if (request.ifMatch !== undefined && request.ifMatch !== stored.v) {
      throw new Refusal('CONFLICT', `Payment link is at version ${stored.v}`)
    }
    const now = deps.now()
    const before = linkContent(stored)
    const after = editLink(before, request.change, request.mode)
    checkLink(after, request.change, linkRules(instance, now))
    const changed = changedMembers(before, after)
    if (changed.length === 0) return
    checkState(stored, changed)
    if (changed.includes('options')) await checkAccount(deps, instance, after)
    const edit = {
      ...contentColumns(after),
      options_v: stored.options_v + (changed.includes('options') ? 1 : 0),
      updated: formatInstant(now),
      v: stored.v + 1,
    }
    if (await updateLink(deps.db, stored, edit)) return
  }
  throw new Refusal('CONFLICT', 'Payment link is being changed by others; send the request again')
}

/** What may still change in the present state; free data always may, until the link is archived. */
function checkState(stored: LinkRow, changed: (keyof LinkContent)[]): void {
  if (stored.archived !== null) throw wrongState('Payment link is archived')
  if (stored.status !== 'ACTIVE' && changed.some((member) => member !== 'state')) {
    throw wrongState('Payment link is paid or awaits payment; only its state can change')
  }
  // The payer has agreed to these terms and is paying them now.
  if (stored.claim !== null && changed.includes('options')) {
    throw wrongState('Payment link is being paid right now; its options can change when that ends')
  }
}
