import type { OnMethodSetUp } from '../deps.ts'
import { changeContract } from '../contracts/change.ts'
import { findContract } from '../contracts/store.ts'
import { contractCharges } from '../payments/schedule-payment.ts'
import { findLinkOfSession, findSession } from './store.ts'
import { recordUse } from './record-use.ts'

/**
 * Gives the contract of a task the method that its customer has saved, with its unpaid charges, and
 * counts the use of the link. Set-ups of other sessions are left.
 */
export function createTaskSettler(baseUrl: string): OnMethodSetUp {
  return async (tx, setup, now) => {
    if (setup.status !== 'SUCCESS' || setup.payment_method_id === null) return
    const session = await findSession(tx, setup.session_id)
    if (!session) return
    const { link } = await findLinkOfSession(tx, session)
    const { instance_id: instanceId, contract_id: idOrKey } = link
    const contract = idOrKey === null ? undefined : await findContract(tx, instanceId, idOrKey)
    if (contract && contract.status !== 'CANCELLED') {
      await changeContract(
        { db: tx, now: () => now },
        { instanceId, idOrKey: contract.id },
        {
          change: { payment_method: setup.payment_method_id },
          by: session.actor_session,
          ifMatch: undefined,
        },
        contractCharges,
      )
    }
    const use = { payment_method: setup.payment_method_id, contract: contract?.id ?? null }
    await recordUse({ tx, baseUrl, now }, link.id, { done: 'PAYMENT_METHOD_SAVED', ...use })
  }
}
