import type { ContractTaskChange } from '../../shared/schemas/deep-link-task.ts'
import { changeContract } from '../contracts/change.ts'
import { lockContract } from '../contracts/store.ts'
import { fromJson } from '../db/json.ts'
import { inTransaction } from '../db/transaction.ts'
import { lockDeepLink } from '../deep-links/store.ts'
import type { Deps } from '../deps.ts'
import { countUse } from '../deep-links/uses.ts'
import { invalidState } from '../errors.ts'
import { isExhausted } from '../payment-links/payability.ts'
import { contractCharges } from '../payments/schedule-payment.ts'
import { linkGone, requireTaskOpen, type TaskSession } from './session.ts'

const NEEDED = { CANCEL: 'CANCEL', PAUSE: 'PAUSE', RESUME: 'PAUSE' } as const
const DONE = {
  CANCEL: 'CONTRACT_CANCELLED',
  PAUSE: 'CONTRACT_PAUSED',
  RESUME: 'CONTRACT_RESUMED',
} as const
const FROM = { CANCEL: ['ACTIVE', 'PAUSED'], PAUSE: ['ACTIVE'], RESUME: ['PAUSED'] }

/**
 * Cancels, pauses or resumes the contract of a task, as the API does, with the customer as actor. A change
 * that was made before changes nothing. Throws INVALID_STATE for one that the link does not allow or
 * the contract's status does not permit.
 */
export async function changeTaskContract(
  deps: Deps,
  task: TaskSession,
  change: ContractTaskChange,
): Promise<void> {
  const { session, instance } = task
  await inTransaction(deps.db, async (tx) => {
    const link = await lockDeepLink(tx, task.link.id)
    const allowed = fromJson<string[]>(link.allow) ?? []
    if (link.contract_id === null || !allowed.includes(NEEDED[change])) {
      throw invalidState('Deep link does not allow this change')
    }
    const contract = await lockContract(tx, link.contract_id)
    const now = deps.now()
    const by = session.actor_session
    const after = { CANCEL: 'CANCELLED', PAUSE: 'PAUSED', RESUME: 'ACTIVE' } as const
    if (contract.status === after[change]) return
    requireTaskOpen(deps, { ...task, link })
    // The last use may be reserved by a method that is being saved.
    if (isExhausted(link)) throw linkGone()
    if (!FROM[change].includes(contract.status)) {
      throw invalidState(`Contract is ${contract.status}`)
    }
    if (change === 'CANCEL') await contractCharges.cancel(tx, contract.id, now, by)
    else {
      await changeContract(
        { db: tx, now: () => now },
        { instanceId: instance.id, idOrKey: contract.id },
        { change: { status: change === 'PAUSE' ? 'PAUSED' : 'ACTIVE' }, by, ifMatch: undefined },
        contractCharges,
      )
    }
    const context = { tx, baseUrl: deps.config.baseUrl, now }
    const done = { done: DONE[change], payment_method: null, contract: contract.id }
    await countUse(context, link.id, { wasReserved: false, task: done })
  })
}
