import type { OnSetupSettled } from '../deps.ts'
import { changeContract } from '../contracts/change.ts'
import { listChargesOfContract } from '../charges/store.ts'
import { lockEachCharge } from '../charges/update-charge.ts'
import { findContract, lockContract } from '../contracts/store.ts'
import type { MethodSetupRow } from '../db/tables/method-setups.ts'
import type { Tx } from '../db/tables.ts'
import { lockDeepLink } from '../deep-links/store.ts'
import { countUse, releaseUse } from '../deep-links/uses.ts'
import { contractCharges } from '../payments/schedule-payment.ts'
import { findSession } from './store.ts'

/** Locks the link of a task, its contract and the unpaid charges, in the order of all transactions. */
export async function lockTaskOfSetup(tx: Tx, setup: MethodSetupRow): Promise<void> {
  const session = await findSession(tx, setup.session_id)
  if (!session) return
  const { contract_id, instance_id } = await lockDeepLink(tx, session.deep_link_id)
  if (contract_id === null) return
  await lockContract(tx, contract_id)
  const charges = await listChargesOfContract(tx, contract_id)
  const unpaid = charges.filter(({ status }) => status === 'ACTIVE' || status === 'WRITTENOFF')
  await lockEachCharge(
    tx,
    instance_id,
    unpaid.map(({ id }) => id),
  )
}

/**
 * Gives the contract of a task the method that its customer has saved, with its unpaid charges, and
 * counts the use of the link; gives the use back when nothing was saved. Set-ups of other sessions are
 * left, as are those that their customer has given up, which reserve no use.
 */
export const settleTask: OnSetupSettled = async (deps, tx, setup, now) => {
  const session = await findSession(tx, setup.session_id)
  if (!session || setup.set_aside === 1 || setup.state !== 'DONE') return undefined
  const link = await lockDeepLink(tx, session.deep_link_id)
  if (setup.status !== 'SUCCESS' || setup.payment_method_id === null) {
    await releaseUse(tx, link.id)
    return undefined
  }
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
  const { baseUrl } = deps.config
  await countUse({ tx, baseUrl, now }, link.id, {
    wasReserved: true,
    task: {
      done: 'PAYMENT_METHOD_SAVED',
      payment_method: setup.payment_method_id,
      contract: contract?.id ?? null,
    },
  })
  return undefined
}
